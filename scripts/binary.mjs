// `npm run binary [-- --out FILE]`: Palaver and Node in one executable file, dist-binary/palaver or FILE. Then a smoke test: it starts,
// answers a prompt with the built-in agent, and opens a terminal UI. Says its size and how long it takes to start, beside `node dist/cli.js`.
import "./script-help.mjs";
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import pty from "@lydell/node-pty";
import { root, setup } from "./setup.mjs";

// The tool that Node's own documentation names.
const INJECTOR = "postject@1.0.0-alpha.6";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const STARTS = 9;

const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist-binary", "palaver") } } });
const { out } = values;
await setup();
const work = mkdtempSync(join(tmpdir(), "palaver-binary-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
makeBinary();
const env = {
  ...process.env,
  HOME: work,
  XDG_CACHE_HOME: join(work, "cache"),
  XDG_STATE_HOME: work,
  XDG_CONFIG_HOME: work,
};
await smokeTest();
const size = `${(statSync(out).size / 1e6).toFixed(0)} MB`;
const [own, script] = [startMs(out, []), startMs(process.execPath, [join(root, "dist", "cli.js")])];
console.log(`${out}: ${size}; --help after ${own.toFixed(0)} ms (node dist/cli.js: ${script.toFixed(0)} ms)`);

function makeBinary() {
  const dist = join(root, "dist");
  const paths = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => !path.startsWith("types") && statSync(join(dist, path)).isFile());
  const content = Object.fromEntries(files.map((path) => [path, readFileSync(join(dist, path), "base64")]));
  // Chunks are modules whatever surrounds them.
  content["package.json"] = Buffer.from('{"type":"module"}').toString("base64");
  writeFileSync(join(work, "dist"), brotliCompressSync(JSON.stringify(content)));
  const main = join(root, "scripts", "binary-main.cjs");
  const blob = join(work, "blob");
  const config = { main, output: blob, disableExperimentalSEAWarning: true, assets: { dist: join(work, "dist") } };
  writeFileSync(join(work, "config.json"), JSON.stringify(config));
  execFileSync(process.execPath, ["--experimental-sea-config", join(work, "config.json")], { stdio: "ignore" });
  mkdirSync(dirname(out), { recursive: true });
  rmSync(out, { force: true });
  copyFileSync(process.execPath, out);
  if (process.platform === "linux") spawnSync("strip", [out]);
  const inject = [out, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE];
  const mac = process.platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
  execFileSync("npm", ["exec", "--yes", `--package=${INJECTOR}`, "--", "postject", ...inject, ...mac], {
    stdio: "ignore",
  });
}

async function smokeTest() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect("--version", run("--version").stdout.trim() === version);
  const answer = run("prompt", "list the files here");
  expect("a prompt for the built-in agent", answer.status === 0 && answer.stdout.includes("package.json"));
  expect("bad usage", run("nonsense").status === 2);
  expect("the terminal UI", await opensUi());
}

function run(...args) {
  return spawnSync(out, args, { cwd: root, env, encoding: "utf8", input: "", timeout: 30_000 });
}

function opensUi() {
  const terminal = pty.spawn(out, [], { cols: 80, rows: 24, cwd: root, env });
  return new Promise((resolve) => {
    let text = "";
    const limit = setTimeout(() => terminal.kill("SIGKILL"), 30_000);
    terminal.onData((data) => {
      text += data;
      if (text.includes("for commands")) terminal.write("\x03\x03");
    });
    terminal.onExit(({ exitCode }) => {
      clearTimeout(limit);
      resolve(exitCode === 0 && text.includes("for commands"));
    });
  });
}

function expect(what, holds) {
  if (!holds) throw new Error(`the single-file build fails its smoke test: ${what}`);
  console.log(`✓ ${what}`);
}

function startMs(file, args) {
  const times = Array.from({ length: STARTS }, () => {
    const from = performance.now();
    spawnSync(file, [...args, "--help"], { env });
    return performance.now() - from;
  });
  return times.sort((one, other) => one - other)[Math.floor(STARTS / 2)];
}

// A dev daemon for a small TypeScript project: it watches and rebuilds, serves the result, runs the tests, and lets people
// see and change all of that from elsewhere. Start it and look at it from another terminal:
//
//   node examples/dev-daemon/daemon.mjs            palaver state --project examples/dev-daemon/project
//                                                  palaver action Mode production --project …
//                                                  palaver logs -f --project …          palaver stop --project …
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context } from "esbuild";
import { HeadlessTui, serveDaemon } from "palaver/daemon";

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("project", import.meta.url)));
const out = await mkdtemp(join(tmpdir(), "dev-daemon-"));
const tui = new HeadlessTui();
const options = { mode: "development", minify: "off" };
const served = { port: 0 };
const results = { tests: "not run yet" };

/** Something that only logs. A handler gets its log once, when it is added. */
class Voice {
  constructor(name) {
    this.name = () => name;
    this.say = () => {};
  }
  setLog(log) {
    this.say = log;
  }
}
const watch = new Voice("watch");
const server = new Voice("server");
const tests = new Voice("tests");

/** A choice among a few words; every word has a key that chooses it from anywhere. */
const choice = (name, label, field, words, onChange) => ({
  name: () => name,
  label: () => label,
  value: () => options[field],
  shortcuts: () => words.map((word) => ({ [`${name}.${word}`]: word })),
  async change(value) {
    const word = value.replace(`${name}.`, "");
    if (!words.includes(word)) throw new Error(`${name} is one of ${words.join(", ")}, not ${value}`);
    if (word === options[field]) return;
    options[field] = word;
    await onChange();
  },
});

const run = (name, label, execute) => ({ name: () => name, label: () => label, execute });
const show = (name, content) => ({ name: () => name, label: () => name, content });

// One watcher at a time: a change of options ends the old one before the new one begins.
let watcher = null;
async function startWatching() {
  await watcher?.dispose();
  watcher = await context({
    entryPoints: [join(folder, "src", "main.ts")],
    outdir: out,
    bundle: true,
    format: "esm",
    minify: options.minify === "on",
    sourcemap: options.mode === "development",
    define: { MODE: JSON.stringify(options.mode) },
    logLevel: "silent",
    plugins: [{ name: "report", setup: ({ onEnd }) => onEnd(report) }],
  });
  const { port } = await watcher.serve({ servedir: out, host: "127.0.0.1", port: served.port });
  if (served.port === 0) server.say(`serving at http://127.0.0.1:${port}`);
  served.port = port;
  await watcher.watch();
}

function report({ errors, warnings }) {
  for (const { text, location } of errors) watch.say(`error: ${text} at ${location?.file}:${location?.line}`);
  if (errors.length === 0) watch.say(`rebuilt for ${options.mode}, ${warnings.length} warnings`);
  tui.refreshUI();
}

async function runTests() {
  tests.say("[... running the tests");
  const names = (await readdir(join(folder, "test"))).filter((name) => name.endsWith(".test.ts"));
  const entryPoints = names.map((name) => join(folder, "test", name));
  const built = { entryPoints, outdir: join(out, "tests"), outExtension: { ".js": ".mjs" } };
  await build({ ...built, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  const files = names.map((name) => join(out, "tests", name.replace(/\.ts$/, ".mjs")));
  const output = await outputOf(process.execPath, ["--test", "--test-reporter=tap", ...files]);
  for (const [line] of output.matchAll(/^not ok .*$/gm)) tests.say(line);
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)`, "m").exec(output)?.[1] ?? 0);
  results.tests = `${count("fail")} failed, ${count("pass")} passed`;
  tests.say(`...] ${results.tests}`);
}

function outputOf(command, args) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", fail).on("close", () => done(text));
  });
}

const buildTab = tui.newTabSection("BUILD", "Watch and rebuild");
tui.addHandler(watch, "#6cb6ff", buildTab);
tui.addHandler(choice("Mode", "Build for", "mode", ["development", "production"], startWatching), "#6cb6ff", buildTab);
tui.addHandler(choice("Minify", "Make it small", "minify", ["on", "off"], startWatching), "#6cb6ff", buildTab);
tui.addHandler(
  run("Rebuild", "Build again", () => watcher.rebuild()),
  "#6cb6ff",
  buildTab,
);
const serverTab = tui.newTabSection("SERVER", "What is served");
tui.addHandler(server, "#7ee787", serverTab);
tui.addHandler(
  show("Address", () => `http://127.0.0.1:${served.port}/main.js`),
  "#7ee787",
  serverTab,
);
const testTab = tui.newTabSection("TESTS", "The project's own tests");
tui.addHandler(tests, "#e3b341", testTab);
tui.addHandler(run("Test", "Run the tests", runTests), "#e3b341", testTab);
tui.addHandler(
  show("Results", () => results.tests),
  "#e3b341",
  testTab,
);

const daemon = await serveDaemon({ tui, folder, version: "1.0.0" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => daemon.stop());
await startWatching();
console.log(`The dev daemon of ${daemon.project} is at ${daemon.url}`);
await daemon.ended;
await watcher.dispose();
await rm(out, { recursive: true, force: true });

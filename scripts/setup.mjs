// Makes a fresh clone ready: installs with `npm ci` and builds, each only when something changed since the last time.
// It has no dependencies, says nothing when there is nothing to do, and one progress line when there is.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { oneAtATime } from "./one-at-a-time.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
const stampsDir = join(root, "node_modules", ".palaver");
const NODE_MIN = [20, 19];

/** Installs and builds what is missing or stale. Throws an Error whose message says what to do. */
export async function setup({ build = true } = {}) {
  checkNode();
  await once("install", [join(root, "package-lock.json")], {
    ready: () => existsSync(join(root, "node_modules", "zod")),
    label: "Installing packages (once, about 10 s)",
    run: installHere,
  });
  if (!build) return;
  const sources = ["src", "types", "scripts/build.mjs", "package.json", "tsconfig.base.json", "tsconfig.build.json"];
  await once(
    "build",
    sources.map((name) => join(root, name)),
    {
      ready: () => existsSync(join(root, "dist", "cli.js")),
      label: "Building",
      run: () => run(process.execPath, [join(root, "scripts", "build.mjs")]),
    },
  );
}

// An install empties the folder first; behind a link that would be somebody else's.
function installHere() {
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error("node_modules is a link to another folder, which an install would empty. Remove the link first.");
  }
  return npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new Error(`Palaver needs Node ${NODE_MIN.join(".")} or newer; this is ${process.version}.`);
}

async function once(name, sources, { ready, label, run: perform }) {
  const stamp = join(stampsDir, name);
  const hash = hashOf(sources);
  const isDone = () => ready() && existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
  if (isDone()) return;
  const done = progress(label);
  try {
    await oneAtATime(join(root, ".cache", "setup.lock"), async () => {
      if (isDone()) return;
      await perform();
      mkdirSync(stampsDir, { recursive: true });
      writeFileSync(stamp, hash);
    });
  } finally {
    done();
  }
}

function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) for (const file of filesUnder(path)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

// On a terminal the line counts the seconds and disappears when done; elsewhere it is printed once.
function progress(label) {
  if (!process.stderr.isTTY) {
    process.stderr.write(`${label} …\n`);
    return () => {};
  }
  const startedMs = Date.now();
  const show = () => process.stderr.write(`\r${label} … ${Math.round((Date.now() - startedMs) / 1000)} s `);
  show();
  const timer = setInterval(show, 1000);
  return () => {
    clearInterval(timer);
    process.stderr.write("\r\x1b[K");
  };
}

function npm(args) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith(".js")
    ? run(process.execPath, [cli, ...args])
    : run("npm", args, { shell: process.platform === "win32" });
}

function run(command, args, { shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, shell, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(" ")} ended with code ${code}.\n${output.trim()}`));
    });
  });
}

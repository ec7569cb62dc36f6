// Who takes part: Palaver's own screen, plain printing as the floor, and the peers. What is not in node_modules already
// is installed on first use, with exact versions, into a folder of its own under .cache/; a peer that cannot be
// installed is left out with the reason.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup.mjs";

const INSTALL_LIMIT_MS = 240_000;
const peersFolder = join(root, ".cache", "bench-peers");
const adapter = (name) => join(import.meta.dirname, "adapters", `${name}.mjs`);

// pi-tui and ink ask for Node 22, OpenTUI for 26.4 with foreign functions. On an older one they would look slower than
// they are, so all of them get the one that npm has as a package.
const NEWER_NODE = "26.10.0";
const RUNTIME = { folder: "node", packages: [`node@${NEWER_NODE}`] };
const PEERS = [
  {
    id: "pi",
    name: `pi-tui ${versionOf("@earendil-works/pi-tui")}`,
    adapter: adapter("pi-tui"),
    flags: [],
  },
  {
    id: "ink",
    name: "ink 8.0.0",
    adapter: adapter("ink"),
    flags: [],
    install: { folder: "ink", packages: ["ink@8.0.0", "react@19.3.1"] },
  },
  {
    id: "opentui",
    name: "OpenTUI 0.8.1",
    adapter: adapter("opentui"),
    flags: ["--experimental-ffi", "--no-warnings"],
    install: { folder: "opentui", packages: ["@opentui/core@0.8.1"] },
  },
];

export const PEER_IDS = ["plain", ...PEERS.map(({ id }) => id)];

/**
 * The renderers that can run, plain printing and ours first, and the peers that cannot, each with its `absence`. Ours
 * runs on the Node at hand, as it does at a person's desk, or on the newer one of the peers; `nodes` says it in words.
 */
export async function castOf(ids, { ourNode }) {
  const node = ourNode === "newer" ? nodeIn(await installed(RUNTIME)) : process.execPath;
  const plain = { id: "plain", name: "plain", adapter: adapter("plain"), flags: [], node, env: {} };
  const ours = {
    id: "palaver",
    name: "palaver",
    adapter: join(root, "bench", "palaver.mjs"),
    flags: [],
    node,
    env: { PALAVER_DIST: copyOfBuild() },
  };
  const peers = await Promise.all(PEERS.filter(({ id }) => ids.includes(id)).map(prepared));
  return {
    renderers: [...(ids.includes("plain") ? [plain] : []), ours, ...peers.filter(isReady)],
    absent: peers.filter((peer) => !isReady(peer)),
    nodes: `plain and palaver on Node ${ourNode === "newer" ? NEWER_NODE : process.versions.node}, peers on ${NEWER_NODE}`,
  };
}

// A run takes minutes; a build that is made meanwhile must not change what is measured.
function copyOfBuild() {
  const copy = join(root, ".cache", "bench", "dist");
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, "dist"), copy, { recursive: true });
  return copy;
}

async function prepared(peer) {
  try {
    const node = nodeIn(await installed(RUNTIME));
    const env = peer.install === undefined ? {} : { BENCH_PEER: await installed(peer.install) };
    return { ...peer, node, env };
  } catch (error) {
    return { ...peer, absence: error.message };
  }
}

function isReady({ absence }) {
  return absence === undefined;
}

function nodeIn(folder) {
  return join(folder, "node_modules", "node", "bin", "node");
}

const installs = new Map();

// Asked twice for the same folder, it is installed once.
function installed({ folder, packages }) {
  const path = join(peersFolder, folder);
  if (!installs.has(path))
    installs.set(
      path,
      install(path, packages).then(() => path),
    );
  return installs.get(path);
}

async function install(path, packages) {
  const stamp = join(path, "installed.txt");
  const wanted = packages.join(" ");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write(`Installing ${wanted} (once) …\n`);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "package.json"), '{ "private": true }\n');
  await npmInstall(path, packages);
  writeFileSync(stamp, wanted);
}

function npmInstall(cwd, packages) {
  const args = [
    "install",
    "--no-audit",
    "--no-fund",
    "--save-exact",
    "--fetch-retries=1",
    "--loglevel=error",
    ...packages,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn("npm", args, { cwd, shell: process.platform === "win32", detached: true });
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), INSTALL_LIMIT_MS);
    let errors = "";
    child.stderr.on("data", (text) => (errors += text));
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`npm install ${packages.join(" ")} failed: ${firstError(errors)}`));
    });
  });
}

function firstError(errors) {
  const lines = errors.split("\n").filter((line) => /error/i.test(line));
  return (lines[0] ?? "it was stopped after its time limit").trim();
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

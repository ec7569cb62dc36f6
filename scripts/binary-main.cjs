// The main program of the single-file build. It holds the files of dist/ as one asset, puts them into the user's cache once per build,
// and then behaves as Node does with a script: `palaver ARGS`, and for child processes `palaver SCRIPT ARGS` and `palaver -e CODE ARGS`.
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { homedir } = require("node:os");
const { dirname, join } = require("node:path");
const { getAsset } = require("node:sea");
const { pathToFileURL } = require("node:url");
const { brotliDecompressSync } = require("node:zlib");
const vm = require("node:vm");

const [program, , first, ...rest] = process.argv;
const load = { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };

if (first === "-e") {
  process.argv = [program, ...rest.slice(1)];
  globalThis.require = require;
  new vm.Script(rest[0], load).runInThisContext();
} else {
  const folder = unpacked();
  const isScript = first !== undefined && /\.[cm]?js$/.test(first) && existsSync(first);
  process.argv = isScript ? [program, first, ...rest] : [program, join(folder, "cli.js"), ...process.argv.slice(2)];
  const address = pathToFileURL(process.argv[1]).href;
  new vm.Script(`import(${JSON.stringify(address)})`, load).runInThisContext();
}

// A folder of that name is whole: it is made beside its place and then moved there.
function unpacked() {
  const packed = Buffer.from(getAsset("dist"));
  const name = createHash("sha256").update(packed).digest("hex").slice(0, 16);
  const cache = cacheFolder();
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  if (process.getuid !== undefined && statSync(cache).uid !== process.getuid()) {
    process.stderr.write(`palaver: ${cache} belongs to another user; set XDG_CACHE_HOME to a folder of yours\n`);
    process.exit(1);
  }
  const fresh = mkdtempSync(join(cache, "new-"));
  for (const [path, text] of Object.entries(JSON.parse(brotliDecompressSync(packed).toString()))) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), Buffer.from(text, "base64"));
  }
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function cacheFolder() {
  const { XDG_CACHE_HOME: named = "" } = process.env;
  return join(named.startsWith("/") ? named : join(homedir(), ".cache"), "palaver");
}

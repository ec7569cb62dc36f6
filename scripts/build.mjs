// Builds dist/: the bundled command line, where each command is a chunk of its own and what a view needs at one moment is one
// file, so that nobody waits for what he does not use; and the library entries, which share their parts. Declarations come from
// the compiler. All of it is made beside dist/ and put in its place at the end, so that whoever runs the old one is not left
// without a floor.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { buildPage } from "./build-page.mjs";
import { gatherChunks } from "./gathered-chunks.mjs";
import { ownTypes } from "./own-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version, exports: exported } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const fresh = mkdtempSync(join(root, "dist-"));
process.on("exit", () => rmSync(fresh, { recursive: true, force: true }));

// The editor's package brings images, native bindings and a Markdown of its own. None of its modules does anything when it is
// loaded, so that what is not used can stay out.
const EDITOR = "@earendil-works/pi-tui";
const leaveOutUnused = {
  name: "leave-out-unused",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, ...options }) => {
      const isIts = path === EDITOR || options.importer.includes(`/node_modules/${EDITOR}/`);
      if (pluginData === "resolving" || !isIts) return undefined;
      const found = await resolve(path, { ...options, pluginData: "resolving" });
      return found.external || found.errors.length > 0 ? found : { path: found.path, sideEffects: false };
    });
  },
};

// The schemas' package can complain in fifty languages, a quarter of a megabyte of them. Our words are our own.
const leaveOutLanguages = {
  name: "leave-out-languages",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

// Packages that are not modules call `require` for what Node brings, which a module does not have.
const requireBuiltIns = {
  name: "require-built-ins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      return kind === "require-call" && isBuiltin(path) ? { path, namespace: "built-in" } : undefined;
    });
    onLoad({ filter: /./, namespace: "built-in" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

// Every Node 20 has them. Written as constructors, as would be done for older ones, one of them takes 25 ms at each start.
const supported = { "regexp-set-notation": true };

// An ES module has no `require`. Packages of the older form get Node's own modules all the same.
const REQUIRE = /\brequire\((["'])(?:node:)?(\w+(?:\/\w+)?)\1\)/g;
const withoutRequire = (code) =>
  code.replace(REQUIRE, (call, _quote, name) => (isBuiltin(name) ? `process.getBuiltinModule("${name}")` : call));

// Half of what Node has to read is other people's code: each file is made small for itself.
const shortenOthers = {
  name: "shorten-others",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const { code } = await transform(withoutRequire(readFileSync(path, "utf8")), {
        ...{ minify: true, target: output.target, supported },
      });
      return { contents: code };
    });
  },
};

const output = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  supported,
  // With all names in it, the package would weigh 8 % more.
  minify: true,
  legalComments: "none",
  logLevel: "warning",
};

const shared = {
  ...output,
  absWorkingDir: root,
  plugins: [leaveOutUnused, leaveOutLanguages, requireBuiltIns, shortenOthers],
  outdir: fresh,
  splitting: true,
  define: { PALAVER_VERSION: JSON.stringify(version) },
  metafile: true,
};

const command = await build({ ...shared, entryPoints: { cli: "src/cli/main.ts" }, chunkNames: "chunks/[name]-[hash]" });
await gatherChunks({
  outputs: command.metafile.outputs,
  path: (name) => join(root, name),
  folder: fresh,
  options: output,
});
chmodSync(join(fresh, "cli.js"), 0o755);

// Apart from the command, so that a program which imports one of them loads nothing of it.
const libraries = await build({
  ...shared,
  entryPoints: {
    contract: "src/contract/exports.ts",
    ui: "src/sdk/exports.ts",
    daemon: "src/server/exports.ts",
    screen: "src/terminal/painter/exports.ts",
    // For the benchmarks and the end-to-end tests, which measure what is shipped.
    terminal: "src/terminal/device/exports.ts",
    tui: "src/views/exports.ts",
    markdown: "src/terminal/painter/markdown/exports.ts",
  },
  chunkNames: "parts/[name]-[hash]",
});
const pageInputs = await buildPage({ root, folder: join(fresh, "page"), version, plugins: [leaveOutLanguages] });
writeNotices([...Object.keys(command.metafile.inputs), ...Object.keys(libraries.metafile.inputs), ...pageInputs]);

const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
const types = ["-p", "tsconfig.build.json", "--outDir", join(fresh, "types")];
execFileSync(process.execPath, [tsc, ...types], { cwd: root, stdio: "inherit" });
const declared = Object.values(exported).flatMap(({ types: path }) => (path === undefined ? [] : [path]));
const entries = declared.map((path) => path.replace("./dist/types/", ""));
ownTypes(join(fresh, "types"), join(root, "node_modules", "zod"), entries);

if (existsSync(join(root, "dist"))) renameSync(join(root, "dist"), `${fresh}-old`);
renameSync(fresh, join(root, "dist"));
rmSync(`${fresh}-old`, { recursive: true, force: true });

// The bundle contains other people's work; their licences travel with it.
function writeNotices(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  const notices = [...packages].sort().map((name) => {
    const folder = join(root, "node_modules", name);
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    const meta = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text =
      licence && existsSync(join(folder, licence)) ? readFileSync(join(folder, licence), "utf8") : meta.license;
    return `${name} ${meta.version}\n\n${text.trim()}\n`;
  });
  writeFileSync(join(fresh, "THIRD-PARTY-NOTICES.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
}

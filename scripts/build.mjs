// Builds dist/: the bundled command line, where each command is a chunk of its own and what a view needs at one moment is one
// file, so that no command loads what it does not use; and the library entries, which share their parts. Declarations come from
// the compiler. Everything is built beside dist/ and swapped in at the end, so that a running build of before keeps its files
// until then.
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

// The validator of JSON Schema that the MCP packages load on Node writes code and runs it. Theirs for places without `eval` does
// the same job in a quarter of the size.
const validateWithoutCode = {
  name: "validate-without-code",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/ajvProvider-/ }, ({ path, resolveDir }) => ({
      path,
      namespace: "validator",
      pluginData: { resolveDir },
    }));
    onLoad({ filter: /./, namespace: "validator" }, ({ pluginData: { resolveDir } }) => {
      const name = readdirSync(resolveDir).find((file) => /^cfWorkerProvider-.*\.mjs$/.test(file));
      return { contents: `export { t as n } from "./${name}";`, resolveDir };
    });
  },
};

// The model providers' packages also read schemas of zod 3, of which there are none here.
const leaveOutOldSchemas = {
  name: "leave-out-old-schemas",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod\/v3$/ }, ({ path }) => ({ path, namespace: "old-schemas" }));
    onLoad({ filter: /./, namespace: "old-schemas" }, () => ({ contents: "export const ZodFirstPartyTypeKind = {};" }));
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

// Imported by that name, the schemas' package is one value, of which a bundler cannot leave out what is never used.
const SCHEMAS = /\bimport \{ z(?: as (\w+))? \} from "zod\/v4"/g;
const inPieces = (code) => code.replace(SCHEMAS, (_, name = "z") => `import * as ${name} from "zod/v4"`);

// The editor's package makes these when it is loaded, which takes as long as reading all of its code. Most text is ASCII and
// needs neither.
const SEGMENTER = /= new Intl\.Segmenter\(undefined, \{ granularity: "(\w+)" \}\);/g;
const withLazySegmenters = (code) =>
  code.replace(
    SEGMENTER,
    '= { made: undefined, segment(text) { return (this.made ??= new Intl.Segmenter(undefined, { granularity: "$1" })).segment(text); } };',
  );

// Node's own `Headers` load its other HTTP client, 20 ms and 7 MB of it, for headers that are names and values already.
const HEADERS = [
  ["headers instanceof Headers", 'typeof headers.forEach === "function" && !Array.isArray(headers)'],
  ["new Headers(normalizeHeaders(headers))", "new Map(Object.entries(normalizeHeaders(headers)))"],
];

function withPlainHeaders(code, path) {
  if (!/@ai-sdk[\\/]provider-utils[\\/]dist[\\/]index\.mjs$/.test(path)) return code;
  return HEADERS.reduce((plain, [theirs, ours]) => {
    if (!plain.includes(theirs)) throw new Error(`${path} has no "${theirs}" any more: mend scripts/build.mjs`);
    return plain.replace(theirs, ours);
  }, code);
}

// Half of what Node has to read is other people's code: each file is made small for itself.
const shortenOthers = {
  name: "shorten-others",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path }) => {
      const written = withPlainHeaders(readFileSync(path, "utf8"), path);
      const { code } = await transform(withLazySegmenters(inPieces(withoutRequire(written))), {
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
  // Node prints the line that throws: without a limit, an error that nothing catches comes with a page of our source.
  lineLimit: 200,
  legalComments: "none",
  logLevel: "warning",
};

const shared = {
  ...output,
  absWorkingDir: root,
  plugins: [leaveOutUnused, leaveOutLanguages, leaveOutOldSchemas, validateWithoutCode, requireBuiltIns, shortenOthers],
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

// A program that bundles a library leaves out the files of which it uses nothing. What needs no schemas is therefore in files of
// its own, and the entries with schemas, which a bundler cannot leave out in part, only point to files: esbuild puts into a file
// what the same entries need. `again/` is no part of the package.
const SCHEMALESS = [
  "src/contract/errors.ts",
  "src/contract/handler-types.ts",
  "src/contract/limits.ts",
  "src/contract/message-parts.ts",
  "src/contract/protocol-versions.ts",
  "src/server/handlers/handler.ts",
  "src/server/handlers/tui.ts",
  "src/server/project/daemon-error.ts",
  "src/server/project/project-slot.ts",
];
const entryFiles = { contract: "src/contract/exports.ts", daemon: "src/server/exports.ts" };
const again = Object.fromEntries(
  [...SCHEMALESS, ...Object.values(entryFiles)].map((path, index) => [`again/${index}`, path]),
);

// Apart from the command, so that a program which imports one of them loads nothing of it.
const libraries = await build({
  ...shared,
  entryPoints: {
    ...again,
    ...entryFiles,
    ui: "src/sdk/exports.ts",
    screen: "src/terminal/painter/exports.ts",
    // For the benchmarks and the end-to-end tests, which measure what is shipped.
    terminal: "src/terminal/device/exports.ts",
    tui: "src/views/exports.ts",
    markdown: "src/terminal/painter/markdown/exports.ts",
  },
  chunkNames: "parts/[name]-[hash]",
});
rmSync(join(fresh, "again"), { recursive: true });
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

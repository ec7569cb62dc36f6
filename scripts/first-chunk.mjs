// The first frame waits for everything it imports, and every file on the way costs Node as much as a page of code. What belongs to
// the first frame of `palaver` is therefore put together into one file; the chunks it was in become signs that point there,
// for whatever is loaded later.
//
//   cli.js ─ import() → chunks/command-line.js ─→ forty chunks         before
//   cli.js ─ import() → chunks/command-line.js ─→ chunks/first.js      after
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** What stands behind the imports that lead to the first frame. */
const ON_THE_WAY = ["src/cli/command-line.ts", "src/cli/commands/run-command.ts", "src/cli/terminal-ui.ts"];

/** `outputs` are the ones of esbuild's metafile, with `path` giving the place of each on disk. */
export async function gatherFirstChunk({ outputs, path, folder }) {
  const gathered = withImports(
    outputs,
    ON_THE_WAY.map((source) => chunkOf(outputs, source)),
  );
  const names = new Map(gathered.map((chunk, index) => [chunk, (name) => `c${index}_${name}`]));
  const pointers = gathered.map((chunk) => {
    const list = outputs[chunk].exports.map((name) => `${name} as ${names.get(chunk)(name)}`);
    return list.length > 0 ? `export { ${list.join(", ")} } from ${JSON.stringify(path(chunk))};` : "";
  });
  const file = join(folder, "chunks", "first.js");
  await build({
    stdin: { contents: pointers.join("\n"), resolveDir: folder, loader: "js" },
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    supported: { "regexp-set-notation": true },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [laterStaysLater],
  });
  for (const chunk of gathered) {
    const list = outputs[chunk].exports.map((name) => `${names.get(chunk)(name)} as ${name}`);
    writeFileSync(path(chunk), list.length > 0 ? `export{${list.join(",")}}from"./first.js";` : 'import"./first.js";');
  }
}

// All chunks are in one folder, where the new file is as well, so that a name is enough to find them again.
const laterStaysLater = {
  name: "later-stays-later",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: wanted, kind }) =>
      kind === "dynamic-import" ? { path: `./${basename(wanted)}`, external: true } : undefined,
    );
  },
};

function chunkOf(outputs, source) {
  const found = Object.keys(outputs).find((name) => outputs[name].entryPoint === source);
  if (found === undefined) throw new Error(`${source} is no longer imported by import(): mend scripts/first-chunk.mjs`);
  return found;
}

function withImports(outputs, chunks, seen = new Set()) {
  for (const chunk of chunks) {
    if (seen.has(chunk)) continue;
    seen.add(chunk);
    const needed = outputs[chunk].imports.filter(({ kind, external }) => kind === "import-statement" && !external);
    withImports(
      outputs,
      needed.map((each) => each.path),
      seen,
    );
  }
  return [...seen];
}

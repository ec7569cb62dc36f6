// Every file that has to be imported costs Node as much as a page of code, and a view needs dozens of them. What belongs to one
// moment of the program is therefore put together into one file; the chunks it was in become signs that point there, for
// whatever is loaded later.
//
//   cli.js ─ import() → chunks/command-line.js ─→ forty chunks         before
//   cli.js ─ import() → chunks/command-line.js ─→ chunks/first.js      after
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** Each moment, with what it needs, its imports included. What an earlier one has is taken from there. */
const MOMENTS = [
  {
    file: "first.js",
    sources: ["src/cli/command-line.ts", "src/cli/commands/run-command.ts", "src/cli/terminal-ui.ts"],
  },
  { file: "contract.js", sources: ["src/contract/session-events.ts", "src/contract/hosted-sessions.ts"] },
  { file: "attach.js", sources: ["src/cli/commands/attach-command.ts"] },
  { file: "session.js", sources: ["src/views/inline/loaded-later.ts"] },
  { file: "attach-view.js", sources: ["src/cli/attach/open-attach.ts"] },
];

/** `outputs` are the ones of esbuild's metafile, with `path` giving the place of each on disk. */
export async function gatherChunks({ outputs, path, folder, options }) {
  const gathered = new Set();
  for (const { file, sources } of MOMENTS) {
    const found = sources.map((source) => chunkOf(outputs, source));
    const chunks = withImports(outputs, found).filter((chunk) => !gathered.has(chunk));
    await gather({ chunks, outputs, path, file: join(folder, "chunks", file), options });
    for (const chunk of chunks) gathered.add(chunk);
  }
}

async function gather({ chunks, outputs, path, file, options }) {
  const names = new Map(chunks.map((chunk, index) => [chunk, (name) => `c${index}_${name}`]));
  const pointers = chunks.map((chunk) => {
    const list = outputs[chunk].exports.map((name) => `${name} as ${names.get(chunk)(name)}`);
    return list.length > 0 ? `export { ${list.join(", ")} } from ${JSON.stringify(path(chunk))};` : "";
  });
  await build({
    ...options,
    stdin: { contents: pointers.join("\n"), resolveDir: join(file, ".."), loader: "js" },
    outfile: file,
    plugins: [elsewhereStaysElsewhere],
  });
  const sign = JSON.stringify(`./${basename(file)}`);
  for (const chunk of chunks) {
    const list = outputs[chunk].exports.map((name) => `${names.get(chunk)(name)} as ${name}`);
    writeFileSync(path(chunk), list.length > 0 ? `export{${list.join(",")}}from${sign};` : `import${sign};`);
  }
}

// What is imported later is not part of it, nor is what has been gathered before. All chunks are in one folder, where the new
// files are as well, so that a name is enough to find them again.
const elsewhereStaysElsewhere = {
  name: "elsewhere-stays-elsewhere",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: wanted, kind }) => {
      const name = basename(wanted);
      const isElsewhere = kind === "dynamic-import" || MOMENTS.some(({ file }) => file === name);
      return isElsewhere ? { path: `./${name}`, external: true } : undefined;
    });
  },
};

function chunkOf(outputs, source) {
  const found = Object.keys(outputs).find((name) => source in outputs[name].inputs);
  if (found === undefined) throw new Error(`${source} is in none of the chunks: mend scripts/gathered-chunks.mjs`);
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

// Every file that has to be imported costs Node as much as a page of code, and a command needs dozens of them. What the same
// moments of the program need is therefore put together into one file; the chunks it was in only point there, for what is loaded
// later.
//
//   cli.js ─ import() → chunks/command-line.js ─→ forty chunks         before
//   cli.js ─ import() → chunks/command-line.js ─→ chunks/first.js      after
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** What every command needs, and what a terminal shows first: one file each, which has to be there whole before anything is seen. */
const ALWAYS = [
  {
    file: "first.js",
    sources: [
      "src/cli/command-line.ts",
      "src/cli/commands/run-command.ts",
      "src/cli/terminal-ui.ts",
      "src/agents/presets.ts",
      "src/cli/requested-model.ts",
    ],
  },
  { file: "contract.js", sources: ["src/contract/session-events.ts", "src/contract/hosted-sessions.ts"] },
];

/** Moments that need much. What the same ones of them need, their imports included, is one file: none loads what it does not use. */
const MOMENTS = {
  run: ["src/views/inline/loaded-later.ts"],
  // After its first frame, the terminal UI starts an agent.
  connect: [
    "src/host/agent-connection.ts",
    "src/host/hosted-link.ts",
    "src/agents/session-link.ts",
    "src/cli/keep-asks.ts",
    "src/cli/agent-servers.ts",
  ],
  // Before its first frame, it finds an agent by its name.
  named: ["src/cli/commands/agents-command.ts"],
  attach: ["src/cli/commands/attach-command.ts"],
  view: ["src/cli/attach/open-attach.ts"],
  // The dialog is always drawn, and nothing of the app.
  ask: [
    "src/cli/commands/ask-command.ts",
    "src/views/mini/find-ask-view.ts",
    "src/views/mini/dialog-view.ts",
    "src/views/mini/mini-terminal.ts",
  ],
  prompt: ["src/cli/commands/prompt-command.ts"],
  state: ["src/cli/commands/daemon-commands.ts"],
  agent: ["src/cli/commands/agent-command.ts"],
  serve: ["src/cli/commands/serve-command.ts"],
  asks: ["src/cli/commands/ask-list-commands.ts"],
  sessions: ["src/cli/commands/sessions-command.ts"],
};

/** `outputs` are the ones of esbuild's metafile, with `path` giving the place of each on disk. */
export async function gatherChunks({ outputs, path, folder, options }) {
  const gathered = new Set();
  const files = [];
  const gatherInto = async (file, chunks) => {
    await gather({ chunks, outputs, path, file: join(folder, "chunks", file), options, files });
    files.push(file);
    for (const chunk of chunks) gathered.add(chunk);
  };
  for (const { file, sources } of ALWAYS) {
    const found = sources.map((source) => chunkOf(outputs, source));
    await gatherInto(
      file,
      withImports(outputs, found).filter((chunk) => !gathered.has(chunk)),
    );
  }
  for (const [name, chunks] of byMoments(outputs, gathered)) await gatherInto(`${name}.js`, chunks);
  shortenFacades(
    Object.keys(outputs).filter((chunk) => !gathered.has(chunk) && isFacade(outputs[chunk])),
    path,
  );
}

// A module that is imported both ways has its code in one chunk, and for the later way a chunk without any: that one names, besides
// the one with the code, every chunk which is imported from there anyway.
function isFacade({ entryPoint, inputs }) {
  return entryPoint !== undefined && Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
}

function shortenFacades(chunks, path) {
  for (const chunk of chunks) {
    const code = readFileSync(path(chunk), "utf8");
    writeFileSync(path(chunk), code.replace(/\bimport"[^"]+";\n?/g, ""));
  }
}

/** A file costs as much to open as this many bytes cost to read, so that a smaller one goes into one that more moments need. */
const BYTES_MIN = 12_000;

/** The chunks that the same moments need, those of most moments first: a file imports only from files of more moments. */
function byMoments(outputs, gathered) {
  const roots = new Map(
    Object.entries(MOMENTS).map(([moment, sources]) => [moment, sources.map((source) => chunkOf(outputs, source))]),
  );
  for (;;) {
    const groups = groupsOf(outputs, gathered, roots);
    const merged = mergeable(outputs, groups);
    if (merged === null) return [...groups].map(([name, { chunks }]) => [name, chunks]);
    for (const moment of merged.into.moments) roots.get(moment).push(...merged.small.chunks);
  }
}

function groupsOf(outputs, gathered, roots) {
  const users = new Map();
  for (const [moment, found] of roots) {
    for (const chunk of withImports(outputs, found)) {
      if (!gathered.has(chunk)) users.set(chunk, [...(users.get(chunk) ?? []), moment]);
    }
  }
  const groups = new Map();
  for (const [chunk, moments] of users) {
    const name = moments.join("-");
    groups.set(name, { moments, chunks: [...(groups.get(name)?.chunks ?? []), chunk] });
  }
  return new Map([...groups].sort(([, one], [, other]) => other.moments.length - one.moments.length));
}

/** A small group, and the one of the fewest moments that has all of its moments and more; null when there is none. */
function mergeable(outputs, groups) {
  const all = [...groups.values()];
  const bytes = ({ chunks }) => chunks.reduce((sum, chunk) => sum + outputs[chunk].bytes, 0);
  for (const small of all.filter((group) => bytes(group) < BYTES_MIN)) {
    const wider = ({ moments }) =>
      moments.length > small.moments.length && small.moments.every((moment) => moments.includes(moment));
    const into = all.findLast(wider);
    if (into !== undefined) return { small, into };
  }
  return null;
}

async function gather({ chunks, outputs, path, file, options, files }) {
  const names = new Map(chunks.map((chunk, index) => [chunk, (name) => `c${index}_${name}`]));
  const pointers = chunks.map((chunk) => {
    const list = outputs[chunk].exports.map((name) => `${name} as ${names.get(chunk)(name)}`);
    return list.length > 0 ? `export { ${list.join(", ")} } from ${JSON.stringify(path(chunk))};` : "";
  });
  await build({
    ...options,
    stdin: { contents: pointers.join("\n"), resolveDir: join(file, ".."), loader: "js" },
    outfile: file,
    plugins: [elsewhereStaysElsewhere(files)],
  });
  const target = JSON.stringify(`./${basename(file)}`);
  for (const chunk of chunks) {
    const list = outputs[chunk].exports.map((name) => `${names.get(chunk)(name)} as ${name}`);
    writeFileSync(path(chunk), list.length > 0 ? `export{${list.join(",")}}from${target};` : `import${target};`);
  }
}

// What is imported later is not part of it, nor is what has been gathered before. All chunks are in one folder, where the new
// files are as well, so that a name is enough to find them again.
const elsewhereStaysElsewhere = (files) => ({
  name: "elsewhere-stays-elsewhere",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path: wanted, kind }) => {
      const name = basename(wanted);
      const isElsewhere = kind === "dynamic-import" || files.includes(name);
      return isElsewhere ? { path: `./${name}`, external: true } : undefined;
    });
  },
});

function chunkOf(outputs, source) {
  const names = Object.keys(outputs);
  const found =
    names.find((name) => outputs[name].entryPoint === source) ?? names.find((name) => source in outputs[name].inputs);
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

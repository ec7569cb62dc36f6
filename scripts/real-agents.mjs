// `npm run real-agents [-- gemini,claude --cases "allow,deny" --keep DIR]`: leads real agents through a day's work in the
// terminal UI, offline against a stand-in model, and prints what each can do. The agents come from the npm registry, once,
// into PALAVER_AGENTS_DIR (else ~/.cache/palaver-real-agents); nothing else needs the network.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root, setup } from "./setup.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: "string" }, keep: { type: "string" }, palaver: { type: "string" } },
});

try {
  await setup({ build: values.palaver === undefined });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const listed = (text) => (text ?? "").split(",").filter(Boolean);

// Only now is there surely an esbuild to import.
const { build } = await import("esbuild");
const outfile = join(root, ".cache", "real-agents", "real-agents.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["src/testing/real-agents/real-agents.ts"],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["@lydell/node-pty"],
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  logLevel: "warning",
});

const { tryRealAgents } = await import(outfile);
process.exitCode = await tryRealAgents({
  palaver: resolve(values.palaver ?? join(root, "dist", "cli.js")),
  installs: process.env.PALAVER_AGENTS_DIR ?? join(homedir(), ".cache", "palaver-real-agents"),
  agents: listed(positionals[0]),
  cases: listed(values.cases),
  keep: values.keep ?? join(root, ".cache", "real-agents", "failures"),
  print: (line) => console.log(line),
});

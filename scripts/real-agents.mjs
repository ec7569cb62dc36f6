// `npm run real-agents [-- gemini,claude --cases "allow,deny" --keep DIR]`: leads real agents through a day's work in the
// terminal UI, offline against a stand-in model, and prints what each can do. The agents come from the npm registry, once,
// into PALAVER_AGENTS_DIR (else ~/.cache/palaver-real-agents); nothing else needs the network. `npm run day` is one long case with
// three of them, and counts what Palaver itself leaves in the scrollback; --keep DIR says where the screens are kept.
import "./script-help.mjs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./setup.mjs";
import { tool } from "./tool.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: "string" }, keep: { type: "string" }, palaver: { type: "string" } },
});

const listed = (text) => (text ?? "").split(",").filter(Boolean);

const { tryRealAgents } = await tool("tools/real-agents/real-agents.ts", { build: values.palaver === undefined });
process.exitCode = await tryRealAgents({
  palaver: resolve(values.palaver ?? join(root, "dist", "cli.js")),
  installs: process.env.PALAVER_AGENTS_DIR ?? join(homedir(), ".cache", "palaver-real-agents"),
  agents: listed(positionals[0]),
  cases: listed(values.cases),
  keep: values.keep ?? join(root, ".cache", "real-agents", "failures"),
  print: (line) => console.log(line),
});

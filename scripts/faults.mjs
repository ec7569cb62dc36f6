// `npm run faults [-- WORD… --lanes N]`: signals, full disks, closed pipes, vanished terminals and the rest of what goes wrong,
// for every command in every phase, in real ptys; words choose the tries whose names have them all.
import "./script-help.mjs";
import { join } from "node:path";
import { root } from "./setup.mjs";
import { tool } from "./tool.mjs";

const { tryFaults } = await tool("tools/faults/faults.ts", { build: true });
process.exitCode = await tryFaults({
  arguments: process.argv.slice(2),
  palaver: join(root, "dist", "cli.js"),
  agent: join(root, "tools", "faults", "faulty-agent.mjs"),
  print: (line) => console.log(line),
});

// A program that may open only as many more files as it is told, and starts an agent; then with enough, another. For the test of how
// that ends.
import { closeSync, openSync } from "node:fs";
import { startAgentProcess } from "../../../src/agents/agent-process.js";

const left = Number(process.argv[2]);
const taken: number[] = [];
try {
  for (;;) taken.push(openSync("/dev/null", "r"));
} catch {
  // All that may be open is open.
}
for (const file of taken.splice(0, left)) closeSync(file);

function start() {
  const agent = startAgentProcess({ command: "true", args: [] }, { onStdout: () => undefined });
  return { agent, written: agent.write("hello\n") };
}

const { agent, written } = start();
const { error, code } = await agent.exited;
for (const file of taken) closeSync(file);
const after = await start().agent.exited;
console.log(JSON.stringify({ error, code, isLost: written === "lost", codeAfter: after.code }));

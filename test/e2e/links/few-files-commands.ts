// A program that may open no more files, and runs commands of an agent and of the user; for the test of how that ends.
import { openSync } from "node:fs";
import { createAcpEffectHandler } from "../../../src/agents/acp/acp-link.js";
import { runGroup } from "../../../src/builtin/tools/process-group.js";
import { startingState } from "../../../src/session/engine/engine-state.js";
import { ShellCommands } from "../../../src/views/inline/shell-run.js";

const folder = process.cwd();
const events: { readonly event?: { readonly output?: string } }[] = [];
const source = {
  state: startingState(),
  dispatch: (intent: object) => events.push(intent),
  subscribe: () => undefined,
};
const shell = new ShellCommands({ shell: "/bin/sh", folder, source: source as never });
const effects = createAcpEffectHandler(() => undefined);

try {
  for (;;) openSync("/dev/null", "r");
} catch {
  // All that may be open is open.
}
const run = { type: "terminal.run", id: "t1", command: "true", args: [], env: {}, cwd: folder } as const;
const terminal = await effects.perform(run, () => undefined);
const group = await runGroup({
  ...{ command: "true", folder, timeoutMs: 10_000, signal: new AbortController().signal },
  onOutput: () => undefined,
});
shell.run("true");
await new Promise((resolve) => setImmediate(resolve));
console.log(JSON.stringify({ terminal, problem: group.problem, shell: events.at(-1)?.event?.output }));

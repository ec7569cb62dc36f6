// Streams one prompt through the built-in agent, which runs as a process of its own like any other agent.
import { streamPrompt } from "../prompt/stream-prompt.js";
import { type ExitCode, exitCodes } from "./exit-codes.js";

export async function streamFromBuiltInAgent(text: string): Promise<ExitCode> {
  const [, script = ""] = process.argv;
  const outcome = await streamPrompt({
    command: { command: process.execPath, args: [script, "agent"] },
    text,
    out: (chunk) => process.stdout.write(chunk),
    aside: (line) => process.stderr.write(`${line}\n`),
  });
  return outcome === "done" ? exitCodes.done : exitCodes.agentFailed;
}

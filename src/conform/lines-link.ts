// The link between the judge and an agent: commands or raw bytes in, decoded frames out, without a dialect that repairs the
// agent's mistakes.
import { type AgentCommand, type AgentExit, startAgentProcess } from "../agents/agent-process.js";
import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { createOutputDecoder, encodeCommand } from "../agents/dialects/lines/lines-codec.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";

export type LinesLink = {
  send(command: LinesCommand): void;
  sendRaw(text: string): void;
  closeInput(): void;
  readonly exited: Promise<AgentExit>;
  stop(): Promise<AgentExit>;
};

export function openLinesLink(command: AgentCommand, onDecoded: (decoded: Decoded<LinesOutput>) => void): LinesLink {
  const decoder = createOutputDecoder();
  const agent = startAgentProcess(command, {
    onStdout: (chunk) => decoder.push(chunk).forEach(onDecoded),
    onStdoutEnd: () => decoder.end().forEach(onDecoded),
    onStderr: () => {},
  });
  return {
    send: (frame) => void agent.write(encodeCommand(frame)),
    sendRaw: (text) => void agent.write(text),
    closeInput: agent.closeInput,
    exited: agent.exited,
    stop: () => agent.stop(encodeCommand({ type: "quit" })),
  };
}

// An agent on the lines wire as its judge sees it: commands or raw bytes in, decoded frames out, and no dialect that mends
// what the agent gets wrong.

import {
  type AgentCommand,
  type AgentExit,
  type StartAgent,
  type StopLadder,
  startAgentProcess,
} from "../agents/agent-process.js";
import type { Decoded } from "../agents/dialects/frames/frame-decoder.js";
import { createOutputDecoder, encodeCommand } from "../agents/dialects/lines/lines-codec.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { LinesOutput } from "../contract/lines-outputs.js";

export type LinesLink = {
  send(command: LinesCommand): boolean;
  /** Bytes as they are, for those who test what an agent makes of them. */
  sendRaw(text: string): boolean;
  setFlow(flow: "flowing" | "paused"): void;
  closeInput(): void;
  readonly exited: Promise<AgentExit>;
  stop(): Promise<AgentExit>;
};

export type LinesLinkHandlers = {
  onDecoded(decoded: Decoded<LinesOutput>): void;
  onStderr?(chunk: string): void;
  /** PendingEffects over a process that runs already. */
  readonly start?: StartAgent;
};

export function openLinesLink(command: AgentCommand, handlers: LinesLinkHandlers, ladder?: StopLadder): LinesLink {
  const decoder = createOutputDecoder();
  const pass = (items: Decoded<LinesOutput>[]) => {
    for (const item of items) handlers.onDecoded(item);
  };
  const { onStderr = () => {}, start = startAgentProcess } = handlers;
  const agent = start(
    command,
    { onStdout: (chunk) => pass(decoder.push(chunk)), onStdoutEnd: () => pass(decoder.end()), onStderr },
    ladder,
  );
  return {
    send: (frame) => agent.write(encodeCommand(frame)) !== "lost",
    sendRaw: (text) => agent.write(text) !== "lost",
    setFlow: agent.setFlow,
    closeInput: agent.closeInput,
    exited: agent.exited,
    stop: () => agent.stop(encodeCommand({ type: "quit" })),
  };
}

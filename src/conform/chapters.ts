// The walk through the protocol, chapter by chapter: greeting, small talk, a prompt, an abort, bad input, leaving.
// Each chapter brings the agent into a situation and says which rules it kept there.

import { causeIn } from "../agents/exit-cause.js";
import type { LinesOutput } from "../contract/lines-outputs.js";
import { type BadLine, badLines } from "./bad-lines.js";
import type { Conversation, Next } from "./conversation.js";
import { runTurn, type TurnRecord } from "./turn.js";
import type { Verdicts } from "./verdicts.js";

export type Prompts = { plain: string; asking: string };

export async function greeting(
  agent: Conversation,
  verdicts: Verdicts,
  startMs: number,
): Promise<"ready" | "not ready"> {
  const first = await agent.next(startMs);
  if (typeof first === "string") {
    verdicts.fail("starts", first === "gone" ? await lastWords(agent) : `nothing on stdout within ${startMs / 1000} s`);
    return "not ready";
  }
  verdicts.check("starts", first.type === "ready", `the first frame is ${first.type}, not ready`);
  return "ready";
}

export async function smallTalk(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.send({
    type: "initialize",
    protocol_version: "1",
    client: { name: "palaver conform" },
    ui_capabilities: { supports_select: true, supports_confirm: true, supports_input: true, supports_editor: true },
  });
  const answer = await agent.until(["initialized", "error"]);
  verdicts.check("initialize", typeOf(answer) === "initialized", `initialize was answered by ${said(answer, agent)}`);
  verdicts.check("ping", await pings(agent), `no pong within ${limit(agent)}`);
}

export async function prompting(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  const turn = await runTurn(agent, prompts.plain);
  verdicts.check("prompt-frames-turn", turn.end === "agent_end", `a prompt ended in ${ending(turn, agent)}`);
  if (turn.updates === 0) verdicts.note("message-whole", "the agent streamed no message_update for the prompt");
}

/** Aborts at the first sign of a message. A turn that is over before the abort arrives has stopped too. */
export async function aborting(agent: Conversation, verdicts: Verdicts, prompts: Prompts): Promise<void> {
  let aborted = false;
  const turn = await runTurn(agent, prompts.plain, {
    onUpdate: () => {
      if (!aborted) agent.send({ type: "abort" });
      aborted = true;
    },
  });
  verdicts.check("abort", turn.end === "agent_end", `after abort: ${ending(turn, agent)}`);
  verdicts.check("abort", await pings(agent), `after abort: no pong within ${limit(agent)}`);
  const again = await runTurn(agent, prompts.plain);
  verdicts.check("abort", again.end === "agent_end", `the prompt after an abort ended in ${ending(again, agent)}`);
}

export async function badInput(agent: Conversation, verdicts: Verdicts): Promise<void> {
  for (const bad of badLines) await oneBadLine(agent, verdicts, bad);
}

// The pong that follows closes the account: what the agent said about the bad line it said before.
async function oneBadLine(agent: Conversation, verdicts: Verdicts, { rule, line }: BadLine): Promise<void> {
  let errors = 0;
  agent.sendRaw(`${line}\n`);
  agent.send({ type: "ping" });
  const next = await agent.until(["pong"], (frame) => {
    if (frame.type === "error") errors += 1;
  });
  if (typeof next === "string") verdicts.fail(rule, `after the line: ${said(next, agent)} instead of a pong`);
  else verdicts.check(rule, errors === 1, `${errors} error frames where one was due`);
}

export async function quitting(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.send({ type: "quit" });
  const exit = await agent.ended();
  if (exit === null) verdicts.fail("quit", `still running ${limit(agent)} after quit`);
  else verdicts.check("quit", exit.code === 0, `exit code ${exit.code} after quit`);
}

export async function endOfInput(agent: Conversation, verdicts: Verdicts): Promise<void> {
  agent.closeInput();
  const exit = await agent.ended();
  verdicts.check("end-of-input", exit !== null, `still running ${limit(agent)} after the end of its input`);
}

export async function pings(agent: Conversation): Promise<boolean> {
  agent.send({ type: "ping" });
  return typeOf(await agent.until(["pong"])) === "pong";
}

export function ending(turn: TurnRecord, agent: Conversation): string {
  const errors = turn.errors.length === 0 ? "" : ` (it said: ${turn.errors.join("; ")})`;
  if (turn.end === "silence") return `silence: no agent_end within ${limit(agent)}${errors}`;
  return turn.end === "gone" ? `the agent exited in the middle of the turn${errors}` : `agent_end${errors}`;
}

function said(next: Next, agent: Conversation): string {
  if (next === "silence") return `silence for ${limit(agent)}`;
  if (next === "gone") return "the end of the agent";
  return next.type === "error" ? `the error "${next.message}"` : next.type;
}

function typeOf(next: Next): LinesOutput["type"] | null {
  return typeof next === "string" ? null : next.type;
}

async function lastWords(agent: Conversation): Promise<string> {
  const exit = await agent.ended();
  if (exit?.error) return `could not be started: ${exit.error}`;
  const reason = causeIn(exit?.stderrTail ?? "");
  return `exited with code ${exit?.code} before ready${reason === "" ? "" : `; its stderr says: ${reason}`}`;
}

function limit(agent: Conversation): string {
  return `${agent.patienceMs / 1000} s`;
}

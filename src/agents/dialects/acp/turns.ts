// Turns: a prompt is sent and comes back when the agent is done, has failed, or was stopped. A stop has a deadline, after which
// the turn ends without the agent; long silence is shown.

import { objectOf } from "../../../contract/json-value.js";
import type { LinesCommand } from "../../../contract/lines-commands.js";
import type { Usage } from "../../../contract/messages.js";
import { errorWords } from "../error-words.js";
import { filled } from "../frames/lenient-field.js";
import type { RpcId, RpcReply } from "../json-rpc-peer.js";
import type { MentionedFile } from "./acp-effect.js";
import { acpErrorCodes, acpPromptResultSchema } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import type { Session } from "./session.js";
import { signIn } from "./sign-in.js";
import type { Terminals } from "./terminals.js";

type Turn = {
  readonly session: Session;
  /** Null until the prompt is sent. */
  requestId: RpcId | null;
  stopTimer: string | null;
  silence: "none" | "told";
};

const reasonWords: ReadonlyMap<string, string> = new Map([
  ["max_tokens", "the answer was cut off at the model's output limit"],
  ["max_turn_requests", "the agent stopped at its limit of requests per turn"],
  ["refusal", "the agent refused to continue; everything since the prompt is left out of the session"],
]);

const quietReasons: ReadonlySet<string> = new Set(["end_turn", "cancelled"]);

export class Turns {
  private readonly context: AcpContext;
  private readonly terminals: Terminals;
  private readonly turns = new Map<string, Turn>();
  private lastHeardMs = 0;

  constructor(context: AcpContext, terminals: Terminals) {
    this.context = context;
    this.terminals = terminals;
  }

  start(session: Session, prompt: Prompt): void {
    const { out, effects, facts } = this.context;
    const turn: Turn = { session, requestId: null, stopTimer: null, silence: "none" };
    this.turns.set(session.id, turn);
    session.turn = "running";
    session.grants.endTurn();
    session.messages.expectEcho(prompt.text);
    out.event({ type: "prompt.started", sessionId: session.id });
    this.lastHeardMs = this.context.nowMs();
    this.listenForSilence(turn, this.context.limits.silenceMs);
    const names = mentionsIn(prompt.text);
    if (names.length === 0) {
      this.send(turn, prompt, []);
      return;
    }
    const pictures = facts.takesImages ? "read" : "leave";
    effects.perform({ type: "mentions.find", names, workspace: session.cwd, pictures }, (result) => {
      this.send(turn, prompt, result.ok ? (result.value as MentionedFile[]) : []);
    });
  }

  stop(session: Session): void {
    const turn = this.turns.get(session.id);
    if (turn === undefined || session.turn !== "running") return;
    const { peer, asks, effects, limits } = this.context;
    session.turn = "stopping";
    if (turn.requestId !== null) peer.notify("session/cancel", { sessionId: session.id });
    asks.giveUp("turn_ended", { sessionId: session.id });
    turn.stopTimer = effects.after(limits.stopMs, () => this.giveUp(turn));
  }

  get silentMs(): number {
    return this.context.nowMs() - this.lastHeardMs;
  }

  /** A frame came. */
  heard(): void {
    this.lastHeardMs = this.context.nowMs();
    for (const turn of this.turns.values()) {
      if (turn.silence === "none") continue;
      turn.silence = "none";
      this.context.out.event({ type: "working.changed", sessionId: turn.session.id, message: null });
    }
  }

  /** The agent or the session is gone. */
  drop(session: Session, how: "closed" | "cut off"): void {
    const turn = this.turns.get(session.id);
    if (turn === undefined) return;
    if (turn.requestId !== null) this.context.peer.forget(turn.requestId);
    this.finish(turn, null, how);
  }

  private send(turn: Turn, prompt: Prompt, files: readonly MentionedFile[]): void {
    const { session } = turn;
    if (this.turns.get(session.id) !== turn) return;
    if (session.turn === "stopping") {
      this.finish(turn, null);
      return;
    }
    const params = { sessionId: session.id, prompt: promptBlocks(prompt, files) };
    turn.requestId = this.context.peer.request("session/prompt", params, (answer) => this.answered(turn, answer));
  }

  private answered(turn: Turn, answer: RpcReply): void {
    const { out, facts } = this.context;
    const { id, messages } = turn.session;
    // The message ends before notices about the turn.
    messages.finish();
    if (answer.ok) {
      const { data } = acpPromptResultSchema.safeParse(answer.result);
      const reason = data?.stopReason ?? null;
      if (reason === null) {
        const message = "it answered the prompt without a stop reason, so the turn may not be done";
        out.event({ type: "agent.failed", sessionId: id, message });
        this.finish(turn, null);
        return;
      }
      const words = reasonWords.get(reason);
      if (words !== undefined) out.notice(id, "warn", words);
      else if (!quietReasons.has(reason)) out.unknown("stop reason", reason, objectOf(answer.result), id);
      this.finish(turn, usageIn(data?.usage ?? objectOf(data?.["_meta"])["usage"]));
      return;
    }
    const isStopped = turn.session.turn === "stopping" || answer.code === acpErrorCodes.cancelled;
    if (!isStopped) out.event({ type: "agent.failed", sessionId: id, message: errorWords(answer) });
    this.finish(turn, null);
    if (answer.code !== acpErrorCodes.authRequired || facts.authMethods.length === 0) return;
    signIn(this.context, errorWords(answer), (problem) => {
      if (problem === null) out.notice(id, "success", "signed in; send the prompt again");
      else out.notice(id, "warn", problem);
    });
  }

  private giveUp(turn: Turn): void {
    const { peer, out, facts, limits } = this.context;
    const { session, requestId } = turn;
    if (this.turns.get(session.id) !== turn) return;
    if (requestId !== null) {
      peer.takeBack(requestId);
      peer.forget(requestId);
    }
    const seconds = Math.round(limits.stopMs / 1000);
    out.notice(session.id, "warn", `${facts.name} did not stop within ${seconds} s; it may still be working`);
    this.finish(turn, null);
  }

  private finish(turn: Turn, usage: Usage | null, how: "closed" | "cut off" = "closed"): void {
    const { out, asks, effects } = this.context;
    const { session } = turn;
    this.turns.delete(session.id);
    effects.forget(turn.stopTimer);
    session.messages.finish();
    session.tools.forget();
    asks.giveUp("turn_ended", { sessionId: session.id });
    session.turn = "none";
    session.turns += 1;
    session.grants.endTurn();
    this.terminals.endTurn(session);
    const ending = filled({ usage, isCutOff: how === "closed" ? null : (true as const) });
    out.event({ type: "prompt.finished", sessionId: session.id, ...ending });
  }

  private listenForSilence(turn: Turn, delayMs: number): void {
    const { effects, limits } = this.context;
    effects.after(delayMs, () => {
      if (this.turns.get(turn.session.id) !== turn) return;
      const silentMs = this.context.nowMs() - this.lastHeardMs;
      if (silentMs >= limits.silenceMs) this.tellSilence(turn, silentMs);
      this.listenForSilence(turn, Math.max(limits.silenceMs - silentMs, limits.silenceMs / 3));
    });
  }

  // An agent that waits for an answer is expected to be silent.
  private tellSilence(turn: Turn, silentMs: number): void {
    const { out, asks, facts } = this.context;
    const sessionId = turn.session.id;
    if (asks.isOpenIn(sessionId)) return;
    turn.silence = "told";
    const message = `no output from ${facts.name} for ${Math.round(silentMs / 1000)} s`;
    out.event({ type: "working.changed", sessionId, message });
  }
}

export function usageIn(counted: unknown): Usage | null {
  const numbers = objectOf(counted);
  const names = [
    ["inputTokens", "input"],
    ["outputTokens", "output"],
    ["cachedReadTokens", "cache_read"],
    ["cachedWriteTokens", "cache_write"],
    ["totalTokens", "total_tokens"],
  ] as const;
  const usage: Usage = {};
  for (const [theirs, ours] of names) {
    const count = numbers[theirs];
    if (typeof count === "number") usage[ours] = count;
  }
  return Object.keys(usage).length === 0 ? null : usage;
}

type Prompt = Extract<LinesCommand, { type: "prompt" }>;

/** Further mentions stay text. */
const MENTIONS_MAX = 64;

/** Names after an @ at the beginning of a word: `@src/a.ts`, or `@"a name with spaces"`. */
function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(/(?<![\w@/.])@(?:"([^"\n]+)"|([^\s"'`,;()[\]{}<>]+))/g)].map(
    ([, quoted, plain = ""]) => quoted ?? plain.replace(/[.:!?]+$/, ""),
  );
  return [...new Set(names.filter(Boolean))].slice(0, MENTIONS_MAX);
}

function promptBlocks(prompt: Prompt, files: readonly MentionedFile[]): Record<string, unknown>[] {
  return [{ type: "text", text: prompt.text }, ...files.map(blockOf), ...attachedPictures(prompt)];
}

function blockOf({ name, uri, sizeBytes, picture }: MentionedFile): Record<string, unknown> {
  if (picture !== undefined) return { type: "image", data: picture.data, mimeType: picture.mimeType, uri };
  return { type: "resource_link", uri, name: name.split(/[/\\]/).at(-1) ?? name, size: sizeBytes };
}

// Pictures have the form of the lines wire.
function attachedPictures(prompt: Prompt): Record<string, unknown>[] {
  const { images } = prompt;
  if (!Array.isArray(images)) return [];
  return images.map(objectOf).flatMap(({ data, mime_type }) => {
    if (typeof data !== "string") return [];
    return [{ type: "image", data, mimeType: typeof mime_type === "string" ? mime_type : "image/png" }];
  });
}

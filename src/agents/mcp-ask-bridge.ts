// Asks of MCP servers, beside the agent's own wire. The front end sees one link; an answer goes to the server that asked.
//
//   agent ─wire────────▶ link ─┐
//   MCP server ─bridge─────────┴─▶ events ─▶ front end ─▶ ui_response ─▶ agent or bridge
import { type Ask, type AskOutcome, type WithdrawReason, withdrawReasonSchema } from "../contract/asks.js";
import { OPEN_ASKS_MAX } from "../contract/limits.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { NotifyLevel } from "../contract/notices.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { DialectLinkHandlers, SessionLink } from "./dialect-link.js";
import { enteredAsk } from "./entered-ask.js";
import { withMiddleware } from "./link-relay.js";

type UiResponse = Extract<LinesCommand, { type: "ui_response" }>;

/** Reported as the one who answered. */
const PERSON = "person";

/** Settled asks that may still get an answer; the oldest is dropped. */
const ENDED_MAX = 256;

export class McpAskBridge {
  private readonly waiting = new Map<string, { readonly ask: Ask; readonly settle: (outcome: AskOutcome) => void }>();
  private readonly ended = new Set<string>();
  private front: ((event: SessionEvent) => void) | null = null;

  /** Opens a link with the asks of the servers beside it. */
  open<Handlers extends DialectLinkHandlers>(
    handlers: Handlers,
    start: (handlers: Handlers) => Promise<SessionLink>,
  ): Promise<SessionLink> {
    const open = withMiddleware(start, (toFront) => {
      this.front = toFront;
      return {
        event: toFront,
        command: (command, toAgent) =>
          command.type === "ui_response" && this.answer(command) ? "delivered" : toAgent(command),
        exited: () => this.leave(toFront),
      };
    });
    return open(handlers);
  }

  /** Rejects when no front end is connected or too many asks are open. */
  ask(ask: Ask): Promise<AskOutcome> {
    if (this.front === null) return Promise.reject(new Error("No one is here to answer."));
    if (this.waiting.size >= OPEN_ASKS_MAX || this.waiting.has(ask.id)) {
      return Promise.reject(new Error("Too many questions wait for the user already; ask again later."));
    }
    const { front } = this;
    const shown = enteredAsk(ask, { folder: process.cwd(), performedBy: "agent" });
    return new Promise((settle) => {
      this.waiting.set(ask.id, { ask, settle });
      front({ type: "ask.raised", sessionId: ask.sessionId, ask: shown });
    });
  }

  withdraw(askId: string, reason: WithdrawReason): void {
    const known = this.waiting.get(askId);
    if (known === undefined) return;
    this.end(askId);
    this.front?.({ type: "ask.withdrawn", sessionId: known.ask.sessionId, askId, reason });
    known.settle({ kind: "withdrawn", reason });
  }

  /** It was settled where it is open: a response cannot say every outcome, and of a withdrawn ask there is none. */
  settled(askId: string, outcome: AskOutcome): void {
    const known = this.waiting.get(askId);
    if (known === undefined) return;
    this.end(askId);
    known.settle(outcome);
  }

  notify(level: NotifyLevel, message: string): void {
    this.front?.({ type: "notice.shown", sessionId: null, level, message });
  }

  private answer(response: UiResponse): boolean {
    const known = this.waiting.get(response.id);
    if (known === undefined) return this.ended.has(response.id);
    this.end(response.id);
    known.settle(outcomeOf(response));
    return true;
  }

  private end(askId: string): void {
    this.waiting.delete(askId);
    this.ended.add(askId);
    const [oldest = ""] = this.ended;
    if (this.ended.size > ENDED_MAX) this.ended.delete(oldest);
  }

  // The agent has exited. A link that was opened meanwhile keeps its asks.
  private leave(front: (event: SessionEvent) => void): void {
    if (this.front !== front) return;
    for (const askId of [...this.waiting.keys()]) this.withdraw(askId, "disconnected");
    this.front = null;
  }
}

// Null is a cancel; an error says why there is no answer.
function outcomeOf({ result, error }: UiResponse): AskOutcome {
  if (error === "timeout") return { kind: "expired" };
  if (error !== undefined && error !== null) {
    return { kind: "withdrawn", reason: withdrawReasonSchema.safeParse(error).data ?? "agent_cancelled" };
  }
  if (result === null || result === undefined) return { kind: "cancelled", by: PERSON };
  return { kind: "answered", value: result, by: PERSON };
}

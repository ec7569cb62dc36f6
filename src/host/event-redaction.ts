// Takes secrets out of what a hosted session remembers, sends and writes, before any of the three. What an agent says in pieces
// is joined just enough that no secret hides on a seam. What a person would send back as it is, such as a text to be edited,
// travels untouched: an answer with holes in it would be worse than a front end that sees what it may change anyway.

import type { Redaction } from "../agents/recordings/recording.js";
import { withoutOpenEnds } from "../agents/recordings/unfinished-event.js";
import type { Ask } from "../contract/asks.js";
import type { SessionEvent } from "../contract/session-events.js";

type Growth = Extract<SessionEvent, { type: "message.grew" }>;

export class EventRedaction {
  private readonly redaction: Redaction;
  private growing: { last: Growth; stream: ReturnType<Redaction["stream"]> } | null = null;

  constructor(redaction: Redaction) {
    this.redaction = redaction;
  }

  /** The event without secrets, and before it what was held back of the words before it. */
  take(event: SessionEvent): SessionEvent[] {
    if (event.type === "message.grew") return this.grow(event);
    const before = this.endGrowth();
    const closed = withoutOpenEnds(event, this.redaction.unfinished);
    return [...before, { ...(this.redaction.value(closed) as SessionEvent), ...namesIn(event) } as SessionEvent];
  }

  /** What was held back; nothing comes after. */
  end(): SessionEvent[] {
    return this.endGrowth();
  }

  /** The question as front ends see it. */
  shownAsk(ask: Ask): Ask {
    const redacted = this.redaction.value(ask) as Ask;
    return { ...redacted, ...identityOf(ask), question: withReturned(redacted.question, ask.question) };
  }

  private grow(event: Growth): SessionEvent[] {
    const last = this.growing?.last;
    const isSame = last?.sessionId === event.sessionId && last.index === event.index && last.kind === event.kind;
    const before = isSame ? [] : this.endGrowth();
    this.growing ??= { last: event, stream: this.redaction.stream() };
    this.growing.last = event;
    const delta = this.growing.stream.push(event.delta);
    return delta === "" ? before : [...before, { ...event, delta }];
  }

  private endGrowth(): SessionEvent[] {
    if (this.growing === null) return [];
    const { last, stream } = this.growing;
    this.growing = null;
    const delta = stream.end();
    return delta === "" ? [] : [{ ...last, delta }];
  }
}

// By these things are found again; they are no text of anybody's.
function namesIn(event: SessionEvent): Record<string, unknown> {
  const { sessionId } = event;
  return "toolCallId" in event && event.toolCallId !== undefined
    ? { sessionId, toolCallId: event.toolCallId }
    : { sessionId };
}

function identityOf({
  id,
  sessionId,
  turnId,
  deadlineMs,
}: Ask): Pick<Ask, "id" | "sessionId" | "turnId" | "deadlineMs"> {
  return { id, sessionId, turnId, deadlineMs };
}

type Question = Ask["question"];

function withReturned(shown: Question, asked: Question): Question {
  const params = { ...shown.params } as Record<string, unknown>;
  const original = asked.params as Record<string, unknown>;
  if (original["prefill"] !== undefined) params["prefill"] = original["prefill"];
  for (const [list, field] of [
    ["options", "value"],
    ["choices", "id"],
    ["fields", "name"],
    ["fields", "default"],
  ] as const) {
    if (Array.isArray(params[list])) params[list] = restored(params[list], original[list], field);
  }
  const opts = original["opts"] as Record<string, unknown> | undefined;
  if (opts?.["default"] !== undefined) params["opts"] = { ...(params["opts"] as object), default: opts["default"] };
  return { ...shown, params } as Question;
}

function restored(shown: readonly object[], asked: unknown, field: string): unknown[] {
  const originals = Array.isArray(asked) ? (asked as Record<string, unknown>[]) : [];
  return shown.map((entry, index) => {
    const value = originals[index]?.[field];
    return value === undefined ? entry : { ...entry, [field]: value };
  });
}

// The link of a hosted agent. Secrets are removed from events here, before anything else sees them, and an agent that repeats what
// the transcript already has is ignored. Asks get ids that no other ask of the daemon has; answers go back under the agent's.
import { randomBytes } from "node:crypto";
import type { DialectLinkHandlers, SessionLink } from "../agents/dialect-link.js";
import { withMiddleware } from "../agents/link-relay.js";
import type { Redaction } from "../agents/recordings/recording.js";
import { SecretAsks } from "../agents/recordings/secret-asks.js";
import { withoutOpenEnds } from "../agents/recordings/unfinished-event.js";
import type { Ask } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { TypedText } from "./typed-text.js";

export interface HostedLinkPorts {
  readonly redaction: Redaction;
  readonly typed: TypedText;
  /** "resumed": the agent continues a session whose transcript is here, and may repeat it. */
  readonly session: "new" | "resumed";
}

export function hostedLink<Handlers extends DialectLinkHandlers>(
  open: (handlers: Handlers) => SessionLink | Promise<SessionLink>,
  { redaction, typed, session }: HostedLinkPorts,
): (handlers: Handlers) => Promise<SessionLink> {
  return withMiddleware(open, (toFront) => {
    const events = new EventRedaction(redaction);
    const secretAsks = new SecretAsks();
    const ids = new AskIds();
    const isToldAgain = retelling(session);
    return {
      event(event) {
        if (isToldAgain(event)) return;
        if (event.type === "ask.raised") {
          secretAsks.raised(event.ask);
          for (const before of events.end()) toFront(before);
          toFront({ ...event, ask: { ...shownAsk(redaction, event.ask), id: ids.raised(event.ask) } });
        } else if (event.type === "ask.withdrawn") {
          secretAsks.withdrawn(event.askId);
          toFront({ ...event, askId: ids.of(event.askId) });
        } else for (const clean of events.take(event)) toFront(clean);
      },
      // A secret is declared before the agent has it and can repeat it.
      command(given, toAgent) {
        const command = ids.answered(typed.leave(given));
        for (const secret of secretAsks.answered(command)?.secrets ?? []) redaction.declare(secret);
        return toAgent(command);
      },
      exited: () => {
        for (const rest of events.end()) toFront(rest);
      },
    };
  });
}

/** More than this an agent has not open at once; the oldest is forgotten first. */
const ASKS_MAX = 4_096;

class AskIds {
  /** The agent's id by ours. */
  private readonly open = new Map<string, string>();

  raised({ id: agentId }: Ask): string {
    const known = this.of(agentId);
    if (known !== agentId) return known;
    const id = `q${randomBytes(4).toString("hex")}`;
    this.open.set(id, agentId);
    const oldest = this.open.keys().next().value;
    if (this.open.size > ASKS_MAX && oldest !== undefined) this.open.delete(oldest);
    return id;
  }

  of(agentId: string): string {
    for (const [id, known] of this.open) if (known === agentId) return id;
    return agentId;
  }

  answered(command: LinesCommand): LinesCommand {
    if (command.type !== "ui_response") return command;
    const id = this.open.get(command.id) ?? command.id;
    this.open.delete(command.id);
    return { ...command, id };
  }
}

/**
 * Which events of an agent that resumes a session repeat what the transcript has. Some agents repeat it before they are ready and
 * some after; new events begin with the next prompt.
 */
export function retelling(session: HostedLinkPorts["session"]): (event: SessionEvent) => boolean {
  let phase: "starting" | "ready" | "new" = session === "resumed" ? "starting" : "new";
  return ({ type }) => {
    if (phase === "new") return false;
    if (type === "agent.readied") phase = "ready";
    if (type === "prompt.started" && phase === "ready") phase = "new";
    else return RETOLD.test(type);
    return false;
  };
}

const RETOLD = /^(?:message|tool|prompt|turn|permission)\.|^plan\.changed$/;

/** For a user who sees in the transcript what the agent does not know. */
export const withoutMemory: SessionEvent = {
  type: "notice.shown",
  sessionId: null,
  level: "warn",
  message: "the agent was restarted; it does not remember the earlier conversation",
};

type Growth = Extract<SessionEvent, { type: "message.grew" }>;

/**
 * Takes secrets out of what a hosted session remembers, sends and writes, before any of the three. What an agent says in pieces
 * is joined just enough that no secret hides on a seam. What a user would send back as it is, such as a text to be edited,
 * travels untouched: an answer with holes in it would be worse than a view that sees what it may change anyway.
 */
class EventRedaction {
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

/** The question as front ends see it. */
export function shownAsk(redaction: Redaction, ask: Ask): Ask {
  const redacted = redaction.value(ask) as Ask;
  return { ...redacted, ...identityOf(ask), question: withReturned(redacted.question, ask.question) };
}

// These are identifiers, not text that anyone wrote.
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

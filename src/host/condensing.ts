// Condenses what happens in a session: what stays for good goes to the transcript, what only the newest of counts for is kept
// once, and the steps in between are forgotten. Whoever saw any beginning of the events, and then gets what is here from
// there on, ends where those are who saw every step.
//
//   said so far │ tool started │ … │ message as a whole │ question and its end      for good, in their order
//   status line │ title │ plan │ the open message so far │ output so far │ open ask  the newest of each, after them
import type { SessionEvent } from "../contract/session-events.js";
import { isPassing, newestKey } from "./event-weight.js";
import type { SessionItem } from "./kept-item.js";
import { OpenMessage } from "./open-message.js";

export interface CondensingPorts {
  /** Stays for good, under the number of the event that it came with. */
  keep(item: SessionItem, seq: number): void;
  /** Stays for good and is no event that came, so that it needs a number of its own. */
  derive(item: SessionItem): void;
}

/** Gives the event at hand its number, which is behind all that was derived before it. */
type Numbered = () => number;

interface Newest {
  readonly seq: number;
  readonly item: SessionItem;
}

type EventItem = Extract<SessionItem, { kind: "event" }>;
type MessageEvent = Extract<SessionEvent, { type: `message.${string}` }>;

/** Agents that use more than this are not understood by anybody; the oldest goes first. */
const NEWEST_MAX = 2_000;
const OPEN_MESSAGES_MAX = 500;
const OPEN_CHARS_MAX = 16 * 1024 * 1024;
const LARGE_CHARS = 64 * 1024;
const OPEN_TOOLS_MAX = 4_096;

export class Condensing {
  private readonly ports: CondensingPorts;
  private readonly newest = new Map<string, Newest>();
  private readonly messages = new Map<string, { message: OpenMessage; seq: number }>();
  /** Tool calls that run, with the session they run in. */
  private readonly tools = new Map<string, string | null>();

  constructor(ports: CondensingPorts) {
    this.ports = ports;
  }

  take(item: SessionItem, number: Numbered): void {
    if (item.kind === "event") this.takeEvent(item, number);
    else {
      this.newest.delete(askKey(item.settled.askId));
      this.writeDown("new-part", item.settled.ask.sessionId);
      this.ports.keep(item, number());
    }
  }

  /** Whether nothing is half told: what is kept next can be understood without what was kept before. */
  get isAtRest(): boolean {
    return this.tools.size === 0 && [...this.messages.values()].every(({ message }) => !message.isHalfWritten);
  }

  /** The newest of everything that changed after this number, in the order of the changes. */
  changedSince(seq: number): SessionItem[] {
    const messages = [...this.messages.values()].map(({ message, seq: at }): Newest => {
      return { seq: at, item: { kind: "event", event: message.soFar() } };
    });
    return [...this.newest.values(), ...messages]
      .filter((entry) => entry.seq > seq)
      .sort((a, b) => a.seq - b.seq)
      .map(({ item }) => item);
  }

  /** Everything that is half done stays as it is. */
  end(): void {
    this.endTurn(null);
  }

  private takeEvent(item: EventItem, number: Numbered): void {
    const { event } = item;
    switch (event.type) {
      case "message.started":
      case "message.updated":
      case "message.grew":
      case "message.finished":
        this.takeMessage(event, number);
        return;
      case "tool.started":
        this.toolOpened(event);
        this.writeDown("any", event.sessionId);
        break;
      case "tool.updated":
        if (this.takeOutput(event, number) === "newest") return;
        break;
      case "tool.finished":
        this.tools.delete(event.toolCallId);
        this.newest.delete(toolKey(event.toolCallId));
        break;
      case "permission.previewed":
      case "permission.readied":
        this.writeDown("any", event.sessionId);
        break;
      case "prompt.finished":
        this.endTurn(event.sessionId);
        break;
      default:
        if (this.takeOther(item, number) === "done") return;
    }
    this.ports.keep(item, number());
  }

  private takeOther(item: EventItem, number: Numbered): "done" | "keep" {
    const { event } = item;
    const key = event.type === "ask.raised" ? askKey(event.ask.id) : newestKey(event);
    if (key !== null) this.setNewest(key, { seq: number(), item });
    if (key !== null || isPassing(event)) return "done";
    this.writeDown("new-part", event.sessionId);
    return "keep";
  }

  private takeMessage(event: MessageEvent, number: Numbered): void {
    const key = event.sessionId ?? "";
    const open = this.messages.get(key)?.message;
    if (event.type === "message.grew") {
      const grown = open ?? new OpenMessage(event.sessionId, { role: "assistant", content: [] });
      grown.grow(event);
      this.openMessage(key, grown, number);
    } else if (event.message.role !== "assistant") this.takeWords(event, number);
    else if (event.type === "message.finished") {
      this.messages.delete(key);
      this.ports.keep({ kind: "event", event }, number());
    } else if (event.type === "message.updated" && open !== undefined) {
      open.replace(event.message);
      this.openMessage(key, open, number);
    } else {
      this.closeMessage(key);
      this.openMessage(key, new OpenMessage(event.sessionId, event.message), number);
    }
  }

  // A prompt counts when it begins, the result of a tool when it is whole.
  private takeWords(event: Exclude<MessageEvent, { type: "message.grew" }>, number: Numbered): void {
    const { role } = event.message;
    if (event.type === "message.started") this.closeMessage(event.sessionId ?? "");
    const isStep = role === "user" ? event.type === "message.finished" : event.type !== "message.finished";
    if (!isStep) this.ports.keep({ kind: "event", event }, number());
  }

  private openMessage(key: string, message: OpenMessage, number: Numbered): void {
    const oldest = this.messages.keys().next().value;
    const isFull = !this.messages.has(key) && this.messages.size >= OPEN_MESSAGES_MAX;
    if (isFull && oldest !== undefined) this.closeMessage(oldest);
    this.messages.set(key, { message, seq: number() });
    if (message.chars > LARGE_CHARS) this.makeRoom(key);
  }

  /** Long messages that are open at once are bounded together: the oldest are closed. */
  private makeRoom(newest: string): void {
    let chars = 0;
    for (const { message } of this.messages.values()) chars += message.chars;
    for (const [key, { message }] of [...this.messages]) {
      if (chars <= OPEN_CHARS_MAX) return;
      if (key === newest) continue;
      chars -= message.chars;
      this.closeMessage(key);
    }
  }

  // Nobody says its end: what was said of it is all there is.
  private closeMessage(key: string): void {
    const open = this.messages.get(key)?.message;
    this.messages.delete(key);
    if (open?.hasNews("any") === true) this.ports.derive({ kind: "event", event: open.written() });
  }

  // What was said before something else happened stays before it.
  private writeDown(which: "any" | "new-part", sessionId: string | null): void {
    for (const [key, { message }] of this.messages) {
      if (!isOf(key, sessionId) || !message.hasNews(which)) continue;
      this.ports.derive({ kind: "event", event: message.written() });
    }
  }

  private toolOpened({ toolCallId, sessionId }: { toolCallId: string; sessionId: string | null }): void {
    this.tools.set(toolCallId, sessionId);
    const oldest = this.tools.keys().next().value;
    if (this.tools.size > OPEN_TOOLS_MAX && oldest !== undefined) this.tools.delete(oldest);
  }

  // An agent may report on a tool whose beginning it never told; then this is the beginning.
  private takeOutput(event: Extract<SessionEvent, { type: "tool.updated" }>, number: Numbered): "newest" | "keep" {
    if (this.tools.has(event.toolCallId)) {
      this.setNewest(toolKey(event.toolCallId), { seq: number(), item: { kind: "event", event } });
      return "newest";
    }
    this.toolOpened(event);
    this.writeDown("new-part", event.sessionId);
    return "keep";
  }

  private endTurn(sessionId: string | null): void {
    for (const key of [...this.messages.keys()]) if (isOf(key, sessionId)) this.closeMessage(key);
    for (const [toolCallId, session] of [...this.tools]) {
      if (!isOf(session ?? "", sessionId)) continue;
      const output = this.newest.get(toolKey(toolCallId));
      this.tools.delete(toolCallId);
      this.newest.delete(toolKey(toolCallId));
      if (output !== undefined) this.ports.derive(output.item);
    }
  }

  private setNewest(key: string, entry: Newest): void {
    this.newest.delete(key);
    this.newest.set(key, entry);
    const oldest = this.newest.keys().next().value;
    if (this.newest.size > NEWEST_MAX && oldest !== undefined) this.newest.delete(oldest);
  }
}

// An agent with one session may leave its name out in one event and say it in another.
function isOf(key: string, sessionId: string | null): boolean {
  return sessionId === null || key === "" || key === sessionId;
}

function askKey(askId: string): string {
  return `ask ${askId}`;
}

function toolKey(toolCallId: string): string {
  return `tool ${toolCallId}`;
}

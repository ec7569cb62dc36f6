// What waits for the user over all sessions of a daemon: every open ask and every session, as a snapshot and as numbered changes.
// Changes of asks are sent at once. Sessions change with every word; each is looked at again a moment later, and sent if it differs.
import { randomBytes } from "node:crypto";
import type { AskOutcome, Delivery } from "../contract/asks.js";
import {
  OVERVIEW_ASKS_MAX,
  OVERVIEW_CHARS_MAX,
  OVERVIEW_SETTLED_MAX,
  type OverviewAsk,
  type OverviewChange,
  type OverviewSession,
  type OverviewSnapshot,
} from "../contract/page.js";
import type { OpenAsk } from "../session/asks.js";
import type { Change } from "../session/engine/engine-messages.js";
import { activeSession, type EngineState } from "../session/engine/engine-state.js";
import type { Block } from "../session/transcript/block.js";
import { realTimers, steadyNowMs, type Timers } from "../system/timers.js";
import { safeLine } from "../text/safe.js";
import { shortenEnd } from "../text/shorten.js";
import type { AskRegistry } from "./asks/ask-registry.js";
import type { Elsewhere } from "./asks/team.js";
import { ChangeLog } from "./change-log.js";
import { type ChangeSource, eventText } from "./change-reader.js";
import { ChangeSignal } from "./change-signal.js";
import type { ServedSession, ServedSessions } from "./served-session.js";

/** What the overview needs of a host. */
export type OverviewSessions = Pick<ServedSessions, "all" | "find" | "subscribe" | "follow">;

export interface OverviewPorts {
  readonly asks: Pick<AskRegistry, "ownAsks" | "onChanges">;
  /** Null for a daemon without sessions. */
  readonly sessions: OverviewSessions | null;
  /** Other machines of the hub. */
  readonly elsewhere?: Elsewhere | null;
  readonly nowMs?: () => number;
  readonly timers?: Timers;
}

const BOUNDS = { itemsMax: 4_096, weightMax: 4 * 1024 * 1024 };
const LOOK_AGAIN_MS = 250;
const LINE_CHARS_MAX = 200;
/** A longer value of an answer is not repeated. */
const VALUE_CHARS_MAX = 200;

export class Overview implements ChangeSource {
  readonly epoch = randomBytes(8).toString("hex");
  readonly log: ChangeLog<OverviewChange>;
  readonly signal: ChangeSignal;
  readonly nowMs: () => number;
  private readonly ports: OverviewPorts;
  private readonly timers: Timers;
  /** The last outcomes, the oldest first. */
  private readonly settled = new Map<string, OverviewSnapshot["settled"][number]>();
  /** What was last sent of each session. */
  private readonly sent = new Map<string, string>();
  private readonly listeners = new Set<(change: OverviewChange) => void>();
  private readonly stale = new Set<ServedSession>();
  private cancelLook: (() => void) | null = null;

  constructor(ports: OverviewPorts) {
    const { asks, sessions, nowMs = steadyNowMs, timers = realTimers } = ports;
    this.ports = ports;
    this.nowMs = nowMs;
    this.timers = timers;
    this.log = new ChangeLog(Math.floor(nowMs() * 1_000), BOUNDS);
    this.signal = new ChangeSignal(timers);
    asks.onChanges((changes) => this.asksChanged(null, changes));
    sessions?.follow((session, changes) => {
      this.asksChanged(session, changes);
      this.lookAgainAt(session);
    });
    sessions?.subscribe(() => this.listChanged());
    ports.elsewhere?.subscribe((change) => this.changedElsewhere(change));
    this.listChanged();
  }

  /** Calls back with each change; the returned function ends it. */
  subscribe(listener: (change: OverviewChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Every open ask, the oldest first. */
  openAsks(): OverviewAsk[] {
    const own = this.ports.asks.ownAsks().map((open) => shownAsk(null, open));
    const theirs = this.sessions.flatMap((session) => session.state.asks.open.map((open) => shownAsk(session, open)));
    const elsewhere = this.ports.elsewhere?.openAsks() ?? [];
    return oldestFirst([...own, ...theirs, ...elsewhere]);
  }

  snapshot(): OverviewSnapshot {
    const open = this.openAsks();
    // Where there are too many, those of other machines hide none of this one.
    const isHere = ({ elsewhere }: OverviewAsk) => elsewhere === undefined;
    const hereFirst = [...open.filter(isHere), ...open.filter((asked) => !isHere(asked))];
    const asks = oldestFirst(hereFirst.slice(0, fitting(hereFirst)));
    return {
      asks,
      asks_more: open.length - asks.length,
      sessions: [...this.sessions.map(shownSession), ...(this.ports.elsewhere?.sessions() ?? [])],
      settled: [...this.settled.values()],
    };
  }

  /** The snapshot as events of a stream. */
  async *snapshotEvents(upTo: number): AsyncGenerator<string, void, void> {
    yield `id: ${upTo}\n${eventText("snapshot", JSON.stringify(this.snapshot()))}`;
  }

  /** The daemon ends, and with it every stream. */
  close(): void {
    this.cancelLook?.();
    this.signal.close();
  }

  private get sessions(): readonly ServedSession[] {
    return this.ports.sessions?.all() ?? [];
  }

  private asksChanged(session: ServedSession | null, changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === "ask.raised") {
        const open = { ask: change.ask, askedAtMs: change.atMs, shownAtMs: null };
        this.append({ type: "ask.raised", ask: shownAsk(session, open) });
      } else if (change.type === "ask.settled") this.askSettled(change.ask.id, change.outcome);
      else if (change.type === "ask.finished") this.askFinished(change.ask.id, change.outcome, change.delivery);
    }
  }

  private changedElsewhere(change: OverviewChange): void {
    if (change.type === "ask.settled") this.askSettled(change.id, change.outcome);
    else if (change.type === "ask.finished") this.askFinished(change.id, change.outcome, change.delivery);
    else this.append(change);
  }

  private askSettled(id: string, full: AskOutcome): void {
    const outcome = withShortValue(full);
    this.remember({ id, outcome });
    this.append({ type: "ask.settled", id, outcome });
  }

  private askFinished(id: string, full: AskOutcome, delivery: Delivery | null): void {
    const outcome = withShortValue(full);
    this.remember({ id, outcome, delivery });
    this.append({ type: "ask.finished", id, outcome, delivery });
  }

  private remember(ended: OverviewSnapshot["settled"][number]): void {
    this.settled.delete(ended.id);
    this.settled.set(ended.id, ended);
    const [oldest] = this.settled.keys();
    if (this.settled.size > OVERVIEW_SETTLED_MAX && oldest !== undefined) this.settled.delete(oldest);
  }

  private listChanged(): void {
    const present = new Set(this.sessions.map(({ id }) => id));
    for (const id of [...this.sent.keys()].filter((known) => !present.has(known))) {
      this.sent.delete(id);
      this.append({ type: "session.gone", id });
    }
    for (const session of this.sessions) this.look(session);
  }

  private lookAgainAt(session: ServedSession): void {
    this.stale.add(session);
    this.cancelLook ??= this.timers.after(LOOK_AGAIN_MS, () => {
      this.cancelLook = null;
      const sessions = [...this.stale];
      this.stale.clear();
      for (const changed of sessions) this.look(changed);
    });
  }

  private look(session: ServedSession): void {
    if (this.ports.sessions?.find(session.id) !== session) return;
    const entry = shownSession(session);
    const text = JSON.stringify(entry);
    if (this.sent.get(session.id) === text) return;
    this.sent.set(session.id, text);
    this.append({ type: "session", session: entry });
  }

  private append(change: OverviewChange): void {
    this.log.append(change);
    this.signal.ring();
    for (const listener of [...this.listeners]) listener(change);
  }
}

function oldestFirst(asks: OverviewAsk[]): OverviewAsk[] {
  return asks.sort((a, b) => a.asked_at_ms - b.asked_at_ms);
}

/** How many asks one snapshot can have. */
function fitting(asks: readonly OverviewAsk[]): number {
  let chars = 0;
  const tooMany = asks.slice(0, OVERVIEW_ASKS_MAX).findIndex((asked, at) => {
    chars += JSON.stringify(asked).length;
    return at > 0 && chars > OVERVIEW_CHARS_MAX;
  });
  return tooMany < 0 ? OVERVIEW_ASKS_MAX : tooMany;
}

function shownAsk(session: ServedSession | null, { ask, askedAtMs }: OpenAsk): OverviewAsk {
  if (session === null) return { ask, session: null, asked_at_ms: askedAtMs };
  const { id, name, agent, cwd } = session.entry();
  return { ask: { ...ask, sessionId: id }, session: { id, name, agent, cwd }, asked_at_ms: askedAtMs };
}

function shownSession(session: ServedSession): OverviewSession {
  const { state } = session;
  const { usage, title } = activeSession(state).facts;
  return { ...session.entry(), last_line: lastLine(state), cost: usage.cost, tokens: usage.tokens, title };
}

function lastLine(state: EngineState): string {
  const { transcript, journal } = activeSession(state);
  const block = transcript.open.at(-1) ?? journal.blocks.at(-1);
  return block === undefined ? "" : lineOf(block);
}

/** Marks of Markdown mean nothing in a single line. */
function withoutMarks(line: string): string {
  return line
    .replace(/^\|(.*)\|$/, (_, cells: string) => cells.split("|").join("·").trim())
    .replace(/^(?:#{1,6}|[-*+>]|\d+[.)])\s+/, "")
    .replace(/(\*\*|__|`+)(.+?)\1/g, "$2")
    .replace(/(?<![\w*])\*(\S[^*]*)\*(?![\w*])/g, "$1")
    .replace(/\[([^\]]+)\]\([^)\s]*\)/g, "$1");
}

function lineOf(block: Block): string {
  switch (block.kind) {
    case "image":
      return "image";
    case "asked":
      return newestLine(`${block.title}: ${block.outcome}`);
    case "tool":
      return newestLine(`${block.name}\n${block.output}`);
    case "prose":
      return withoutMarks(newestLine(block.text));
    default:
      return newestLine(block.text);
  }
}

function newestLine(text: string): string {
  const end = text.trimEnd();
  const line = end.slice(Math.max(end.lastIndexOf("\n") + 1, end.length - 10 * LINE_CHARS_MAX));
  return shortenEnd(safeLine(line).trim(), LINE_CHARS_MAX);
}

function withShortValue(outcome: AskOutcome): AskOutcome {
  if (outcome.kind !== "answered") return outcome;
  const isShort = (JSON.stringify(outcome.value) ?? "").length <= VALUE_CHARS_MAX;
  return isShort ? outcome : { ...outcome, value: null };
}

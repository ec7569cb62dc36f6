// One hosted session as this page knows it: the same mirror as in a terminal's attached view, and the blocks of its transcript in
// the order in which they began. Each block is a signal, so that a token redraws one block.
import { type Signal, signal } from "@preact/signals";
import { SESSION_PROTOCOL } from "../../contract/protocol-numbers.js";
import type { SessionIntent } from "../../contract/session-changes.js";
import type { DroppedEvent, SseEvent } from "../../contract/sse-decoder.js";
import { answerWords, type KnownModel, knownModels } from "../../session/answer-words.js";
import { type ClockShift, itemOnClock } from "../../session/engine/clock-shift.js";
import type { Change } from "../../session/engine/engine-messages.js";
import { activeSession } from "../../session/engine/engine-state.js";
import { Mirror } from "../../session/engine/mirror.js";
import type { HistoryItem, Snapshot } from "../../session/engine/snapshot.js";
import { type SessionFacts, startingFacts } from "../../session/session-facts.js";
import type { Block, BlockChange } from "../../session/transcript/block.js";
import { EventFollower, type NetPorts, type StreamState } from "../net/event-follower.js";
import { type Requests, refusalWords } from "../net/requests.js";

export interface BlockCell {
  readonly id: string;
  readonly block: Signal<Block>;
  /** Whether it can still change. */
  readonly isLive: Signal<boolean>;
  /** Not below the number of the change that closed it; 0 while that is not known. */
  closedSeq: number;
}

export type Remark = Pick<Extract<Change, { type: "notice" }>["notice"], "level" | "text">;

export interface UnsentIntent {
  readonly words: string;
}

interface Page {
  readonly items?: readonly HistoryItem[];
  readonly earlier?: number | null;
}

interface Hello {
  readonly at_ms: number;
  readonly protocol: number;
  readonly session?: { readonly name: string };
}

const TAIL_CHARS = 200_000;
const EARLIER_CHARS = 400_000;
/** An answer of the daemon that takes longer is worth a line. */
const UNSENT_AFTER_MS = 700;
/** With more blocks, or more text, the older part is let go of. */
const CELLS_MAX = 4_000;
const CELLS_KEPT = 2_000;
const UNITS_MAX = 8_000_000;
/** Of each of the agent's own sessions, for the moment when it becomes the active one. */
const JOURNAL_UNITS_MAX = 500_000;

export class SessionFollower {
  readonly id: string;
  readonly cells = signal<readonly BlockCell[]>([]);
  readonly facts = signal<SessionFacts>(startingFacts);
  /** What the daemon calls it; empty before it said so. */
  readonly name = signal("");
  readonly stream = signal<StreamState>({ kind: "connecting", isAgain: false });
  /** Whether the transcript as it was at the connection is complete. */
  readonly isCaughtUp = signal(false);
  readonly hasEarlier = signal(false);
  /** What was sent from here and has no answer yet, if that takes long. */
  readonly unsent = signal<readonly UnsentIntent[]>([]);
  /** What was told to this view alone, the newest last. */
  readonly remarks = signal<readonly Remark[]>([]);
  /** The models that the agent listed when this page asked for them; null before. */
  readonly models = signal<readonly KnownModel[] | null>(null);
  /** Text that was taken back to the composer; the composer empties it. */
  readonly takenBack = signal<readonly string[]>([]);
  private readonly mirror = new Mirror({ journalUnitsMax: JOURNAL_UNITS_MAX });
  private readonly ports: NetPorts;
  private readonly requests: Requests;
  private readonly onRevoked: () => void;
  private follower: EventFollower | null = null;
  private isInView = false;
  private readonly known = new Map<string, BlockCell>();
  private lastId: string | null = null;
  private earlier: number | null = null;
  private clockOffsetMs = 0;
  private reading: Promise<void> | null = null;

  constructor(id: string, ports: NetPorts, requests: Requests, onRevoked: () => void) {
    this.id = id;
    this.ports = ports;
    this.requests = requests;
    this.onRevoked = onRevoked;
  }

  /** In view, the session is followed, from where it was left. */
  open(): void {
    this.isInView = true;
    this.follower?.stop();
    this.follower = new EventFollower(this.ports, {
      path: `${this.path}/changes?tail=${TAIL_CHARS}`,
      mayEnd: true,
      lastId: () => this.lastId,
      onEvent: (event) => this.heard(event),
      onDropped: (event) => this.dropped(event),
      onState: (state) => this.streamed(state),
    });
    void this.follower.run();
  }

  /** Out of view, it keeps what it has and needs no connection. */
  close(): void {
    this.isInView = false;
    this.rest();
  }

  /** What was refused may be there again, such as a session of a daemon that was just started. */
  wake(): void {
    if (!this.isInView) return;
    if (this.follower === null || this.stream.peek().kind === "refused") this.open();
    else this.follower.wake();
  }

  /** The page is out of sight. */
  rest(): void {
    this.follower?.stop();
    this.follower = null;
  }

  doubt(): void {
    this.follower?.doubt();
  }

  private streamed(state: StreamState): void {
    if (this.stream.peek().kind !== state.kind || state.kind === "away") this.stream.value = state;
    if (state.kind === "refused" && state.status === 401) this.onRevoked();
  }

  /** Sent until the daemon's answer is known; the words of a refusal, or null. */
  async dispatch(intent: SessionIntent): Promise<string | null> {
    const unsent = { words: intentWords(intent) };
    const show = () => {
      if (!this.unsent.peek().includes(unsent)) this.unsent.value = [...this.unsent.peek(), unsent];
    };
    const cancel = this.ports.after(UNSENT_AFTER_MS, show);
    const answer = await this.requests.untilKnown(`${this.path}/intents`, { intent }, show);
    cancel();
    this.unsent.value = this.unsent.peek().filter((one) => one !== unsent);
    if (answer.status < 300) return null;
    const words = refusalWords(answer);
    this.remark(words);
    return words;
  }

  /** The part of the transcript before what is here. */
  readEarlier(): Promise<void> {
    this.reading ??= this.readBefore(this.earlier).finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  /** Lets go of the oldest blocks where there are many; they are read again when they are wanted. */
  letGo(): void {
    const cells = this.cells.peek();
    let at = cells.length;
    for (let units = 0; at > 0 && units < UNITS_MAX; at--) units += unitsOf(cells[at - 1]);
    if (at === 0 && cells.length <= CELLS_MAX) return;
    at = Math.max(at, cells.length - CELLS_KEPT);
    const gone = cells.slice(0, at);
    const seqs = gone.map(({ closedSeq }) => closedSeq);
    if (gone.length === 0 || seqs.includes(0)) return;
    for (const { id } of gone) this.known.delete(id);
    this.earlier = seqs.reduce((most, seq) => Math.max(most, seq), 0) + 1;
    this.hasEarlier.value = true;
    this.cells.value = cells.slice(at);
  }

  /** Reads the transcript to its beginning; whether that worked. */
  async readAll(): Promise<boolean> {
    while (this.earlier !== null) {
      const before = this.earlier;
      await this.readEarlier();
      if (this.earlier === before) return false;
    }
    return true;
  }

  private async readBefore(before: number | null): Promise<void> {
    if (before === null) return;
    const answer = await this.requests.once("GET", `${this.path}/transcript?before=${before}&chars=${EARLIER_CHARS}`);
    if (answer?.status === 200) this.prepend(answer.body as Page, before);
    else this.remark(answer === null ? "no connection: earlier parts are not here yet" : refusalWords(answer));
  }

  private prepend({ items = [], earlier }: Page, before: number): void {
    this.earlier = typeof earlier === "number" && earlier < before ? earlier : null;
    this.hasEarlier.value = this.earlier !== null;
    const { key } = activeSession(this.mirror.state);
    const cells = items
      .filter((item) => this.mirror.sessionOf(item).key === key)
      .map((item) => newCell(itemOnClock(item, this.shift).block, item.seq))
      .filter(({ id }) => !this.known.has(id));
    for (const cell of cells) this.known.set(cell.id, cell);
    this.cells.value = [...cells, ...this.cells.peek()];
  }

  private heard({ name, data, id }: SseEvent): void {
    const value: unknown = JSON.parse(data);
    const seq = Number.parseInt(id ?? "0", 10);
    if (name === "hello") this.greeted(value as Hello);
    else if (name === "continuation") this.isCaughtUp.value = true;
    else if (name === "snapshot") this.begin(value as Snapshot);
    else if (name === "history") this.history(value as HistoryItem[]);
    else if (name === "caught-up") this.caughtUp(seq);
    else if (name === "message") this.follow(this.mirror.follow(value as Change[], seq, this.shift), seq);
    else if (name === "ended") this.ended(value as { error: string | null; code: number | null });
    if (name === "history" || name === "caught-up" || name === "message") this.lastId = id;
  }

  // With this place the daemon sends a snapshot instead of what was too large.
  private dropped({ id }: DroppedEvent): void {
    this.remark("something was too large to be shown here");
    this.lastId = id === null || id.includes("~") ? id : `${id}~`;
  }

  private greeted({ at_ms, protocol, session }: Hello): void {
    this.name.value = session?.name ?? "";
    this.clockOffsetMs = this.ports.nowMs() - at_ms;
    if (protocol === SESSION_PROTOCOL) return;
    this.follower?.stop();
    this.stream.value = { kind: "refused", status: 0, words: "the daemon has another version than this page" };
  }

  private begin(snapshot: Snapshot): void {
    if (this.lastId === null) this.earlier = snapshot.earlier;
    this.hasEarlier.value = this.earlier !== null;
    this.follow(this.mirror.begin(snapshot, this.shift));
  }

  private history(items: readonly HistoryItem[]): void {
    this.follow(this.mirror.history(items, this.shift), items.at(-1)?.seq);
  }

  private caughtUp(seq: number): void {
    this.follow(this.mirror.caughtUp(seq), seq);
    this.isCaughtUp.value = true;
  }

  private ended({ error, code }: { error: string | null; code: number | null }): void {
    this.follower?.stop();
    this.stream.value = {
      kind: "refused",
      status: 410,
      words: error ?? (code === 0 ? "this session has ended" : `the agent ended with code ${code ?? "unknown"}`),
      isExpected: error === null && code === 0,
    };
    this.facts.value = { ...this.facts.peek(), phase: "ended", workingSinceMs: null };
  }

  private follow(changes: readonly Change[], seq = 0): void {
    const { key, facts } = activeSession(this.mirror.state);
    this.facts.value = facts;
    const added: BlockCell[] = [];
    for (const change of changes) {
      if (change.type === "block" && change.session === key) this.followBlock(change.change, seq, added);
      else if (change.type === "session.switched") this.switched(added);
      else if (change.type === "composer" && change.session === key)
        this.takenBack.value = [...this.takenBack.peek(), change.text];
      else if (change.type === "notice") this.remark(change.notice.text, change.notice.level);
      else if (change.type === "reply" && change.command === "models_list")
        this.models.value = knownModels(change.answer);
      else if (change.type === "reply" && change.by !== null && change.command !== "config_state")
        this.remark(answerWords(change.command, change.answer).join(" · "));
    }
    if (added.length > 0) this.cells.value = [...this.cells.peek(), ...added];
  }

  private followBlock(change: BlockChange, seq: number, added: BlockCell[]): void {
    const cell = this.known.get(change.type === "grew" ? change.id : change.block.id);
    if (change.type === "grew") {
      if (cell !== undefined) cell.block.value = grown(cell.block.peek(), change.delta);
      return;
    }
    if (cell === undefined) {
      // What was said of an earlier turn is old news.
      if (change.block.kind === "prompt") this.remarks.value = [];
      const made = newCell(change.block, change.type === "closed" ? seq : "live");
      this.known.set(made.id, made);
      added.push(made);
      return;
    }
    if (change.type !== "closed" || !isSame(cell.block.peek(), change.block)) cell.block.value = change.block;
    cell.isLive.value = change.type !== "closed";
    if (change.type === "closed") cell.closedSeq = seq;
  }

  // The agent went to another of its own sessions: its transcript is what the mirror has of it.
  private switched(added: BlockCell[]): void {
    const { journal, transcript } = activeSession(this.mirror.state);
    this.known.clear();
    added.length = 0;
    const cells = [
      ...journal.blocks.map((block) => newCell(block, 0)),
      ...transcript.open.map((block) => newCell(block, "live")),
    ];
    for (const cell of cells) this.known.set(cell.id, cell);
    this.cells.value = cells;
  }

  private remark(text: string, level: Remark["level"] = "info"): void {
    this.remarks.value = [...this.remarks.peek(), { text, level }].slice(-REMARKS_MAX);
  }

  private get path(): string {
    return `/sessions/${encodeURIComponent(this.id)}`;
  }

  private get shift(): ClockShift {
    return { byMs: this.clockOffsetMs, nowMs: this.ports.nowMs() };
  }
}

const REMARKS_MAX = 20;

function intentWords(intent: SessionIntent): string {
  if (intent.type === "submit") return intent.text === "" ? "pictures" : intent.text;
  return intent.type === "abort" ? "stop" : "a change";
}

function newCell(block: Block, closed: number | "live"): BlockCell {
  const isLive = closed === "live";
  return { id: block.id, block: signal(block), isLive: signal(isLive), closedSeq: isLive ? 0 : closed };
}

function unitsOf(cell: BlockCell | undefined): number {
  const block = cell?.block.peek();
  if (block === undefined) return 0;
  return block.kind === "tool" ? block.output.length : "text" in block ? block.text.length : 1_000;
}

/** Text is compared as it is: it can be long. */
function isSame(before: Block, after: Block): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Block>;
  return [...names].every(
    (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
  );
}

function grown(block: Block, delta: string): Block {
  if (block.kind === "tool") return { ...block, output: block.output + delta };
  return "text" in block ? { ...block, text: block.text + delta } : block;
}

// The page's one connection to its daemon: which device this is, the overview stream, the sessions that are open, and the
// answers given here. Views read its signals and call its methods; nothing else uses the network.
import { computed, signal } from "@preact/signals";
import type { OverviewAsk, OverviewChange, OverviewSnapshot } from "../../contract/page.js";
import { PAGE_PROTOCOL } from "../../contract/protocol-numbers.js";
import type { SseEvent } from "../../contract/sse-decoder.js";
import { EventFollower, type FollowOptions, type NetPorts, type StreamState } from "../net/event-follower.js";
import { type JsonAnswer, Requests, refusalWords } from "../net/requests.js";
import { type OwnAnswer, ownAnswerOf } from "./answer-state.js";
import { emptyOverview, type Overview, withChange, withSnapshot } from "./overview.js";
import { SessionFollower } from "./session-follower.js";

export interface DeviceFacts {
  readonly device: {
    readonly id: string;
    readonly name: string;
    readonly scope: "full" | "share";
    readonly session?: string;
  };
  readonly daemon: { readonly project: string; readonly version: string; readonly session?: string };
  readonly push: { readonly public_key: string; readonly problem: string | null } | null;
}

export type Identity =
  | { readonly kind: "unknown" }
  /** `words` say why, where it was known before. */
  | { readonly kind: "unpaired"; readonly words: string }
  /** The daemon cannot be reached, or something else answers in its place. */
  | { readonly kind: "offline"; readonly words: string }
  | { readonly kind: "known"; readonly facts: DeviceFacts };

export type AskAnswer = { readonly value: unknown } | "cancel";

/** Sessions that are kept after they were left, so that going back shows them at once. */
const KEPT_MAX = 4;
export const LINK_REVOKED = "This link was revoked.";
const IDENTIFY_PAUSE_MS = 2_000;
/** With fewer open asks than this, those beyond the snapshot are asked for. */
const ASKS_FEW = 10;

export class Daemon {
  readonly identity = signal<Identity>({ kind: "unknown" });
  readonly overview = signal<Overview>(emptyOverview);
  readonly stream = signal<StreamState>({ kind: "connecting", isAgain: false });
  /** Whether the overview has come at least once. */
  readonly isLoaded = signal(false);
  readonly answers = signal<ReadonlyMap<string, OwnAnswer>>(new Map());
  /** What has to be added to a moment on the daemon's clock. */
  readonly clockOffsetMs = signal(0);
  readonly isReadOnly = computed(() => {
    const identity = this.identity.value;
    return identity.kind === "known" && identity.facts.device.scope === "share";
  });
  /** The one session there is, on the page of a terminal. */
  readonly onlySession = computed(() => {
    const identity = this.identity.value;
    return identity.kind === "known" ? (identity.facts.daemon.session ?? null) : null;
  });
  readonly requests: Requests;
  readonly ports: NetPorts;
  private readonly sessions = new Map<string, SessionFollower>();
  private readonly shown = new Set<string>();
  private readonly followers = new Set<EventFollower>();
  private stopOverview: () => void = () => undefined;
  private lastId: string | null = null;
  private cancelIdentify: () => void = () => undefined;

  constructor(ports: NetPorts, newKey: () => string) {
    this.ports = ports;
    this.requests = new Requests(ports, newKey);
  }

  /** Asks who this device is, again and again until the daemon says so. */
  async identify(): Promise<void> {
    this.cancelIdentify();
    const answer = await this.requests.once("GET", "/device");
    this.cancelIdentify();
    const { device } = (answer?.body ?? {}) as Partial<DeviceFacts>;
    if (answer?.status === 200 && device !== undefined) {
      this.identity.value = { kind: "known", facts: answer.body as DeviceFacts };
      if (!this.isReadOnly.peek()) this.followOverview();
    } else if (answer?.status === 401) {
      if (this.identity.peek().kind !== "unpaired") this.identity.value = { kind: "unpaired", words: "" };
    } else {
      this.identity.value = { kind: "offline", words: answer === null ? "" : refusalWords(answer) };
      this.cancelIdentify = this.ports.after(IDENTIFY_PAUSE_MS, () => void this.identify());
    }
  }

  /** Null when it worked, else why it did not. */
  async pair(code: string, name: string): Promise<string | null> {
    return this.entered(await this.requests.once("POST", "/pair", { code, name }));
  }

  /** A device that sees all sessions is told which one the link shows. */
  async enterShare(secret: string, onSession: (id: string) => void): Promise<string | null> {
    const answer = await this.requests.once("POST", "/share", { secret });
    const problem = await this.entered(answer);
    const { session } = (answer?.body ?? {}) as { readonly session?: string };
    if (problem === null && session !== undefined) onSession(session);
    return problem;
  }

  private async entered(answer: JsonAnswer | null): Promise<string | null> {
    if (answer === null) return "the daemon cannot be reached";
    if (answer.status !== 200) return refusalWords(answer);
    await this.identify();
    return null;
  }

  session(id: string): SessionFollower {
    const known = this.sessions.get(id);
    const session = known ?? new SessionFollower(id, this.ports, this.requests, () => this.revoked());
    this.sessions.delete(id);
    this.sessions.set(id, session);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > KEPT_MAX && oldest !== undefined) {
      this.sessions.get(oldest)?.close();
      this.sessions.delete(oldest);
    }
    return session;
  }

  /** The page is in sight or online again. */
  wake(): void {
    const { kind } = this.identity.peek();
    const isRefused = kind === "known" && this.stream.peek().kind === "refused";
    if (kind === "offline" || kind === "unpaired" || isRefused) void this.identify();
    for (const follower of this.followers) follower.wake();
    this.requests.wake();
    for (const session of this.sessions.values()) session.wake();
  }

  /** The page is out of sight: its connections are left to other tabs. */
  rest(): void {
    for (const follower of this.followers) follower.release();
    for (const session of this.sessions.values()) session.rest();
  }

  /** The browser says that it has no network. */
  doubt(): void {
    for (const follower of this.followers) follower.doubt();
    for (const session of this.sessions.values()) session.doubt();
  }

  /** Follows a stream of the daemon; the returned function ends it. */
  follow(options: FollowOptions): () => void {
    const follower = new EventFollower(this.ports, options);
    this.followers.add(follower);
    void follower.run();
    return () => {
      this.followers.delete(follower);
      follower.stop();
    };
  }

  async answer(asked: OverviewAsk, answer: AskAnswer): Promise<void> {
    const { id } = asked.ask;
    const before = this.answers.peek().get(id);
    if (before !== undefined && before.phase !== "refused") return;
    this.setAnswer(id, { phase: "sending", isDelayed: false });
    const { path, body } = requestFor(asked, answer);
    const sent = await this.requests.untilKnown(path, body, () =>
      this.setAnswer(id, { phase: "sending", isDelayed: true }),
    );
    this.setAnswer(id, ownAnswerOf(sent));
  }

  /** The question was drawn; said once. */
  sawAsk({ ask, session }: OverviewAsk): void {
    if (this.shown.has(ask.id)) return;
    this.shown.add(ask.id);
    if (session === null) {
      void this.requests.once("POST", `/asks/${encodeURIComponent(ask.id)}/shown`, {});
      return;
    }
    const intent = { type: "shown", askId: ask.id };
    void this.requests.once("POST", `/sessions/${encodeURIComponent(session.id)}/intents`, { intent });
  }

  private setAnswer(id: string, answer: OwnAnswer): void {
    this.answers.value = new Map(this.answers.peek()).set(id, answer);
  }

  private followOverview(): void {
    this.stopOverview();
    this.stopOverview = this.follow({
      path: "/overview",
      mayEnd: false,
      lastId: () => (this.isShortOfAsks ? null : this.lastId),
      onEvent: (event) => this.heard(event),
      onDropped: () => {
        this.lastId = null;
      },
      onState: (state) => this.streamed(state),
    });
  }

  private streamed(state: StreamState): void {
    if (this.stream.peek().kind !== state.kind || state.kind === "away") this.stream.value = state;
    if (state.kind === "refused" && (state.status === 401 || state.status === 403)) this.revoked();
  }

  // The device may have another user by now, so nothing that it has read is kept.
  private revoked(): void {
    const words = this.isReadOnly.peek() ? LINK_REVOKED : "This device was revoked.";
    this.identity.value = { kind: "unpaired", words };
    this.stopOverview();
    for (const session of this.sessions.values()) session.close();
    this.sessions.clear();
    this.overview.value = emptyOverview;
    this.isLoaded.value = false;
    this.lastId = null;
  }

  private heard({ name, data, id }: SseEvent): void {
    const value: unknown = JSON.parse(data);
    if (name === "hello") this.greeted(value as { at_ms: number; protocol: number });
    else if (name === "snapshot") {
      this.overview.value = withSnapshot(this.overview.peek(), value as OverviewSnapshot);
      this.isLoaded.value = true;
    } else if (name === "message") {
      this.overview.value = (value as OverviewChange[]).reduce(withChange, this.overview.peek());
    }
    if (name === "snapshot" || name === "message") this.lastId = id;
    if (name === "message" && this.isShortOfAsks) for (const follower of this.followers) follower.release();
  }

  private get isShortOfAsks(): boolean {
    const { asks, asksMore } = this.overview.peek();
    return asksMore > 0 && asks.length < ASKS_FEW;
  }

  private greeted({ at_ms, protocol }: { at_ms: number; protocol: number }): void {
    this.clockOffsetMs.value = this.ports.nowMs() - at_ms;
    if (protocol === PAGE_PROTOCOL) return;
    this.stopOverview();
    this.stream.value = { kind: "refused", status: 0, words: "the daemon has another version than this page" };
  }
}

function requestFor({ ask, session }: OverviewAsk, answer: AskAnswer): { path: string; body: unknown } {
  if (session === null) {
    const body = answer === "cancel" ? { cancel: true } : { value: answer.value };
    return { path: `/asks/${encodeURIComponent(ask.id)}/answer`, body };
  }
  const intent =
    answer === "cancel" ? { type: "cancel", askId: ask.id } : { type: "answer", askId: ask.id, value: answer.value };
  return { path: `/sessions/${encodeURIComponent(session.id)}/intents`, body: { intent } };
}

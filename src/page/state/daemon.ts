// The page's one connection to its daemon: who this device is, the overview stream, the sessions that are followed, and the answers
// that were given here. Views read its signals and call its methods; nothing else talks to the network.
import { computed, signal } from "@preact/signals";
import type { OverviewAsk, OverviewChange, OverviewSnapshot } from "../../contract/page.js";
import { PAGE_PROTOCOL } from "../../contract/protocol-numbers.js";
import type { SseEvent } from "../../contract/sse-decoder.js";
import { EventFollower, type NetPorts, type StreamState } from "../net/event-follower.js";
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
  readonly daemon: { readonly project: string; readonly version: string };
  readonly push: { readonly public_key: string; readonly problem: string | null } | null;
}

export type Identity =
  | { readonly kind: "unknown" }
  /** `words` say why, where it was known before. */
  | { readonly kind: "unpaired"; readonly words: string }
  /** The daemon cannot be reached. */
  | { readonly kind: "offline" }
  | { readonly kind: "known"; readonly facts: DeviceFacts };

export type AskAnswer = { readonly value: unknown } | "cancel";

/** Sessions that are kept up to date after they were left, so that going back shows them at once. */
const FOLLOWED_MAX = 4;

export class Daemon {
  readonly identity = signal<Identity>({ kind: "unknown" });
  readonly overview = signal<Overview>(emptyOverview);
  readonly stream = signal<StreamState>({ kind: "connecting" });
  /** Whether the overview has come at least once. */
  readonly isLoaded = signal(false);
  readonly answers = signal<ReadonlyMap<string, OwnAnswer>>(new Map());
  /** What has to be added to a moment on the daemon's clock. */
  readonly clockOffsetMs = signal(0);
  readonly isReadOnly = computed(() => {
    const identity = this.identity.value;
    return identity.kind === "known" && identity.facts.device.scope === "share";
  });
  readonly requests: Requests;
  readonly ports: NetPorts;
  private readonly sessions = new Map<string, SessionFollower>();
  private readonly shown = new Set<string>();
  private follower: EventFollower | null = null;
  private lastId: string | null = null;

  constructor(ports: NetPorts, newKey: () => string) {
    this.ports = ports;
    this.requests = new Requests(ports, newKey);
  }

  async identify(): Promise<void> {
    const answer = await this.requests.once("GET", "/device");
    if (answer?.status === 200) {
      this.identity.value = { kind: "known", facts: answer.body as DeviceFacts };
      if (!this.isReadOnly.peek()) this.followOverview();
    } else this.identity.value = answer === null ? { kind: "offline" } : { kind: "unpaired", words: "" };
  }

  /** Null when it worked, else why it did not. */
  async pair(code: string, name: string): Promise<string | null> {
    return this.entered(await this.requests.once("POST", "/pair", { code, name }));
  }

  async enterShare(secret: string): Promise<string | null> {
    return this.entered(await this.requests.once("POST", "/share", { secret }));
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
    if (this.sessions.size > FOLLOWED_MAX && oldest !== undefined) {
      this.sessions.get(oldest)?.stop();
      this.sessions.delete(oldest);
    }
    return session;
  }

  /** The page is in sight or online again. */
  wake(): void {
    if (this.identity.peek().kind === "offline") void this.identify();
    this.follower?.wake();
    this.requests.wake();
    for (const session of this.sessions.values()) session.wake();
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
    if (session === null || this.shown.has(ask.id)) return;
    this.shown.add(ask.id);
    const intent = { type: "shown", askId: ask.id };
    void this.requests.once("POST", `/sessions/${encodeURIComponent(session.id)}/intents`, { intent });
  }

  private setAnswer(id: string, answer: OwnAnswer): void {
    this.answers.value = new Map(this.answers.peek()).set(id, answer);
  }

  private followOverview(): void {
    this.follower?.stop();
    this.follower = new EventFollower(this.ports, {
      path: "/overview",
      lastId: () => this.lastId,
      onEvent: (event) => this.heard(event),
      onDropped: () => {
        this.lastId = null;
      },
      onState: (state) => this.streamed(state),
    });
    void this.follower.run();
  }

  private streamed(state: StreamState): void {
    if (this.stream.peek().kind !== state.kind || state.kind === "away") this.stream.value = state;
    if (state.kind === "refused" && (state.status === 401 || state.status === 403)) this.revoked();
  }

  // The device may be in other hands by now, so that nothing of what it has read stays.
  private revoked(): void {
    const words = this.isReadOnly.peek() ? "This link was revoked." : "This device was revoked.";
    this.identity.value = { kind: "unpaired", words };
    this.follower?.stop();
    for (const session of this.sessions.values()) session.stop();
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
  }

  private greeted({ at_ms, protocol }: { at_ms: number; protocol: number }): void {
    this.clockOffsetMs.value = this.ports.nowMs() - at_ms;
    if (protocol === PAGE_PROTOCOL) return;
    this.follower?.stop();
    this.stream.value = { kind: "refused", status: 0, words: "the daemon has another version; load this page again" };
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

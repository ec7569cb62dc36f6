// A session that lives in a daemon, as a link like any other: its events come over a stream that survives interruptions, its
// commands are sent once each, and to stop is to leave; the agent works on.
//
//   link ─GET events (Last-Event-ID)→ daemon      over and over, with growing pauses; nothing twice, nothing lost
//        ─POST commands (Idempotency-Key)→        one after the other; again when nobody answered
import { randomUUID } from "node:crypto";
import type { AskOutcome, Sent } from "../../contract/asks.js";
import type { AgentEnd } from "../../contract/hosted-sessions.js";
import { FRAME_BYTES_MAX } from "../../contract/limits.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { AgentExit } from "../agent-process.js";
import type { DialectLinkHandlers, SessionLink } from "../dialect-link.js";
import { SseDecoder } from "../dialects/frames/sse-decoder.js";
import { within } from "../within.js";
import { CommandSender } from "./command-sender.js";
import { askDaemon, type DaemonAddress, DaemonUnproven } from "./daemon-request.js";
import { type After, GrowingPause } from "./growing-pause.js";
import { StreamWords } from "./stream-words.js";

export interface DaemonLinkOptions extends DialectLinkHandlers, DaemonAddress {
  readonly sessionId: string;
  /** What this front end is called; others see it when it has answered. */
  readonly name?: string;
  /** Where the daemon is now: one that was started again may be elsewhere. Null when it is not there. */
  find?(): Promise<DaemonAddress | null>;
  /** A question that is shown here was settled by somebody else; without it the question is merely withdrawn. */
  onAskSettled?(askId: string, outcome: AskOutcome): void;
  /** Everything that happened before has been told; from now on it is live. Also after each interruption. */
  onCaughtUp?(): void;
  /** About how much of the end of the transcript is wanted at first; all of it when this is missing. */
  readonly tailChars?: number;
  /** There is more, before this number; `readEarlier` reads it. */
  onEarlier?(before: number): void;
  readonly after?: After;
}

/** A daemon says something every fifteen seconds; one that is silent for three times as long is not there any more. */
const SILENCE_MS_MAX = 45_000;

/** How long leaving waits for commands that are on their way. */
const FAREWELL_MS = 1_000;

/** Answers that will not change by asking again, and what they mean to a person. */
const finalAnswers: ReadonlyMap<number, string> = new Map([
  [401, "the daemon refuses the token"],
  [403, "the daemon refuses this address"],
  [404, "the daemon does not have this session any more"],
]);

export function openDaemonLink(options: DaemonLinkOptions): SessionLink {
  return new DaemonLink(options).link;
}

class DaemonLink {
  readonly link: SessionLink;
  private readonly options: DaemonLinkOptions;
  private readonly frontEnd = randomUUID();
  private readonly words: StreamWords;
  private readonly sender: CommandSender;
  private readonly leaving = new AbortController();
  private readonly pause: GrowingPause;
  private readonly after: After;
  private exit: AgentExit | null = null;
  private leave: (exit: AgentExit) => void = () => undefined;
  private isTold = false;
  private attempts = 0;

  constructor(options: DaemonLinkOptions) {
    this.options = options;
    this.after = options.after ?? afterMs;
    const { signal } = this.leaving;
    this.pause = new GrowingPause(this.after, signal);
    this.words = new StreamWords({
      onEvent: (event) => options.onEvent(event),
      ...(options.onAskSettled && { onAskSettled: (id, outcome) => options.onAskSettled?.(id, outcome) }),
      onCaughtUp: () => options.onCaughtUp?.(),
      onEarlier: (before) => options.onEarlier?.(before),
      nowMs: () => options.nowMs(),
      onHello: () => this.tellConnection(null),
      onEnded: ({ code, signal: by, error, stderrTail }: AgentEnd) =>
        this.end({ code, signal: by as AgentExit["signal"], error, stderrTail }),
    });
    this.sender = new CommandSender({
      address: () => this.address(),
      path: `${this.path("commands")}&by=${encodeURIComponent(options.name ?? "terminal")}`,
      after: this.after,
      signal,
      onEvent: (event) => options.onEvent(event),
      onLate: (askId, outcome) => this.words.settle(askId, outcome),
    });
    const exited = new Promise<AgentExit>((resolve) => {
      this.leave = resolve;
    });
    // The daemon drops what a slow reader cannot take, and says so.
    const setFlow = () => undefined;
    this.link = { send: (command) => this.send(command), setFlow, exited, stop: () => this.stop(exited) };
    void this.follow();
  }

  // To leave is our own business, and that nobody answered here does not mean that nobody will.
  private send(command: LinesCommand): Sent {
    if (this.exit !== null) return "lost";
    if (command.type === "quit") return "delivered";
    if (command.type === "ui_response" && command.error !== undefined && command.error !== null) return "delivered";
    return this.sender.send(command);
  }

  private async stop(exited: Promise<AgentExit>): Promise<AgentExit> {
    await within(this.sender.drained(), FAREWELL_MS);
    this.end({ code: 0, signal: null, error: null, stderrTail: "" });
    return exited;
  }

  private end(exit: AgentExit): void {
    if (this.exit !== null) return;
    this.exit = exit;
    this.leaving.abort();
    this.leave(exit);
  }

  private async follow(): Promise<void> {
    while (this.exit === null) {
      if ((await this.readOnce()) === "read") this.pause.reset();
      if (this.exit !== null) return;
      this.tellConnection(this.pause.nextMs);
      await this.pause.wait();
    }
  }

  private async readOnce(): Promise<"read" | "failed"> {
    const silence = new AbortController();
    let cancelSilence = () => {};
    const hear = () => {
      cancelSilence();
      cancelSilence = this.after(SILENCE_MS_MAX, () => silence.abort());
    };
    try {
      hear();
      const stream = await this.openStream(AbortSignal.any([this.leaving.signal, silence.signal]));
      if (stream === null) return "failed";
      const decoder = new SseDecoder({ eventCharsMax: FRAME_BYTES_MAX });
      for await (const chunk of stream) {
        hear();
        for (const event of decoder.push(chunk)) if (this.exit === null) this.words.take(event);
      }
      return "read";
    } catch (error) {
      // Interrupted, or not there; either way there will be another attempt, unless there is only this one address.
      const isFinal = error instanceof DaemonUnproven && this.options.find === undefined;
      if (isFinal) this.end({ code: null, signal: null, error: "the daemon does not know the token", stderrTail: "" });
      return "failed";
    } finally {
      cancelSilence();
    }
  }

  private async openStream(signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null> {
    const address = await this.address();
    if (address === null) return null;
    const { lastId } = this.words;
    const place: Record<string, string> = lastId === null ? {} : { "last-event-id": lastId };
    const { name = "terminal", tailChars } = this.options;
    const tail = tailChars === undefined ? "" : `&tail=${tailChars}`;
    const path = `${this.path("events")}&name=${encodeURIComponent(name)}${tail}`;
    const answer = await askDaemon(address, path, { headers: { accept: "text/event-stream", ...place }, signal });
    if (answer.statusCode === 200) return answer;
    answer.destroy();
    const error = finalAnswers.get(answer.statusCode ?? 0);
    if (error !== undefined) this.end({ code: null, signal: null, error, stderrTail: "" });
    return null;
  }

  // Whoever opens a link has just found the daemon; afterwards it may be elsewhere.
  private async address(): Promise<DaemonAddress | null> {
    const { find, url, token } = this.options;
    const isThere = find === undefined || this.attempts === 0;
    this.attempts += 1;
    return isThere ? { url, token } : find.call(this.options);
  }

  private path(what: "events" | "commands"): string {
    return `/sessions/${encodeURIComponent(this.options.sessionId)}/${what}?front_end=${this.frontEnd}`;
  }

  // In the status line, where it does not disturb the transcript.
  private tellConnection(retryInMs: number | null): void {
    if (retryInMs === null && !this.isTold) return;
    this.isTold = retryInMs !== null;
    const text = retryInMs === null ? null : `daemon away, trying again in ${(retryInMs / 1_000).toFixed(1)} s`;
    this.options.onEvent({ type: "status.changed", sessionId: null, key: "daemon", text });
  }
}

const afterMs: After = (delayMs, run) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

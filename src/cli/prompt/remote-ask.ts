// Leaves asks at the daemon of the project, where they can be answered from elsewhere: palaver answer, palaver attach, or
// whatever else speaks with it. A question waits on one open request; a daemon that goes away is looked for again for a
// while, because it may only have been restarted, and then the question waits there under the same id.
//
//   leave ─► find ─► POST /asks ─asked─► … ─settled─► the outcome
//              ▲          └── lost ──┐
//              └──── a pause ◄───────┘      too long: it fails

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { DaemonAddress } from "../../agents/remote/daemon-proof.js";
import { askDaemon, jsonAnswerOf, refusalWords } from "../../agents/remote/daemon-request.js";
import { GrowingPause } from "../../agents/remote/daemon-stream.js";
import type { Ask, AskOutcome } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { askedEventSchema, type PostedAskParams, settledEventSchema } from "../../contract/posted-asks.js";
import { SseDecoder, type SseEvent } from "../../contract/sse-decoder.js";
import { SilenceWatch } from "../../server/client/log-follower.js";
import { isSameQuestion } from "../../session/ask-facts.js";
import type { ScreenClock } from "../../terminal/painter/inline-screen.js";
import { createRedactor, secretsIn } from "../../text/redact.js";
import type { WaitingRoom } from "../../views/mini/ask-decider.js";
import { addressOf, NO_DAEMON } from "../daemon-connection.js";
import { processClock } from "../process-clock.js";

export interface DaemonWaitingRoomOptions {
  readonly clock: ScreenClock;
  /** Null when no daemon runs; rejects, in words, when one does not answer. */
  find(): Promise<DaemonAddress | null>;
  /** The question as others may see it. */
  shown(ask: Ask): Ask;
  /** "returns": this run may be killed and resumed, so that its questions stay open without it. */
  asker(): "reconnects" | "returns";
  /** What an earlier run left, and under which id: the same question is not left twice, and may have an answer. */
  readonly earlier?: { readonly ask: Ask; readonly id: string };
}

/** A question on its way: under which id, and how it is taken back. */
interface LeftAsk {
  readonly ask: Ask;
  readonly id: string;
  readonly abort: AbortSignal;
  onLeft(id: string): void;
}

/** How long a daemon that went away may take to come back. */
const AWAY_MS_MAX = 30_000;
const TAKE_BACK_MS_MAX = 2_000;

function newId(): string {
  return `p${randomBytes(8).toString("hex")}`;
}

export class RemoteAsk implements WaitingRoom {
  private readonly options: DaemonWaitingRoomOptions;
  private readonly waiting = new Map<string, AbortController>();

  constructor(options: DaemonWaitingRoomOptions) {
    this.options = options;
  }

  async leave(ask: Ask, onLeft: (id: string) => void): Promise<AskOutcome> {
    const { earlier } = this.options;
    const id = earlier !== undefined && isSameQuestion(earlier.ask, ask) ? earlier.id : newId();
    const abort = new AbortController();
    this.waiting.set(ask.id, abort);
    try {
      return await this.wait({ ask, id, abort: abort.signal, onLeft });
    } finally {
      this.waiting.delete(ask.id);
      if (abort.signal.aborted && this.options.asker() === "returns") await this.takeBack(id);
    }
  }

  /** Disconnects; the daemon then withdraws the ask. */
  withdraw(askId: string): void {
    this.waiting.get(askId)?.abort();
  }

  // A daemon that does not answer now gives the question up by itself, later.
  private async takeBack(id: string): Promise<void> {
    const address = await this.options.find().catch(() => null);
    if (address === null) return;
    const signal = AbortSignal.timeout(TAKE_BACK_MS_MAX);
    await askDaemon(address, `/asks/${id}`, { method: "DELETE", signal }).then(
      (answer) => answer.resume(),
      () => undefined,
    );
  }

  private async wait(left: LeftAsk): Promise<AskOutcome> {
    const { abort } = left;
    const { clock } = this.options;
    const pause = new GrowingPause(clock.after, abort);
    let lostAtMs: number | null = null;
    while (!abort.aborted) {
      const visit = await this.visit(left);
      if (visit.kind === "settled") return visit.outcome;
      if (visit.kind === "left") {
        lostAtMs = clock.nowMs();
        pause.reset();
      }
      // A refused ask fails at once; an accepted one waits for the daemon to come back.
      if (lostAtMs === null) throw new Error(visit.kind === "refused" ? visit.why : "");
      if (clock.nowMs() - lostAtMs >= AWAY_MS_MAX) throw new Error(`the daemon went away; ${NO_DAEMON}`);
      await pause.wait();
    }
    return { kind: "withdrawn", reason: "shutdown" };
  }

  private async visit(left: LeftAsk): Promise<Visit> {
    const { abort, onLeft } = left;
    const address = await this.options.find().catch((error: unknown) => errorMessage(error));
    if (address === null) return { kind: "refused", why: NO_DAEMON };
    if (typeof address === "string") return { kind: "refused", why: address };
    const silence = new SilenceWatch(this.options.clock, abort);
    silence.heard();
    let visit: Visit = { kind: "refused", why: NO_DAEMON };
    try {
      const answer = await askDaemon(address, "/asks", {
        method: "POST",
        body: this.body(left),
        signal: silence.signal,
      });
      if (answer.statusCode !== 200) return { kind: "refused", why: await wordsOf(answer) };
      const decoder = new SseDecoder();
      for await (const chunk of answer) {
        silence.heard();
        for (const event of decoder.push(chunk)) {
          const settled = this.hear(event, onLeft);
          if (settled !== null) return settled;
          visit = { kind: "left" };
        }
      }
    } catch {
      // Not there, gone in the middle, or taken back: what was heard before says which.
    } finally {
      silence.end();
    }
    return visit;
  }

  private hear({ name, data }: SseEvent, onLeft: (id: string) => void): Visit | null {
    const value: unknown = JSON.parse(data);
    if (name === "asked") onLeft(askedEventSchema.parse(value).id);
    if (name !== "settled") return null;
    const outcome = settledEventSchema.parse(value);
    // A daemon that ends takes everything back; the next one may be there in a moment.
    const isEnding = outcome.kind === "withdrawn" && outcome.reason === "shutdown";
    return isEnding ? { kind: "left" } : { kind: "settled", outcome };
  }

  private body({ ask, id }: LeftAsk): PostedAskParams {
    const { question, origin, deadlineMs } = this.options.shown(ask);
    const leftMs = deadlineMs === null ? null : Math.max(1, deadlineMs - this.options.clock.nowMs());
    const kept = { id, returns: this.options.asker() === "returns", history: "asker" as const };
    return { question, origin, ...kept, ...(leftMs === null ? {} : { timeout_ms: leftMs }) };
  }
}

type Visit =
  | { readonly kind: "settled"; readonly outcome: AskOutcome }
  /** The question was there, and then the daemon was not. */
  | { readonly kind: "left" }
  | { readonly kind: "refused"; readonly why: string };

async function wordsOf(answer: IncomingMessage): Promise<string> {
  const takesNone = answer.statusCode === 404 || answer.statusCode === 405;
  if (takesNone) return "the daemon of this project takes no questions: it was started without them";
  return `the daemon did not take the question: ${refusalWords(await jsonAnswerOf(answer))}`;
}

/** Leaves questions at the daemon of this project; warns early when none runs. */
export async function waitingRoomHere(
  run: Pick<DaemonWaitingRoomOptions, "asker" | "earlier">,
  onWarning: (words: string) => void,
): Promise<WaitingRoom> {
  const find = () => addressOf({});
  const redactor = createRedactor(secretsIn(process.env));
  if ((await find().catch(() => null)) === null) onWarning(`--on-ask wait: ${NO_DAEMON}`);
  return new RemoteAsk({
    clock: processClock,
    find,
    ...run,
    shown: (ask) => redactor.value(ask) as Ask,
  });
}

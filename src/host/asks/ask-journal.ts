// The asks of a daemon on disk, so that they survive a killed daemon. The next daemon reopens those whose asker comes back,
// under their ids, has the outcomes for askers that were away, and ends the others with a reason.
import type { Ask, AskOutcome, AuditRecord } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { FileLog } from "../../hub/file-log.js";
import { auditRecordOf, isSecret } from "../../session/asks.js";

/**
 * What happens to an ask when its asker is gone. "ends": it is withdrawn. "reconnects": the asker lives, and comes back to the
 * next daemon in a moment. "returns": the asker may be started again, days later.
 */
export type Asker = "ends" | "reconnects" | "returns";

interface Question {
  /** Its deadline is on the wall clock. */
  readonly ask: Ask;
  readonly askedAtMs: number;
  readonly asker: Asker;
  /** For the history. */
  readonly agent: string;
}

export interface AskJournalOptions {
  readonly path: string;
  /** The clock of the asks. */
  readonly nowMs: () => number;
  readonly wallMs?: () => number;
  /** Something could not be written; the ask is in memory all the same. */
  onProblem(words: string): void;
}

/** An ask of an earlier daemon that is open again. */
export interface ReopenedAsk {
  readonly ask: Ask;
  readonly asker: Exclude<Asker, "ends">;
}

/** An ask that is over because the daemon was killed, for the history. */
export interface LostAsk {
  readonly record: AuditRecord;
  readonly agent: string;
}

interface RestoredAsks {
  readonly open: readonly ReopenedAsk[];
  readonly lost: readonly LostAsk[];
}

/** There is one daemon in its own journal. */
const here = { machine: "here", daemon: "here" } as const;

export class AskJournal {
  private readonly options: AskJournalOptions;
  private readonly wallMs: () => number;
  private log: FileLog | null = null;

  constructor(options: AskJournalOptions) {
    this.options = options;
    this.wallMs = options.wallMs ?? Date.now;
  }

  /** Nothing is kept before this, for the file belongs to the daemon that has the project. */
  open(): RestoredAsks {
    const { path, wallMs = Date.now } = this.options;
    let restored: RestoredAsks = { open: [], lost: [] };
    this.write(() => {
      this.log = new FileLog({ path, wallMs });
      restored = this.restored(this.log);
    });
    return restored;
  }

  raised(ask: Ask, asker: Asker, agent: string): void {
    const deadlineMs = ask.deadlineMs === null ? null : ask.deadlineMs + this.offsetMs;
    const question: Question = { ask: { ...ask, deadlineMs }, askedAtMs: this.wallMs(), asker, agent };
    this.write(() => void this.log?.put({ kind: "question", ...here, ask: ask.id }, bytesOf(question)));
  }

  /** There is an outcome, which the agent does not have yet. */
  settled({ id }: Ask, outcome: AskOutcome): void {
    this.write(() => void this.log?.put({ kind: "answer", ...here, ask: id, person: "here" }, bytesOf(outcome)));
  }

  /** The ask is over: nothing remains to be done about it. */
  ended(askId: string, outcome: AskOutcome): void {
    this.write(() => void this.log?.put({ kind: "end", ...here, ask: askId }, bytesOf(outcome)));
  }

  /** How an ask ended; null when it did not, or when that was long ago. A secret is not on disk: its ask has to be answered again. */
  outcomeOf(askId: string): AskOutcome | null {
    const end = this.read({ kind: "end", ask: askId }) as AskOutcome | null;
    if (end?.kind !== "answered") return end;
    const question = this.read({ kind: "question", ask: askId }) as Question | null;
    return question !== null && isSecret(question.ask) ? null : end;
  }

  private restored(log: FileLog): RestoredAsks {
    const open: ReopenedAsk[] = [];
    const lost: LostAsk[] = [];
    for (const { subject } of log.all("question")) {
      const question = this.read({ kind: "question", ask: subject.ask }) as Question | null;
      if (question === null || this.read({ kind: "end", ask: subject.ask }) !== null) continue;
      const { ask, asker, agent } = question;
      const deadlineMs = ask.deadlineMs === null ? null : ask.deadlineMs - this.offsetMs;
      if (asker !== "ends") open.push({ ask: { ...ask, deadlineMs }, asker });
      else lost.push({ record: this.lostRecord(question, log), agent });
    }
    for (const { record } of lost) this.ended(record.askId, record.outcome);
    return { open, lost };
  }

  private lostRecord({ ask, askedAtMs }: Question, log: FileLog): AuditRecord {
    const nowMs = this.options.nowMs();
    const answer = log.nextAnswer({ ...here, ask: ask.id }, 0);
    const outcome = answer === null ? lostAsker : (JSON.parse(Buffer.from(answer.body).toString()) as AskOutcome);
    const settledAtMs = answer === null ? nowMs : answer.atMs - this.offsetMs;
    const entry = { ask, outcome, settledAtMs, askedAtMs: askedAtMs - this.offsetMs, shownAtMs: null };
    return auditRecordOf(entry, answer === null ? null : { result: "lost", atMs: nowMs });
  }

  /** From the clock of the asks, which starts again with each boot, to the wall clock. */
  private get offsetMs(): number {
    return this.wallMs() - this.options.nowMs();
  }

  private read({ kind, ask }: { kind: "question" | "end"; ask: string }): unknown {
    const body = this.log?.get({ kind, ...here, ask });
    return body == null ? null : JSON.parse(Buffer.from(body).toString());
  }

  private write(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.options.onProblem(`the journal of asks could not be written: ${errorMessage(error)}`);
    }
  }
}

const lostAsker: AskOutcome = { kind: "withdrawn", reason: "disconnected" };

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

// The hub stores the questions of many daemons, their answers and their ends, and shows current activity. It is a port, which
// NATS implements. Bodies are bytes that it never reads. What the rules of asks need of it:
//
//   question, answer, end   written once and never changed; the first answer in the log that fits is the one that counts
//   open, session, daemon   what is so now: replaced by the next value, removed by null
//   shown                   a member's view tells the daemon that asked; it is not stored, and lost where that daemon is away
import * as z from "zod";

/** A part of a name at the hub: it becomes a token of a subject, or a part of a key. */
const namePart = z.string().regex(/^[\w-]{1,64}$/);

const daemonAddressSchema = z.object({ machine: namePart, daemon: namePart });
const askAddressSchema = daemonAddressSchema.extend({ ask: namePart });

const onceSubjectSchema = z.discriminatedUnion("kind", [
  askAddressSchema.extend({ kind: z.literal("question") }),
  askAddressSchema.extend({ kind: z.literal("answer"), person: namePart }),
  askAddressSchema.extend({ kind: z.literal("end") }),
]);

const nowSubjectSchema = z.discriminatedUnion("kind", [
  askAddressSchema.extend({ kind: z.literal("open") }),
  daemonAddressSchema.extend({ kind: z.literal("session"), session: namePart }),
  daemonAddressSchema.extend({ kind: z.literal("daemon") }),
]);

const shownSubjectSchema = askAddressSchema.extend({ kind: z.literal("shown"), person: namePart });

export const subjectSchema = z.union([onceSubjectSchema, nowSubjectSchema, shownSubjectSchema]);

export type DaemonAddress = z.infer<typeof daemonAddressSchema>;
export type AskAddress = z.infer<typeof askAddressSchema>;
export type OnceSubject = z.infer<typeof onceSubjectSchema>;
export type NowSubject = z.infer<typeof nowSubjectSchema>;
export type ShownSubject = z.infer<typeof shownSubjectSchema>;
export type HubSubject = OnceSubject | NowSubject | ShownSubject;

export interface HubRecord<Subject extends HubSubject = OnceSubject> {
  readonly subject: Subject;
  /** Its place in the log. */
  readonly seq: number;
  /** By the clock of the hub. */
  readonly atMs: number;
  readonly body: Uint8Array;
}

export type AnswerRecord = HubRecord<Extract<OnceSubject, { kind: "answer" }>>;
export type EndRecord = HubRecord<Extract<OnceSubject, { kind: "end" }>>;

export interface NowListener {
  /** Null: it is gone. */
  onNow(subject: NowSubject, body: Uint8Array | null): void;
  /** All that was so when the watch began, or began again after a lost connection, has been told. */
  onCaughtUp(): void;
  /** The connection is lost; `onCaughtUp` says when it is back. */
  onLost?(): void;
}

/** Of a machine, one of its daemons, or one question. */
export type WatchedPart = { readonly machine: string } | DaemonAddress | AskAddress;

export interface Hub {
  /**
   * Resolves when the record is durable. "exists": another record has this subject; the same bytes again are stored once and
   * are "stored" each time, so that a caller that does not know whether a write arrived repeats it.
   */
  put(subject: OnceSubject, body: Uint8Array): Promise<"stored" | "exists">;
  get(subject: OnceSubject): Promise<Uint8Array | null>;
  /** The first answer in the log behind this place; 0 begins. The first that fits the question is the one that counts. */
  nextAnswer(address: AskAddress, afterSeq: number): Promise<AnswerRecord | null>;
  set(subject: NowSubject, body: Uint8Array | null): Promise<void>;
  /** Tells what is so now, of everyone or of what is named, then every change. The returned function ends it. */
  watch(listener: NowListener, of?: WatchedPart): Promise<() => void>;
  /**
   * A hint that there may be an answer to a question of this daemon; "any" from time to time. "reconnected": the hub may be another
   * one than before, a new one or one from a backup.
   */
  onAnswer(address: DaemonAddress, listener: (ask: string | "any" | "reconnected") => void): () => void;
  tellShown(subject: ShownSubject, body: Uint8Array): void;
  onShown(address: DaemonAddress, listener: (subject: ShownSubject, body: Uint8Array) => void): () => void;
  /** Says when the connection is lost, and when it is back. The returned function ends it. */
  onConnection(listener: (is: "lost" | "back") => void): () => void;
  /** The newest ends, the oldest of them first. */
  ends(recordsMax: number): Promise<EndRecord[]>;
  close(): Promise<void>;
}

/** The store would lose what it has confirmed, or let it be changed; the message says why. */
export class LossyHubError extends Error {}

/** Throws for a name that cannot stand in a subject. */
export function subjectKey(subject: HubSubject): string {
  const { kind, machine, daemon, ...rest } = subjectSchema.parse(subject) as Record<string, string>;
  return [kind, machine, daemon, rest["ask"] ?? rest["session"], rest["person"]].filter(Boolean).join("/");
}

export function isOnce(subject: HubSubject): subject is OnceSubject {
  return subject.kind === "question" || subject.kind === "answer" || subject.kind === "end";
}

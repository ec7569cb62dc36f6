// The subjects of the hub on NATS. Machine and user are part of the subject, so that the server's permissions decide who may
// write what, and no client has to be trusted.
//
//   pv.question.MACHINE.DAEMON.ASK            pv.now.MACHINE.DAEMON.open.ASK
//   pv.answer.MACHINE.DAEMON.ASK.PERSON       pv.now.MACHINE.DAEMON.session.SESSION
//   pv.end.MACHINE.DAEMON.ASK                 pv.now.MACHINE.DAEMON.daemon.here
//   pv.body.MACHINE.HASH.PART                 (of a question that is larger than a message)
//   pv.shown.MACHINE.DAEMON.ASK.PERSON        (a message that no stream stores)
//
// The server repeats what it has stored on pv.answered.… and pv.live.…; there is no consumer at all.
import { type HubSubject, type NowSubject, type OnceSubject, subjectSchema, type WatchedPart } from "../hub.js";

/** The name of the hub's JetStream: a leaf node passes requests on only to one that has a name. */
export const DOMAIN = "hub";
export const API = `$JS.${DOMAIN}.API`;

/** Behind it is the name of a stream; the server says so to everyone of the account. */
export const LEADER_ELECTED = "$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED.";

export const streamNames = {
  question: "PV_QUESTIONS",
  answer: "PV_ANSWERS",
  end: "PV_ENDS",
  now: "PV_NOW",
  body: "PV_BODIES",
} as const;

/** Throws for a name that cannot stand in a subject. */
export function natsSubject(subject: HubSubject): string {
  subjectSchema.parse(subject);
  const { kind, machine, daemon } = subject;
  switch (kind) {
    case "question":
    case "end":
      return `pv.${kind}.${machine}.${daemon}.${subject.ask}`;
    case "answer":
    case "shown":
      return `pv.${kind}.${machine}.${daemon}.${subject.ask}.${subject.person}`;
    case "open":
      return `pv.now.${machine}.${daemon}.open.${subject.ask}`;
    case "session":
      return `pv.now.${machine}.${daemon}.session.${subject.session}`;
    case "daemon":
      return `pv.now.${machine}.${daemon}.daemon.here`;
  }
}

/** Behind `pv.now.` and `pv.live.`. */
export function watchedSubjects(of: WatchedPart | undefined): string {
  if (of === undefined) return ">";
  if ("ask" in of) return natsSubject({ kind: "open", ...of }).slice("pv.now.".length);
  return "daemon" in of ? `${of.machine}.${of.daemon}.>` : `${of.machine}.>`;
}

export function partSubject(machine: string, hash: string, part: number): string {
  return `pv.body.${machine}.${hash}.${part}`;
}

export function streamOf({ kind }: OnceSubject): string {
  return streamNames[kind];
}

/** Null for a subject that is not one of these. `pv.live` and `pv.answered` stand for what they repeat. */
export function parsedSubject(subject: string): HubSubject | null {
  const [prefix, kind = "", machine, daemon, third, fourth] = subject.split(".");
  if (prefix !== "pv") return null;
  const isNow = kind === "now" || kind === "live";
  const given = isNow
    ? { kind: third, machine, daemon, [third === "open" ? "ask" : "session"]: fourth }
    : { kind: kind === "answered" ? "answer" : kind, machine, daemon, ask: third, person: fourth };
  return subjectSchema.safeParse(given).data ?? null;
}

export function parsedNow(subject: string): NowSubject | null {
  const parsed = parsedSubject(subject);
  return parsed?.kind === "open" || parsed?.kind === "session" || parsed?.kind === "daemon" ? parsed : null;
}

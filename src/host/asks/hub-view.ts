// The hub as its members see it: open asks of all machines, sessions and daemons, and answers in the member's own name. An
// answer counts once the daemon that asked has accepted it; until then it is only stored.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { askOfMachine } from "../../agents/entered-ask.js";
import type { AskHistoryEntry } from "../../contract/ask-history.js";
import type { Ask } from "../../contract/asks.js";
import { type HostedSessionEntry, hostedSessionSchema } from "../../contract/hosted-sessions.js";
import {
  AWAY_AFTER_MS,
  type HubAnswer,
  type HubEnd,
  type HubQuestion,
  hubAnswerSchema,
  hubDaemonSchema,
  hubEndSchema,
  hubQuestionSchema,
  type Showing,
} from "../../contract/hub-bodies.js";
import { OPEN_ASKS_MAX } from "../../contract/limits.js";
import { type AskAddress, type Hub, type NowListener, type NowSubject, subjectKey } from "../../hub/hub.js";
import { isSecret } from "../../session/asks.js";
import { realTimers, type Timers } from "../../system/timers.js";
import type { AskAnswer } from "./ask-port.js";
import { bytesOf, hashOf, parsed } from "./hub-link.js";

export interface HubAsk extends HubQuestion {
  readonly address: AskAddress;
  /** Of the bytes that were read. */
  readonly hash: string;
}

export interface HubSession {
  readonly machine: string;
  readonly entry: HostedSessionEntry;
  /** When its daemon was heard last; null when it was not. */
  readonly daemon: "here" | "away";
}

export interface HubHistoryEntry extends AskHistoryEntry {
  readonly machine: string;
  /** Where the answer was given, by that machine's own word. */
  readonly from?: string;
  /** In which views of members it was shown, the first one first. */
  readonly shown: HubEnd["shown"];
}

export type HubVerdict =
  | { readonly kind: "taken" }
  /** Another answer was first, or the ask ended in another way. Null when its daemon was killed. */
  | { readonly kind: "late"; readonly entry: AskHistoryEntry | null }
  /** The daemon that asked has not been heard yet; it takes the first answer when it comes back. */
  | { readonly kind: "stored"; readonly first: string };

/** The oldest first. What cannot be read is left out. */
export async function hubAsks(hub: Hub): Promise<HubAsk[]> {
  const open = [...(await whatIsNow(hub)).values()].flatMap(({ subject }) =>
    subject.kind === "open" ? [subject] : [],
  );
  const asks = await Promise.all(open.map((subject) => hubAsk(hub, subject)));
  return asks.filter((ask) => ask !== null).sort((a, b) => a.askedAt.localeCompare(b.askedAt));
}

async function hubAsk(hub: Hub, { machine, daemon, ask }: AskAddress): Promise<HubAsk | null> {
  const address = { machine, daemon, ask };
  const body = await hub.get({ kind: "question", ...address });
  const read = body === null ? null : hubQuestionSchema.safeParse(parsed(body));
  if (body === null || !read?.success || read.data.ask.id !== ask) return null;
  const { data } = read;
  const onlyThere = isSecret(data.ask) ? "secret" : data.onlyThere;
  return { ...data, ask: askOfMachine(data.ask, data.project), onlyThere, address, hash: hashOf(body) };
}

/**
 * The ask under an id of the view, because two machines may choose the same id. The machine's name comes first: the broker has
 * checked it, and the rest is what the machine says.
 */
export function shownHubAsk(id: string, { ask, address, project }: HubAsk, shiftMs: number): Ask {
  const { name } = ask.origin;
  const place = `${address.machine} in ${project}`;
  return {
    ...{ ...ask, id, sessionId: null, turnId: null },
    origin: { ...ask.origin, name: name === undefined ? place : `${place}: ${name}` },
    deadlineMs: ask.deadlineMs === null ? null : Math.round(ask.deadlineMs + shiftMs),
  };
}

interface HubAskListener extends Partial<NowListener> {
  onOpen(ask: HubAsk): void;
  onClosed(address: AskAddress): void;
}

/** Tells of every question once, as soon as it can be read, and when it is not open any more. The returned function ends it. */
export function watchHubAsks(
  hub: Hub,
  { onOpen, onClosed, onNow: onOther, onCaughtUp = () => undefined, onLost = () => undefined }: HubAskListener,
): Promise<() => void> {
  const known = new Set<string>();
  const openAt = new Map<string, number>();
  const count = (machine: string, step: 1 | -1) => openAt.set(machine, (openAt.get(machine) ?? 0) + step);
  const onNow = (subject: NowSubject, body: Uint8Array | null) => {
    if (subject.kind !== "open") return onOther?.(subject, body);
    const key = subjectKey(subject);
    if (body === null) {
      const { kind: _, ...address } = subject;
      if (!known.delete(key)) return;
      count(subject.machine, -1);
      onClosed(address);
    } else if (!known.has(key) && (openAt.get(subject.machine) ?? 0) < OPEN_ASKS_MAX) {
      known.add(key);
      count(subject.machine, 1);
      // The next reading of the hub tells of it again when this one fails.
      hubAsk(hub, subject).then(
        (ask) => ask !== null && known.has(key) && onOpen(ask),
        () => known.delete(key) && count(subject.machine, -1),
      );
    }
  };
  return hub.watch({ onNow, onCaughtUp, onLost });
}

export async function hubSessions(hub: Hub, wallMs: number): Promise<HubSession[]> {
  const now = await whatIsNow(hub);
  return [...now.values()].flatMap(({ subject, body }): HubSession[] => {
    const entry = subject.kind === "session" ? hostedSessionSchema.safeParse(parsed(body)).data : undefined;
    if (entry === undefined) return [];
    const { machine, daemon } = subject;
    const beat = now.get(subjectKey({ kind: "daemon", machine, daemon }));
    const at = beat === undefined ? undefined : hubDaemonSchema.safeParse(parsed(beat.body)).data?.at;
    const isHere = at !== undefined && wallMs - Date.parse(at) < AWAY_AFTER_MS;
    return [{ machine, entry: entry as HostedSessionEntry, daemon: isHere ? "here" : "away" }];
  });
}

/** The newest last. */
export async function hubHistory(hub: Hub, entriesMax: number): Promise<HubHistoryEntry[]> {
  const ends = await hub.ends(entriesMax);
  return ends.flatMap(({ subject, body }) => {
    const { entry, taken, shown = [] } = hubEndSchema.safeParse(parsed(body)).data ?? {};
    if (!entry) return [];
    const from = taken?.from === undefined ? {} : { from: taken.from };
    const inOrder = shown.toSorted((one, other) => one.at.localeCompare(other.at));
    const shownAt = entry.shownAt ?? inOrder[0]?.at ?? null;
    return [{ ...entry, shownAt, machine: subject.machine, ...from, shown: inOrder }];
  });
}

/** A daemon that is there takes an answer in far less. */
export const ANSWER_WAIT_MS_MAX = 5_000;

export interface AnswerOptions {
  readonly person: string;
  readonly waitMsMax: number;
  readonly timers?: Timers;
  /** Where and when this member saw the question. */
  readonly shown?: Showing | undefined;
}

/** Resolves when the daemon has taken it, when it was too late, or when the daemon was not heard in time. */
export async function answerHubAsk(
  hub: Hub,
  ask: HubAsk,
  answer: AskAnswer,
  options: AnswerOptions,
): Promise<HubVerdict> {
  const { address } = ask;
  const { person, waitMsMax, timers = realTimers, shown } = options;
  let changed: () => void = () => undefined;
  const stop = await hub.watch({ onNow: () => changed(), onCaughtUp: () => changed() }, address);
  try {
    const stored = await storeAnswer(hub, ask, answer, { person, shown });
    const verdict = new Promise<HubVerdict>((resolve) => {
      const cancel = timers.after(waitMsMax, () => {
        const givenUp = (first: string | null) => resolve({ kind: "stored", first: first ?? person });
        firstAnswerOf(hub, ask).then(givenUp, () => givenUp(null));
      });
      changed = () => {
        void endOf(hub, address).then((end) => {
          if (end === null) return;
          cancel();
          resolve(
            end.taken?.person === person && stored === "stored"
              ? { kind: "taken" }
              : { kind: "late", entry: end.entry },
          );
        });
      };
    });
    changed();
    return await verdict;
  } finally {
    stop();
  }
}

/** "exists": this person has answered it before. */
export function storeAnswer(
  hub: Hub,
  { address, hash: question }: HubAsk,
  answer: AskAnswer,
  { person, shown }: Pick<AnswerOptions, "person" | "shown">,
): Promise<"stored" | "exists"> {
  const nonce = randomBytes(12).toString("hex");
  const given = answer === "cancel" ? ({ cancel: true } as const) : answer;
  const seen = shown === undefined ? {} : { shown };
  const body: HubAnswer = { version: 1, nonce, from: hostname(), question, ...seen, answer: given };
  return hub.put({ kind: "answer", ...address, person }, bytesOf(body));
}

/** Who has answered the question first, whether its daemon has taken that or not. */
export async function firstAnswerOf(hub: Hub, { address, hash }: HubAsk): Promise<string | null> {
  for (let afterSeq = 0; ; ) {
    const answer = await hub.nextAnswer(address, afterSeq);
    if (answer === null) return null;
    if (hubAnswerSchema.safeParse(parsed(answer.body)).data?.question === hash) return answer.subject.person;
    afterSeq = answer.seq;
  }
}

export async function endOf(hub: Hub, address: AskAddress): Promise<HubEnd | null> {
  const body = await hub.get({ kind: "end", ...address }).catch(() => null);
  return body === null ? null : (hubEndSchema.safeParse(parsed(body)).data ?? null);
}

async function whatIsNow(hub: Hub): Promise<Map<string, { subject: NowSubject; body: Uint8Array }>> {
  const now = new Map<string, { subject: NowSubject; body: Uint8Array }>();
  const onNow = (subject: NowSubject, body: Uint8Array | null) => {
    if (body === null) now.delete(subjectKey(subject));
    else now.set(subjectKey(subject), { subject, body });
  };
  const stop = await hub.watch({ onNow, onCaughtUp: () => undefined });
  stop();
  return now;
}

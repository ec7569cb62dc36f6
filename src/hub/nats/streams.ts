// The streams of the hub with the limits that its rules need, and what is wrong with those of a server. A server that could
// lose or replace written answers is refused with the reason before anything is asked through it.
import { isDeepStrictEqual } from "node:util";
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  PersistMode,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { type NatsConnection, TimeoutError } from "@nats-io/transport-node";
import { DOMAIN, streamNames } from "./subjects.js";

const DAY_NANOS = 24 * 60 * 60 * 1_000_000_000;
/** The server's own limit for a message is 1 MB. */
export const BODY_BYTES_MAX = 900 * 1024;
const STREAM_BYTES_MAX = 2 * 1024 * 1024 * 1024;
const ANSWER_MS_MAX = 1_000;
const NOW_BYTES_MAX = 1024 * 1024 * 1024;
/** What the header of a message and its frame need besides the body. */
const FRAME_BYTES = 4096;
/** Of a message that carries the largest body. */
export const MESSAGE_BYTES_MAX = BODY_BYTES_MAX + FRAME_BYTES;
/** A question can wait a week for an agent that is started again. */
const DAYS_MIN = 7;

type HubStream = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };

export interface StreamLimits {
  /** Three where there are three servers. */
  readonly replicas: number;
  readonly days: number;
  readonly bytesMax: number;
}

const NEW_LIMITS: StreamLimits = { replicas: 1, days: 30, bytesMax: STREAM_BYTES_MAX };
const LEAST_LIMITS: StreamLimits = { replicas: 1, days: DAYS_MIN, bytesMax: 8 * 1024 * 1024 };

const common = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  max_msgs_per_subject: 1,
  max_msg_size: MESSAGE_BYTES_MAX,
  max_msgs: -1,
  no_ack: false,
  sealed: false,
  deny_delete: true,
  deny_purge: true,
} as const;

/** The server itself refuses a second message on a subject. */
const once = { ...common, discard: DiscardPolicy.New, discard_new_per_subject: true } as const;

function hubStreams({ replicas, days, bytesMax }: StreamLimits): HubStream[] {
  const kept = { ...once, num_replicas: replicas, max_age: days * DAY_NANOS, max_bytes: bytesMax };
  return [
    { ...kept, name: streamNames.question, subjects: ["pv.question.*.*.*"], allow_direct: true },
    {
      ...kept,
      name: streamNames.answer,
      subjects: ["pv.answer.*.*.*.*"],
      // A direct read may come from a server that lags behind; the first answer must be the first for everyone.
      allow_direct: false,
      republish: { src: "pv.answer.>", dest: "pv.answered.>" },
    },
    { ...kept, name: streamNames.end, subjects: ["pv.end.*.*.*"], allow_direct: true },
    { ...kept, name: streamNames.body, subjects: ["pv.body.*.*.*"], allow_direct: true },
    {
      ...common,
      name: streamNames.now,
      subjects: ["pv.now.>"],
      num_replicas: replicas,
      max_age: 0,
      max_bytes: Math.min(bytesMax, NOW_BYTES_MAX),
      discard: DiscardPolicy.New,
      allow_direct: true,
      allow_msg_ttl: true,
      republish: { src: "pv.now.>", dest: "pv.live.>" },
    },
  ];
}

const NO_ROOM = 10_047;
const NO_CLUSTER = 10_074;
const NO_PEERS = 10_005;

export interface MadeStreams {
  /** Of the streams that keep records: several where they differ. */
  readonly limits: readonly StreamLimits[];
  /** What is new or different now, in words. */
  readonly changes: readonly string[];
}

/** Makes the streams, or gives those that are there the right limits; what is not wanted otherwise stays as it is. */
export async function makeStreams(connection: NatsConnection, wanted: Partial<StreamLimits>): Promise<MadeStreams> {
  const manager = await managerOf(connection);
  const first = limitsIn(await configOf(manager, streamNames.question));
  const kept: StreamLimits[] = [];
  const changes: string[] = [];
  for (const { name } of hubStreams(NEW_LIMITS)) {
    const found = await configOf(manager, name);
    const limits = { ...NEW_LIMITS, ...(found === null ? first : limitsIn(found)), ...wanted };
    const stream = hubStreams(limits).find((one) => one.name === name) ?? { name, subjects: [] };
    const words = found === null ? [`made ${name}`] : changesOf(stream, found);
    if (name !== streamNames.now) kept.push(limits);
    if (words.length === 0) continue;
    try {
      await (found === null ? manager.streams.add(stream) : manager.streams.update(name, patchOf(stream, found)));
    } catch (error) {
      throw await inWords(error, stream, manager);
    }
    changes.push(...words);
  }
  const different = kept.filter((one, at) => at === kept.findIndex((other) => isDeepStrictEqual(one, other)));
  return { limits: different, changes };
}

/** A stream that takes larger messages than it has to keeps doing so. */
function patchOf(wanted: HubStream, found: StreamConfig): HubStream {
  const { max_msg_size: size = 0 } = wanted;
  return found.max_msg_size > 0 && found.max_msg_size < size ? wanted : { ...wanted, max_msg_size: found.max_msg_size };
}

function changesOf(wanted: HubStream, found: StreamConfig): string[] {
  const [before, patch]: Partial<StreamConfig>[] = [found, patchOf(wanted, found)];
  return (Object.keys(wanted) as (keyof HubStream)[]).flatMap((field) => {
    const [then, now] = [wordsOf(field, before?.[field]), wordsOf(field, patch?.[field])];
    return then === now ? [] : [`${wanted.name}: ${field} is ${now} now; it was ${then}`];
  });
}

function wordsOf(field: keyof HubStream, value: unknown): string {
  if (field === "max_age" && typeof value === "number") return value === 0 ? "unlimited" : `${value / DAY_NANOS} days`;
  if (field === "max_bytes" && typeof value === "number") return value > 0 ? gigabytes(value) : "unlimited";
  return JSON.stringify(value ?? false);
}

/** Those of a stream that is there, as far as they are enough. */
function limitsIn(found: StreamConfig | null): Partial<StreamLimits> {
  if (found === null) return {};
  const days = found.max_age / DAY_NANOS;
  return {
    replicas: found.num_replicas,
    ...(days === 0 || days >= DAYS_MIN ? { days } : {}),
    ...(found.max_bytes <= 0 || found.max_bytes >= LEAST_LIMITS.bytesMax ? { bytesMax: found.max_bytes } : {}),
  };
}

const OVERLAP = 10_065;

async function inWords(error: unknown, stream: HubStream, { streams }: JetStreamManager): Promise<unknown> {
  const { name, subjects, num_replicas: replicas } = stream;
  const code = error instanceof JetStreamApiError ? error.code : 0;
  if (code === NO_ROOM) return new Error("the server has too little disk for this; palaver hub init --gigabytes N");
  if (code === NO_CLUSTER || code === NO_PEERS) {
    return new Error(`--replicas ${replicas} needs ${replicas} servers that are one cluster and run`);
  }
  if (code === OVERLAP) {
    const others = (await streams.names(subjects[0]).next()).filter((other) => other !== name);
    return new Error(`${name}: the stream ${others.join(", ")} takes its subjects; delete that one: nats stream rm`);
  }
  return error instanceof JetStreamApiError
    ? new Error(
        `${name}: ${error.message}; only a new one can be different: nats stream rm ${name} deletes it with its records`,
      )
    : error;
}

/** Without a look at the account, for which people and machines have no permission. */
export function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { domain: DOMAIN, checkAPI: false, timeout: ANSWER_MS_MAX });
}

/** What has to be so, whatever the owner of the hub has changed besides. */
const required = [
  "storage",
  "retention",
  "max_msgs_per_subject",
  "discard",
  "discard_new_per_subject",
  "deny_delete",
  "deny_purge",
  "allow_direct",
  "allow_msg_ttl",
  "max_msgs",
  "no_ack",
  "sealed",
] as const satisfies readonly (keyof StreamConfig)[];

/**
 * Why answers could be lost or changed on these streams, in words; empty when all is well. Rejects when the server cannot say it
 * now: it has just started, or its cluster has no leader.
 */
export async function streamProblems(connection: NatsConnection, servers = 1): Promise<string[]> {
  const manager = await managerOf(connection);
  const payload = connection.info?.max_payload ?? MESSAGE_BYTES_MAX;
  if (payload < MESSAGE_BYTES_MAX) return [smallPayload(payload)];
  const wantedStreams = hubStreams({ ...LEAST_LIMITS, replicas: Math.min(3, servers) });
  const problems = wantedStreams.map(async (wanted) => {
    const found = await configOf(manager, wanted.name);
    if (found === null) return [`there is no stream ${wanted.name}; palaver hub init makes it`];
    return [...differences(wanted, found), ...smallLimits(wanted, found)];
  });
  return (await Promise.all(problems)).flat();
}

export function smallPayload(bytes: number): string {
  return `max_payload is ${bytes} and has to be at least ${MESSAGE_BYTES_MAX}; "max_payload: 1MB"`;
}

/** Streams that will refuse new records before long, in words. */
export async function fullStreams(connection: NatsConnection): Promise<string[]> {
  const manager = await managerOf(connection);
  const { streams } = manager;
  const { limits, reserved_storage: reserved = 0 } = (await manager.getAccountInfo()) as AccountLimits;
  if (limits.max_storage > 0 && limits.max_storage < reserved) {
    return [
      `its account may store ${gigabytes(limits.max_storage)}, its streams ${gigabytes(reserved)}; raise max_file`,
    ];
  }
  const infos = await Promise.all(Object.values(streamNames).map((name) => streams.info(name)));
  const shares = infos.map(({ config, state }) => ({
    name: config.name,
    percent: config.max_bytes > 0 ? (100 * state.bytes) / config.max_bytes : 0,
  }));
  return shares
    .filter(({ percent }) => percent > FULL_PERCENT)
    .map(({ name, percent }) => `${name} is ${Math.floor(percent)} % full; palaver hub init --gigabytes N makes room`);
}

interface AccountLimits {
  readonly limits: { readonly max_storage: number };
  readonly reserved_storage?: number;
}

export function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

const FULL_PERCENT = 80;
const NO_SUCH_STREAM = 10_059;

/** So long a cluster may need to choose a leader. */
const ELECTION_MS_MAX = 10_000;

/** Null for a stream that is not there. A server that is silent is asked again. */
async function configOf({ streams }: JetStreamManager, name: string): Promise<StreamConfig | null> {
  const untilMs = performance.now() + ELECTION_MS_MAX;
  for (;;) {
    try {
      return (await streams.info(name)).config;
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_SUCH_STREAM) return null;
      refuse(error, untilMs);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Throws what does not pass by itself, or not in time. */
function refuse(error: unknown, untilMs: number): void {
  if (error instanceof Error && error.name === "JetStreamNotEnabled") {
    const words = `no JetStream answers; a majority of its servers has to run, with "domain: ${DOMAIN}" and an account with "jetstream: enabled"`;
    throw new Error(words, { cause: error });
  }
  const isSilent = error instanceof TimeoutError || (error instanceof JetStreamApiError && error.status >= 500);
  if (isSilent && performance.now() < untilMs) return;
  throw isSilent ? new Error("the streams do not answer; are enough servers up?", { cause: error }) : error;
}

function smallLimits({ name, ...wanted }: HubStream, found: StreamConfig): string[] {
  const {
    max_age: ageMin = 0,
    max_msg_size: sizeMin = 0,
    num_replicas: replicasMin = 1,
    max_bytes: bytesMin = 0,
  } = wanted;
  const isForgetful = found.max_age > 0 && (ageMin === 0 || found.max_age < ageMin);
  const words = ageMin === 0 ? "0: what is open must not expire" : `0 or at least ${ageMin / DAY_NANOS} days`;
  return [
    ...(isForgetful ? [`${name}: max_age is ${found.max_age / DAY_NANOS} days and has to be ${words}`] : []),
    ...(found.max_msg_size > 0 && found.max_msg_size < sizeMin
      ? [`${name}: max_msg_size is ${found.max_msg_size} and has to be at least ${sizeMin}`]
      : []),
    ...(found.max_bytes > 0 && found.max_bytes < bytesMin
      ? [`${name}: max_bytes is ${found.max_bytes} and has to be at least ${bytesMin}; palaver hub init --gigabytes N`]
      : []),
    ...(found.num_replicas < replicasMin
      ? [`${name}: its messages are on ${found.num_replicas} server; palaver hub init --replicas ${replicasMin}`]
      : []),
  ];
}

function differences(wanted: HubStream, found: StreamConfig): string[] {
  const words = required.flatMap((field) => {
    const [want, have] = [wanted[field] ?? false, found[field] ?? false];
    return want === have ? [] : [`${wanted.name}: ${field} is ${String(have)} and has to be ${String(want)}`];
  });
  // It would confirm what is not on disk yet.
  const isHasty = found.persist_mode === PersistMode.Async;
  const subjects = JSON.stringify(found.subjects) === JSON.stringify(wanted.subjects);
  const { src, dest } = found.republish ?? {};
  const isRepeated = wanted.republish?.src === src && wanted.republish?.dest === dest;
  return [
    ...words,
    ...(isHasty ? [`${wanted.name}: persist_mode is async and a power failure loses answers`] : []),
    ...(found.mirror || found.sources?.length ? [`${wanted.name}: it has to be no copy of other streams`] : []),
    ...(subjects ? [] : [`${wanted.name}: its subjects have to be ${wanted.subjects.join(", ")}`]),
    ...(isRepeated ? [] : [`${wanted.name}: it has to republish to ${wanted.republish?.dest ?? "nothing"}`]),
  ];
}

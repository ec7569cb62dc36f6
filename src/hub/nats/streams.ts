// The streams of the hub with the limits that its rules need, and what is wrong with those of a server. A server that forgets
// written answers, or lets one be replaced, is refused in words before anything is asked through it.
import {
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
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
export const SERVER_VERSION_MIN = "2.11.0";
/** A question can wait a week for an agent that is started again. */
const DAYS_MIN = 7;

type HubStream = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };

export interface StreamLimits {
  /** Three where there are three servers. */
  readonly replicas: number;
  readonly days: number;
  readonly bytesMax?: number;
}

const common = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  max_msgs_per_subject: 1,
  max_msg_size: BODY_BYTES_MAX + 4096,
  deny_delete: true,
  deny_purge: true,
} as const;

/** The server itself refuses a second message on a subject. */
const once = { ...common, discard: DiscardPolicy.New, discard_new_per_subject: true } as const;

function hubStreams({ replicas, days, bytesMax = STREAM_BYTES_MAX }: StreamLimits): HubStream[] {
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
      max_bytes: Math.min(bytesMax, NOW_BYTES_MAX),
      discard: DiscardPolicy.New,
      allow_direct: true,
      allow_msg_ttl: true,
      republish: { src: "pv.now.>", dest: "pv.live.>" },
    },
  ];
}

const IN_USE = 10_058;
const NO_ROOM = 10_047;

/** Makes the streams, or gives those that are there the right limits. */
export async function makeStreams(connection: NatsConnection, limits: StreamLimits): Promise<void> {
  const { streams } = await managerOf(connection);
  for (const stream of hubStreams(limits)) {
    await streams.add(stream).catch((error: unknown) => {
      const code = error instanceof JetStreamApiError ? error.code : 0;
      if (code === NO_ROOM) throw new Error("the server has too little disk for this; palaver hub init --gigabytes N");
      if (code !== IN_USE) throw error;
      return streams.update(stream.name, stream);
    });
  }
}

/** Without a look at the account, for which people and machines have no permission. */
export function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { domain: DOMAIN, checkAPI: false, timeout: ANSWER_MS_MAX });
}

/** What has to be so, whatever the owner of the hub has changed besides. */
const required = [
  "storage",
  "max_msgs_per_subject",
  "discard",
  "discard_new_per_subject",
  "deny_delete",
  "deny_purge",
  "allow_direct",
  "allow_msg_ttl",
] as const satisfies readonly (keyof StreamConfig)[];

/**
 * Why answers could be lost or changed on these streams, in words; empty when all is well. Rejects when the server cannot say it
 * now: it has just started, or its cluster has no leader.
 */
export async function streamProblems(connection: NatsConnection, servers = 1): Promise<string[]> {
  const manager = await managerOf(connection);
  const wantedStreams = hubStreams({ replicas: Math.min(3, servers), days: DAYS_MIN });
  const problems = wantedStreams.map(async (wanted) => {
    const found = await configOf(manager, wanted.name);
    if (found === null) return [`there is no stream ${wanted.name}; palaver hub init makes it`];
    return [...differences(wanted, found), ...smallLimits(wanted, found)];
  });
  return (await Promise.all(problems)).flat();
}

/** Streams that will refuse new records before long, in words. */
export async function fullStreams(connection: NatsConnection): Promise<string[]> {
  const { streams } = await managerOf(connection);
  const infos = await Promise.all(Object.values(streamNames).map((name) => streams.info(name)));
  const shares = infos.map(({ config, state }) => ({
    name: config.name,
    percent: (100 * state.bytes) / config.max_bytes,
  }));
  return shares
    .filter(({ percent }) => percent > FULL_PERCENT)
    .map(({ name, percent }) => `${name} is ${Math.floor(percent)} % full; palaver hub init --gigabytes N makes room`);
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
    throw new Error(`no JetStream answers; its jetstream block needs "domain: ${DOMAIN}"`, { cause: error });
  }
  const isSilent = error instanceof TimeoutError || (error instanceof JetStreamApiError && error.status >= 500);
  if (isSilent && performance.now() < untilMs) return;
  throw isSilent ? new Error("the streams do not answer; are enough servers up?", { cause: error }) : error;
}

function smallLimits({ name, ...wanted }: HubStream, found: StreamConfig): string[] {
  const [ageMin = 0, sizeMin = 0, replicasMin = 1] = [wanted.max_age, wanted.max_msg_size, wanted.num_replicas];
  const isForgetful = found.max_age > 0 && (ageMin === 0 || found.max_age < ageMin);
  const words = ageMin === 0 ? "0: what is open must not expire" : `0 or at least ${ageMin / DAY_NANOS} days`;
  return [
    ...(isForgetful ? [`${name}: max_age is ${found.max_age / DAY_NANOS} days and has to be ${words}`] : []),
    ...(found.max_msg_size > 0 && found.max_msg_size < sizeMin
      ? [`${name}: max_msg_size is ${found.max_msg_size} and has to be at least ${sizeMin}`]
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
  const subjects = JSON.stringify(found.subjects) === JSON.stringify(wanted.subjects);
  const { src, dest } = found.republish ?? {};
  const isRepeated = wanted.republish?.src === src && wanted.republish?.dest === dest;
  return [
    ...words,
    ...(subjects ? [] : [`${wanted.name}: its subjects have to be ${wanted.subjects.join(", ")}`]),
    ...(isRepeated ? [] : [`${wanted.name}: it has to republish to ${wanted.republish?.dest ?? "nothing"}`]),
  ];
}

export function isVersionAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) =>
    text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let at = 0; at < 3; at += 1) {
    const difference = (have?.[at] ?? 0) - (want?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

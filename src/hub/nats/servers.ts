// Checks whether the servers of a hub persist what they confirm and know the right users, by asking each of them with the key
// of the system account. The others know how many servers there should be, so a server that does not answer is reported too.
import { type NatsConnection, NoRespondersError } from "@nats-io/transport-node";
import { errorMessage } from "../../contract/plain-word.js";
import { gigabytes, MESSAGE_BYTES_MAX, smallPayload } from "./streams.js";
import { DOMAIN } from "./subjects.js";
import { siteOfLeafNode, TEAM_ACCOUNT } from "./users.js";

const SERVER_VERSION_MIN = "2.11.0";
/** Each machine has one or two connections, and everyone who watches one more. */
const CONNECTIONS_MIN = 100;
/** Of one connection. */
const SUBSCRIPTIONS_MIN = 50;
const FULL_SHARE = 0.8;

interface Replying {
  readonly server: { readonly name: string; readonly id: string; readonly ver: string };
}

/** How a server stores. */
interface StoreReply extends Replying {
  readonly data?: {
    readonly disabled?: boolean;
    readonly storage?: number;
    readonly reserved_storage?: number;
    readonly config?: { readonly sync_always?: boolean; readonly max_storage?: number; readonly domain?: string };
    readonly meta_cluster?: {
      /** Empty while there is none. */
      readonly leader?: string;
      readonly cluster_size: number;
      readonly replicas?: readonly { readonly name: string }[];
    };
  };
}

interface LimitsReply extends Replying {
  readonly data?: {
    readonly max_payload?: number;
    readonly connections?: number;
    readonly max_connections?: number;
    readonly max_subscriptions?: number;
    /** Where it takes leaf nodes, if it does. */
    readonly leaf?: { readonly port?: number };
  };
}

interface AccountReply extends Replying {
  readonly data?: { readonly account_detail?: { readonly exports?: readonly { readonly subject: string }[] } };
}

interface LeavesReply extends Replying {
  readonly data?: {
    readonly leafs?: readonly { readonly id: number; readonly name: string; readonly account: string }[];
  };
}

/** What each server should know, as the administrator's folder says. */
export interface WantedUsers {
  /** Null for a folder whose users have none. */
  readonly stamp: string | null;
  /** The names of leaf nodes that know those of their site. */
  readonly leafNodes: readonly string[];
}

interface ServersReport {
  readonly problems: string[];
  /** How many store; 0 where a look at the streams is of no use. */
  readonly servers: number;
  /** Those that answer. */
  readonly ids: readonly string[];
}

const REPLY_MS_MAX = 2_000;

export async function serverProblems(system: NatsConnection, users: WantedUsers | null = null): Promise<ServersReport> {
  const said = await storeReplies(system);
  if (said === null) {
    const words = 'no server says how it stores; its configuration needs "system_account: SYS"';
    return { problems: [words], servers: 0, ids: [] };
  }
  const { storing, size, problems } = present(said);
  problems.unshift(...(said.length === 0 ? ["no server says how it stores"] : said.flatMap(storeProblems)));
  const ids = said.map(({ server }) => server.id);
  for (const { server, data } of await askServers<LimitsReply>(system, "VARZ", {}, said)) {
    const isDeaf = users !== null && users.leafNodes.length > 0 && !data?.leaf?.port;
    const leaf = isDeaf ? ["it takes no leaf nodes; add a leafnodes line to its configuration and restart it"] : [];
    problems.push(...[...limitProblems(data), ...leaf].map((words) => `${nameOf(server)}: ${words}`));
  }
  if (users !== null) {
    problems.push(...(await userProblems(system, users, said)), ...(await leafProblems(system, users, said)));
  }
  const hasMajority = 2 * storing.length > size;
  if (hasMajority && problems.length === 0) problems.push(...(await lateCopies(system, storing)));
  return { problems, servers: hasMajority ? size : 0, ids };
}

/** Null where no user may ask the servers about themselves. */
async function storeReplies(system: NatsConnection): Promise<readonly StoreReply[] | null> {
  const isAll = (said: readonly StoreReply[]) => said.length >= sizeOf(said);
  try {
    return await repliesOf<StoreReply>(system, "JSZ", { config: true }, isAll);
  } catch (error) {
    if (error instanceof NoRespondersError) return null;
    throw error;
  }
}

function sizeOf(said: readonly StoreReply[]): number {
  const storing = said.filter(({ data }) => data?.disabled !== true);
  return Math.max(0, ...storing.map(({ data }) => data?.meta_cluster?.cluster_size ?? 1));
}

/** Of the servers that answered before. */
function askServers<Reply extends Replying>(
  system: NatsConnection,
  what: "VARZ" | "JSZ" | "ACCOUNTZ" | "LEAFZ",
  how: object,
  asked: readonly Replying[],
): Promise<Reply[]> {
  return repliesOf<Reply>(system, what, how, (said) => said.length >= asked.length);
}

/** Until all have answered, or for as long as a server may need. */
async function repliesOf<Reply>(
  system: NatsConnection,
  what: string,
  how: object,
  isAll: (said: readonly Reply[]) => boolean,
): Promise<Reply[]> {
  const said: Reply[] = [];
  const waits = { maxWait: REPLY_MS_MAX, strategy: "timer" } as const;
  const replies = await system.requestMany(`$SYS.REQ.SERVER.PING.${what}`, JSON.stringify(how), waits);
  for await (const reply of replies) {
    said.push(reply.json<Reply>());
    if (isAll(said)) break;
  }
  return said;
}

function nameOf({ name, id }: Replying["server"]): string {
  return name === id ? "the server" : name;
}

/** A server that was killed is offline to the others only after minutes; that it does not answer is seen at once. */
function present(said: readonly StoreReply[]) {
  const storing = said.filter(({ data }) => data?.disabled !== true);
  const size = sizeOf(said);
  const missing = size - storing.length;
  if (missing <= 0) {
    const isLed = storing.every(({ data }) => data?.meta_cluster?.leader !== "");
    const words = "the servers have not chosen a leader; check again in a few seconds";
    return { storing, size, problems: isLed ? [] : [words] };
  }
  const names = storing.flatMap(({ data }) => {
    const { leader = "", replicas = [] } = data?.meta_cluster ?? {};
    return [leader, ...replicas.map(({ name }) => name)];
  });
  const silent = new Set(names.filter((name) => name !== "" && !storing.some(({ server }) => server.name === name)));
  const who = silent.size === missing ? ` (${[...silent].join(", ")})` : "";
  const words =
    2 * storing.length > size
      ? "start it again before another one fails"
      : "nothing can be stored before a majority runs again";
  return {
    ...{ storing, size },
    problems: [`${missing} of ${size} servers ${missing === 1 ? "is" : "are"} silent${who}; ${words}`],
  };
}

function storeProblems({ server, data }: StoreReply): string[] {
  const name = nameOf(server);
  if (!isVersionAtLeast(server.ver, SERVER_VERSION_MIN)) {
    return [`${name}: version ${server.ver} is too old; ${SERVER_VERSION_MIN} or newer is needed`];
  }
  if (data?.disabled === true) return [`${name}: it stores nothing; its configuration needs a jetstream block`];
  const { max_storage: roomBytes = 0, sync_always: syncsAlways, domain } = data?.config ?? {};
  const [reserved, used] = [data?.reserved_storage ?? 0, data?.storage ?? 0];
  const share = `${gigabytes(used)} of the ${gigabytes(roomBytes)}`;
  return [
    ...(syncsAlways === true
      ? []
      : [`${name}: a power failure loses answers; add "sync_interval: always" to its jetstream block`]),
    ...(domain === DOMAIN ? [] : [`${name}: its jetstream block needs "domain: ${DOMAIN}"`]),
    ...(roomBytes > 0 && roomBytes < reserved
      ? [`${name}: it may store ${gigabytes(roomBytes)}, its streams ${gigabytes(reserved)}; raise max_file_store`]
      : []),
    ...(roomBytes > 0 && used > FULL_SHARE * roomBytes ? [`${name}: ${share} that it may store are full`] : []),
  ];
}

function limitProblems(data: LimitsReply["data"]): string[] {
  const { max_payload: payload = MESSAGE_BYTES_MAX, connections = 0, max_connections: most = 0 } = data ?? {};
  const subscriptions = data?.max_subscriptions ?? 0;
  const isFew = most > 0 && (most < CONNECTIONS_MIN || connections > FULL_SHARE * most);
  return [
    ...(payload < MESSAGE_BYTES_MAX ? [smallPayload(payload)] : []),
    ...(isFew ? [`${connections} of at most ${most} connections are open; raise max_connections`] : []),
    ...(subscriptions > 0 && subscriptions < SUBSCRIPTIONS_MIN
      ? [`max_subscriptions is ${subscriptions} and has to be at least ${SUBSCRIPTIONS_MIN}`]
      : []),
  ];
}

const LATE_TRIES_MAX = 10;

interface StreamsReply extends Replying {
  readonly data?: {
    readonly account_details?: readonly {
      readonly stream_detail?: readonly {
        readonly name: string;
        readonly config?: { readonly num_replicas: number };
        readonly state?: { readonly last_seq: number };
      }[];
    }[];
  };
}

/** Copies of streams that stay behind those of other servers, or are not there at all. */
async function lateCopies(system: NatsConnection, storing: readonly StoreReply[]): Promise<string[]> {
  let wanted: ReadonlyMap<string, number> | null = null;
  for (let tries = 0; ; tries += 1) {
    const copies = await copiesOn(system, storing);
    // What is written meanwhile is no reason to call anyone late.
    wanted ??= new Map(copies.map(({ stream }) => [stream, Math.max(...lastsOf(copies, stream))]));
    const late = copies.flatMap(({ server, stream, last }) => {
      const missing = (wanted?.get(stream) ?? 0) - last;
      return missing > 0 ? [`${server}: its copy of ${stream} is ${missing} records behind`] : [];
    });
    const fewer = copies
      .filter(({ stream }, at) => at === copies.findIndex((copy) => copy.stream === stream))
      .filter(({ stream, replicas }) => lastsOf(copies, stream).length < replicas)
      .map(({ stream, replicas }) => `${stream} is on ${lastsOf(copies, stream).length} of ${replicas} servers`);
    if (late.length + fewer.length === 0) return [];
    if (tries === LATE_TRIES_MAX) return [...late, ...fewer].map((words) => `${words}; wait, and check again`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

interface StreamCopy {
  readonly server: string;
  readonly stream: string;
  readonly last: number;
  readonly replicas: number;
}

function lastsOf(copies: readonly StreamCopy[], stream: string): number[] {
  return copies.filter((copy) => copy.stream === stream).map(({ last }) => last);
}

async function copiesOn(system: NatsConnection, storing: readonly StoreReply[]): Promise<StreamCopy[]> {
  const how = { account: TEAM_ACCOUNT, streams: true, config: true };
  const said = await askServers<StreamsReply>(system, "JSZ", how, storing);
  return said.flatMap(({ server, data }) =>
    (data?.account_details ?? [])
      .flatMap(({ stream_detail: streams = [] }) => streams)
      .map(({ name, config, state }) => ({
        ...{ server: nameOf(server), stream: name },
        ...{ last: state?.last_seq ?? 0, replicas: config?.num_replicas ?? 1 },
      })),
  );
}

/**
 * Every server that answers reads its configuration again. Leaf nodes keep what they were allowed when they connected, so that their
 * connections are closed when all servers have done it; they come back at once, if they may. How many servers did it, and why others
 * did not, or do not know the users all the same.
 */
export async function reloadServers(
  system: NatsConnection,
  users: WantedUsers | null = null,
): Promise<{ readonly reloaded: number; readonly problems: string[] }> {
  const said = (await storeReplies(system)) ?? [];
  const { problems } = present(said);
  let reloaded = 0;
  for (const { server } of said) {
    try {
      await commandServer(system, server.id, "RELOAD", {});
      reloaded += 1;
    } catch (error) {
      problems.push(`${nameOf(server)}: ${errorMessage(error)}; it knows the users from before until it is restarted`);
    }
  }
  for (const { server, id } of await leafNodes(system, said)) {
    // One that is gone by itself meanwhile is refused, too.
    await commandServer(system, server.id, "KICK", { cid: id }).catch(() => undefined);
  }
  if (users !== null && reloaded === said.length) problems.push(...(await userProblems(system, users, said)));
  return { reloaded, problems };
}

async function commandServer(system: NatsConnection, id: string, name: "RELOAD" | "KICK", how: object): Promise<void> {
  const reply = await system.request(`$SYS.REQ.SERVER.${id}.${name}`, JSON.stringify(how), { timeout: REPLY_MS_MAX });
  const { error } = reply.json<{ readonly error?: { readonly description: string } }>();
  if (error !== undefined) throw new Error(error.description);
}

/** A server that has not read the file again still lets in who was removed. */
async function userProblems(
  system: NatsConnection,
  { stamp }: WantedUsers,
  asked: readonly Replying[],
): Promise<string[]> {
  if (stamp === null) return ["users.conf here has no mark of its state; palaver hub init writes it again"];
  const said = await askServers<AccountReply>(system, "ACCOUNTZ", { account: TEAM_ACCOUNT }, asked);
  const knows = ({ data }: AccountReply) => data?.account_detail?.exports?.some(({ subject }) => subject === stamp);
  const others = asked.filter(({ server }) => !said.some((reply) => reply.server.id === server.id && knows(reply)));
  const words = "it has other users than users.conf here; copy the file there, then palaver hub reload";
  return others.map(({ server }) => `${nameOf(server)}: ${words}`);
}

/** Leaf nodes that let in removed users of their site, or are of no site of this hub. */
async function leafProblems(
  system: NatsConnection,
  { leafNodes: known }: WantedUsers,
  asked: readonly Replying[],
): Promise<string[]> {
  const sites = new Set(known.map(siteOfLeafNode));
  const others = (await leafNodes(system, asked)).filter(({ name }) => !known.includes(name));
  return others.map(({ name }) => {
    const site = siteOfLeafNode(name);
    return sites.has(site)
      ? `the leaf node of ${site} has other users than ${site}.conf here; copy the file there and restart its nats-server`
      : `there is a leaf node ${name}, but no such site; palaver hub reload`;
  });
}

async function leafNodes(system: NatsConnection, asked: readonly Replying[]) {
  const said = await askServers<LeavesReply>(system, "LEAFZ", {}, asked);
  return said
    .flatMap(({ server, data }) => (data?.leafs ?? []).map((leaf) => ({ ...leaf, server })))
    .filter(({ account }) => account === TEAM_ACCOUNT);
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

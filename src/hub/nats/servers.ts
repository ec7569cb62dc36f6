// Whether the servers of a hub keep what they confirm: each of them is asked how it stores, with the key of the system account.
import type { NatsConnection } from "@nats-io/transport-node";
import { isVersionAtLeast, SERVER_VERSION_MIN } from "./streams.js";

/** What a server says about how it stores. */
interface ServerReply {
  readonly server: { readonly name: string; readonly id: string; readonly ver: string };
  readonly data?: {
    readonly disabled?: boolean;
    readonly config?: { readonly sync_always?: boolean };
    readonly meta_cluster?: {
      readonly cluster_size: number;
      readonly replicas?: readonly { readonly name: string; readonly offline?: boolean }[];
    };
  };
}

interface ServersReport {
  readonly problems: string[];
  /** How many store; 0 where a look at the streams is of no use. */
  readonly servers: number;
}

const REPLY_MS_MAX = 2_000;
/** Replies of a cluster come at once. */
const STALL_MS = 300;

export async function serverProblems(system: NatsConnection): Promise<ServersReport> {
  const asked = JSON.stringify({ config: true });
  const how = { maxWait: REPLY_MS_MAX, stall: STALL_MS, strategy: "stall" } as const;
  const said: ServerReply[] = [];
  for await (const reply of await system.requestMany("$SYS.REQ.SERVER.PING.JSZ", asked, how)) {
    said.push(reply.json<ServerReply>());
  }
  const problems = new Set(said.flatMap(problemsOf));
  const storing = said.filter(({ data }) => data?.disabled !== true);
  if (said.length === 0) problems.add("no server says how it stores");
  const servers = Math.max(0, ...storing.map(({ data }) => data?.meta_cluster?.cluster_size ?? 1));
  return { problems: [...problems], servers };
}

function problemsOf({ server, data }: ServerReply): string[] {
  const name = server.name === server.id ? "the server" : server.name;
  if (!isVersionAtLeast(server.ver, SERVER_VERSION_MIN)) {
    return [`${name}: version ${server.ver} is too old; ${SERVER_VERSION_MIN} or newer is needed`];
  }
  if (data?.disabled === true) return [`${name}: it stores nothing; its configuration needs a jetstream block`];
  const isLossy = data?.config?.sync_always !== true;
  const offline = (data?.meta_cluster?.replicas ?? []).filter((replica) => replica.offline === true);
  return [
    ...(isLossy ? [`${name}: a power failure loses answers; add "sync_interval: always" to its jetstream block`] : []),
    ...offline.map((replica) => `${replica.name} is offline; start it again before another one fails`),
  ];
}

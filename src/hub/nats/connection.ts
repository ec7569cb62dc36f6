// The connection to the servers of the hub: with a key of one's own, over TLS everywhere but on this machine, and for as long as it
// takes: a lost connection is opened again for ever.
import { readFileSync } from "node:fs";
import { connect, type NatsConnection, type NodeConnectionOptions, nkeyAuthenticator } from "@nats-io/transport-node";

export interface HubLogin {
  /** nats:// or tls://, several separated by commas. */
  readonly url: string;
  /** The name of this person or machine at the hub. */
  readonly user: string;
  /** A file with the seed of the user's key. */
  readonly keyPath: string;
  /** A certificate authority of the team's own. */
  readonly caPath?: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Rejects when no server can be reached, or the server does not know the key. */
export async function connectHub(login: HubLogin, more: Partial<NodeConnectionOptions> = {}): Promise<NatsConnection> {
  const servers = login.url.split(",").map((url) => url.trim());
  const isLocal = servers.every((url) => LOOPBACK.test(new URL(url).hostname));
  const needsTls = !isLocal || servers.some((url) => url.startsWith("tls://"));
  const seed = readFileSync(login.keyPath, "utf8").match(/^SU[A-Z2-7]{56}$/m)?.[0];
  if (seed === undefined) throw new Error(`${login.keyPath} holds no user's key`);
  return connect({
    servers: servers.map((url) => url.replace(/^\w+:\/\//, "")),
    name: `palaver ${login.user}`,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: inboxOf(login.user),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 20_000,
    maxPingOut: 2,
    timeout: 5_000,
    ...(needsTls ? { tls: login.caPath === undefined ? {} : { caFile: login.caPath } } : {}),
    ...more,
  });
}

/** Replies go to a subject that only this user may read. */
export function inboxOf(user: string): string {
  return `_INBOX_${user}`;
}

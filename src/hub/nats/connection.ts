// The connection to the servers of the hub: with a key of one's own, over TLS everywhere but on this machine, and for as long as it
// takes: a lost connection is opened again for ever.
import { readFileSync } from "node:fs";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
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

/** Rejects when no server can be reached, its certificate cannot be trusted, or it does not know the key. */
export async function connectHub(login: HubLogin, more: Partial<NodeConnectionOptions> = {}): Promise<NatsConnection> {
  const servers = login.url.split(",").map((url) => url.trim());
  const hosts = servers.map((url) => new URL(url).hostname);
  const isLocal = hosts.every((host) => LOOPBACK.test(host));
  const needsTls = !isLocal || servers.some((url) => url.startsWith("tls://"));
  const seed = readFileSync(login.keyPath, "utf8").match(/^SU[A-Z2-7]{56}$/m)?.[0];
  if (seed === undefined) throw new Error(`${login.keyPath} holds no user's key`);
  // Without TLS, no server may name others, which would not be on this machine.
  const transport = needsTls ? { tls: tlsOptions(hosts, login) } : { ignoreClusterUpdates: true };
  return connect({
    servers: servers.map((url) => url.replace(/^\w+:\/\//, "")),
    name: `palaver ${login.user}`,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: inboxOf(login.user),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 20_000,
    maxPingOut: 2,
    timeout: 2_000,
    ...transport,
    ...more,
  }).catch((error: unknown) => {
    throw certificateProblem(error, hosts, login) ?? error;
  });
}

// The client checks the certificate of a server that is named by its address against "localhost"; here it has to be for one of the
// hosts that the user wrote.
function tlsOptions(hosts: readonly string[], { caPath }: HubLogin) {
  const names = hosts.map((host) => host.replace(/^\[|\]$/g, ""));
  const identity = (_: string, certificate: PeerCertificate) =>
    names.some((name) => checkServerIdentity(name, certificate) === undefined)
      ? undefined
      : checkServerIdentity(names[0] ?? "", certificate);
  return { checkServerIdentity: identity, ...(caPath === undefined ? {} : { ca: authorityIn(caPath) }) };
}

const CA_HINT = "the setting hub.ca names the certificate of your team's authority";

function authorityIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`${path} cannot be read; ${CA_HINT}`);
  }
}

const UNTRUSTED = /unable to (?:verify|get)|self.signed certificate/i;

/** Null for any other error. */
function certificateProblem(error: unknown, hosts: readonly string[], { caPath }: HubLogin): Error | null {
  const words = error instanceof Error ? error.message : "";
  const authority = caPath ?? "an authority that this machine trusts";
  if (UNTRUSTED.test(words)) return new Error(`its certificate is not signed by ${authority}; ${CA_HINT}`);
  if (/altnames|does not match certificate/i.test(words)) {
    return new Error(`its certificate is not for ${hosts.join(" or ")}`);
  }
  if (/does not support 'tls'/i.test(words)) {
    return new Error("it offers no TLS, which is needed everywhere but on this machine");
  }
  return null;
}

/** Replies go to a subject that only this user may read. */
export function inboxOf(user: string): string {
  return `_INBOX_${user}`;
}

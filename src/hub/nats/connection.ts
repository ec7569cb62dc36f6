// The connection to the servers of a hub: authenticated with a personal key, with TLS except on this machine. A lost
// connection is reopened without a limit.
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import {
  AuthorizationError,
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from "@nats-io/transport-node";

export interface HubLogin {
  /** nats:// or tls://, several separated by commas. */
  readonly url: string;
  /** The name of this person or machine at the hub. */
  readonly user: string;
  /** A file with the seed of the user's key. */
  readonly keyPath: string;
  /** A certificate authority of the team's own. */
  readonly caPath?: string;
  /** The server's own certificate, where that is known: it counts whatever name the server is reached by. */
  readonly certPath?: string;
}

/** For a minute; a server is back in less. */
const QUICK_RETRIES = 240;
const QUICK_RETRY_MS = 250;
const SLOW_RETRY_MS = 5_000;
/** Of servers that name each other: so many that refuse the first connection are tried besides those of the address. */
const OTHERS_MAX = 8;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Rejects when no server can be reached, its certificate cannot be trusted, or it does not know the key. */
export async function connectHub(login: HubLogin, more: Partial<NodeConnectionOptions> = {}): Promise<NatsConnection> {
  const servers = addressesIn(login.url);
  const hosts = servers.map(({ hostname }) => hostname);
  const needsTls = !isLocal(hosts) || servers.some(({ protocol }) => protocol === "tls:");
  const seed = seedIn(login.keyPath);
  // Without TLS, no server may name others, which would not be on this machine.
  const transport = needsTls ? { tls: tlsOptions(hosts, login) } : { ignoreClusterUpdates: true };
  let failures = 0;
  let wasOpen = false;
  const connected = connect({
    servers: servers.map(({ host }) => host),
    name: `palaver ${login.user}`,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    inboxPrefix: inboxOf(login.user),
    maxReconnectAttempts: -1,
    // A server that does not know the user yet may know it soon, and another one of the hub may know it now.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => {
      failures += 1;
      if (!wasOpen && failures > servers.length + OTHERS_MAX) throw new RefusedByAllError();
      return failures <= QUICK_RETRIES ? QUICK_RETRY_MS : SLOW_RETRY_MS;
    },
    pingInterval: 20_000,
    maxPingOut: 2,
    timeout: 2_000,
    ...transport,
    ...more,
  });
  // The next loss is another one.
  connected.then(
    async (connection) => {
      wasOpen = true;
      for await (const { type } of connection.status()) if (type === "reconnect") failures = 0;
    },
    () => undefined,
  );
  return connected.catch((error: unknown) => {
    // It asks for TLS by itself; now its certificate is checked as the login says.
    if (!needsTls && isUntrusted(error)) {
      return connectHub({ ...login, url: servers.map(({ host }) => `tls://${host}`).join() }, more);
    }
    // Without the others, the client comes to an end, and says why.
    if (error instanceof RefusedByAllError) return connectHub(login, { ...more, ignoreClusterUpdates: true });
    throw loginProblem(error, hosts, login) ?? error;
  });
}

/** The client forgets a server that refuses it, and learns of it again from the next one: it would never stop. */
class RefusedByAllError extends Error {}

function seedIn(path: string): string {
  const isOpen = process.platform !== "win32" && (statSync(path).mode & 0o007) !== 0;
  if (isOpen) throw new Error(`everyone on this machine can read the key ${path}; chmod 600 ${path}`);
  const seed = readFileSync(path, "utf8").match(/^SU[A-Z2-7]{56}$/m)?.[0];
  if (seed === undefined) throw new Error(`${path} holds no user's key`);
  return seed;
}

export function isLocal(hosts: readonly string[]): boolean {
  return hosts.every((host) => LOOPBACK.test(host));
}

/** nats:// is what is meant where nothing is said. */
export function addressesIn(text: string): URL[] {
  return text.split(",").map((given) => {
    const url = given.trim().replace(/^(?!\w+:\/\/)/, "nats://");
    const parsed = URL.canParse(url) ? new URL(url) : null;
    if (parsed?.hostname && /^(?:nats|tls):$/.test(parsed.protocol)) return parsed;
    throw new Error(`${given.trim()} is not the address of a hub; it begins with nats:// or tls://`);
  });
}

// The client checks the certificate of a server that is named by its address against "localhost"; here it has to be for one of the
// hosts that the user wrote.
function tlsOptions(hosts: readonly string[], { caPath, certPath }: HubLogin) {
  const names = hosts.map((host) => host.replace(/^\[|\]$/g, ""));
  const own = certPath === undefined ? null : new X509Certificate(readFileSync(certPath)).fingerprint256;
  const identity = (_: string, certificate: PeerCertificate) =>
    certificate.fingerprint256 === own || names.some((name) => checkServerIdentity(name, certificate) === undefined)
      ? undefined
      : checkServerIdentity(names[0] ?? "", certificate);
  return { checkServerIdentity: identity, ...(caPath === undefined ? {} : { ca: authorityIn(caPath) }) };
}

const CA_HINT = "--ca or the setting hub.ca names the certificate of your team's authority";

function authorityIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Error(`${path} cannot be read; ${CA_HINT}`);
  }
}

const UNTRUSTED = /unable to (?:verify|get)|self.signed certificate/i;

function isUntrusted(error: unknown): boolean {
  return error instanceof Error && UNTRUSTED.test(error.message);
}

/** Null for any other error. */
function loginProblem(error: unknown, hosts: readonly string[], { caPath, user, keyPath }: HubLogin): Error | null {
  const words = error instanceof Error ? error.message : "";
  if (error instanceof AuthorizationError) {
    return new Error(
      `it does not know the key of ${user} (${keyPath}): removed, or not known yet before palaver hub reload`,
      { cause: error },
    );
  }
  const authority = caPath ?? "an authority that this machine trusts";
  if (isUntrusted(error)) return new Error(`its certificate is not signed by ${authority}; ${CA_HINT}`);
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

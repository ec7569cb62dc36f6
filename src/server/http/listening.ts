// Where a daemon listens, and its limits: what a program may choose, apart from the server itself.
import { isIPv6 } from "node:net";
import { DaemonError } from "../project/daemon-error.js";
import { type GuardPolicy, loopbackHosts } from "./request-guard.js";

/** A certificate and its private key, as PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface HttpLimits {
  /** For the head of a request. */
  readonly headersMs: number;
  /** For a whole request with its body. */
  readonly requestMs: number;
  readonly idleMs: number;
  readonly headerBytesMax: number;
  /** Connections that have sent the token. */
  readonly connectionsMax: number;
  /** Connections that have not. */
  readonly strangersMax: number;
}

export interface BindOptions {
  /** An address or name; loopback when missing. */
  readonly host?: string | undefined;
  readonly remote?: "refuse" | "allow" | undefined;
}

export interface BindAddress {
  readonly host: string;
  /** The host in the URL for clients on this machine. */
  readonly urlHost: string;
  readonly hosts: GuardPolicy["hosts"];
}

const EVERY_ADDRESS = new Set(["0.0.0.0", "::"]);

export function bindAddress({ host = "127.0.0.1", remote = "refuse" }: BindOptions): BindAddress {
  // "localhost" can mean two addresses; clients and the daemon must use the same one.
  const bare = host === "localhost" ? "127.0.0.1" : host.replace(/^\[(.*)\]$/, "$1");
  const named = isIPv6(bare) ? `[${bare}]` : bare;
  if (isLoopback(bare)) return { host: bare, urlHost: named, hosts: [...new Set([...loopbackHosts, named])] };
  if (remote !== "allow") {
    throw new DaemonError(
      "address_refused",
      `${host} can be reached from other machines; a daemon listens on loopback unless that is explicitly allowed`,
    );
  }
  if (EVERY_ADDRESS.has(bare)) return { host: bare, urlHost: "127.0.0.1", hosts: "any-address" };
  return { host: bare, urlHost: named, hosts: [named, ...loopbackHosts] };
}

function isLoopback(host: string): boolean {
  return host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

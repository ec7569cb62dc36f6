// Where a daemon may listen: on loopback, or elsewhere when the owner allows it, because then only the token protects it.
import { isIPv6 } from "node:net";
import { type GuardPolicy, loopbackHosts } from "./http/request-guard.js";
import { DaemonError } from "./project/project-claim.js";

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
      `${host} can be reached from other machines; a daemon listens on loopback unless that is allowed outright`,
    );
  }
  if (EVERY_ADDRESS.has(bare)) return { host: bare, urlHost: "127.0.0.1", hosts: "any-address" };
  return { host: bare, urlHost: named, hosts: [named, ...loopbackHosts] };
}

function isLoopback(host: string): boolean {
  return host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

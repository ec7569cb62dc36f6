// Decides from the raw request alone whether a client may talk to the daemon. A web page must not reach it: Host and Origin
// have to be ours (DNS rebinding), and every route but the proof needs the token. Nothing here reveals which routes exist.
import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";

export interface RawRequest {
  readonly target: string;
  /** Names and values in turn, duplicates included. */
  readonly rawHeaders: readonly string[];
}

export interface GuardPolicy {
  readonly token: string;
  readonly port: number;
  /** "any-address" when the daemon listens on all of them: any plain address is a valid Host. */
  readonly hosts: readonly string[] | "any-address";
  /** Paths that need no token. */
  readonly openPaths?: readonly string[];
}

export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

export type Guard = (request: RawRequest) => "owner" | "open" | Refusal;

export const loopbackHosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Headers that are checked here; a duplicate would be ambiguous. */
const SINGLE = ["host", "origin", "authorization", "content-length", "content-type", "sec-fetch-site"] as const;

/** A path of plain segments: no empty ones, no dots that climb, no backslash, no encoded slash, dot or NUL. */
const PLAIN_PATH = /^\/(?:[\w~:@!$&'()*+,;=-]|\.(?![./])|%(?!2[ef]|5c|00)[0-9a-f]{2}|(?<!\/)\/)*$/i;

const TARGET_CHARS_MAX = 8 * 1024;

export function createGuard(policy: GuardPolicy): Guard {
  const expected = Buffer.from(policy.token);
  const isOurs = hostCheck(policy);
  return (request) => {
    const headers = singleHeaders(request.rawHeaders);
    if (headers === null) return { status: 400, message: "a header came twice" };
    if (!isPlainTarget(request.target)) return { status: 400, message: "the path is not a plain one" };
    if (!isOurs(headers.get("host") ?? "")) {
      return { status: 403, message: "this Host is not the daemon's: use the address it printed" };
    }
    if (!isOwnOrigin(headers, isOurs)) return { status: 403, message: "requests of other origins are refused" };
    if (hasToken(headers.get("authorization") ?? "", expected)) return "owner";
    if (isOpen(request.target, policy)) return "open";
    return { status: 401, message: "the token is missing or wrong: send Authorization: Bearer TOKEN" };
  };
}

function singleHeaders(rawHeaders: readonly string[]): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!SINGLE.some((single) => single === name)) continue;
    if (headers.has(name)) return null;
    headers.set(name, rawHeaders[index + 1] ?? "");
  }
  return headers;
}

function isPlainTarget(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return target.length <= TARGET_CHARS_MAX && PLAIN_PATH.test(path);
}

function isOpen(target: string, { openPaths = [] }: GuardPolicy): boolean {
  const [path = ""] = target.split("?", 1);
  return openPaths.includes(path);
}

function hostCheck({ port, hosts }: GuardPolicy): (host: string) => boolean {
  if (hosts !== "any-address") {
    const good = new Set(hosts.map((host) => `${host.toLowerCase()}:${port}`));
    return (host) => good.has(host.toLowerCase());
  }
  return (host) => {
    const [, name = "", given = ""] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
    const address = name.replace(/^\[(.*)\]$/, "$1");
    return given === String(port) && (name.toLowerCase() === "localhost" || isIP(address) !== 0);
  };
}

// Programs send no Origin. Browsers send one with every request that can do harm, and `Sec-Fetch-Site`.
function isOwnOrigin(headers: ReadonlyMap<string, string>, isOurs: (host: string) => boolean): boolean {
  const site = headers.get("sec-fetch-site") ?? "none";
  if (site !== "none" && site !== "same-origin") return false;
  const origin = headers.get("origin");
  if (origin === undefined) return true;
  return origin.startsWith("http://") && isOurs(origin.slice("http://".length));
}

// In constant time; the length of a token is no secret.
function hasToken(authorization: string, expected: Buffer): boolean {
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const given = Buffer.from(token);
  const isAsLong = given.length === expected.length;
  return timingSafeEqual(isAsLong ? given : expected, expected) && isAsLong && token !== "";
}

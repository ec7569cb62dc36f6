// Decides from the raw request alone who a client is and whether it may talk to the daemon. A foreign web page must not reach it: Host
// and Origin have to be ours (DNS rebinding), and every route but the open ones needs the token or the cookie of a paired device.
// Nothing here reveals which routes exist.
import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Device } from "../../contract/page.js";

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, duplicates included. */
  readonly rawHeaders: readonly string[];
}

export interface GuardPolicy {
  readonly token: string;
  readonly port: number;
  /** "any-address" when the daemon listens on all of them: any plain address is a valid Host. */
  readonly hosts: readonly string[] | "any-address";
  /** How clients reach this socket; http if missing. */
  readonly scheme?: "http" | "https" | undefined;
  /** The origin of a proxy in front of the daemon, such as https://box.example. */
  readonly publicOrigin?: string | undefined;
  /** Paths that need no token. */
  isOpen?(path: string): boolean;
  /** The device whose cookie this is. */
  deviceOf?(cookies: string): PairedDevice | null;
}

export interface PairedDevice {
  readonly device: Device;
  /** Aborted when the device is revoked. */
  readonly revoked: AbortSignal;
}

/** Who sent a request. "open": someone without a token, on a path that needs none. */
export type Caller =
  | { readonly kind: "owner" }
  | ({ readonly kind: "device" } & PairedDevice)
  | { readonly kind: "open" };

export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

export type Guard = (request: RawRequest) => Caller | Refusal;

export const loopbackHosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

const OWNER: Caller = { kind: "owner" };
const OPEN: Caller = { kind: "open" };

/** Headers that are checked here; a duplicate would be ambiguous. */
const SINGLE = [
  "host",
  "origin",
  "authorization",
  "content-length",
  "content-type",
  "cookie",
  "sec-fetch-site",
] as const;

/** A path of plain segments: no empty ones, no dots that climb, no backslash, no encoded slash, dot or NUL. */
const PLAIN_PATH = /^\/(?:[\w~:@!$&'()*+,;=-]|\.(?![./])|%(?!2[ef]|5c|00)[0-9a-f]{2}|(?<!\/)\/)*$/i;

const TARGET_CHARS_MAX = 8 * 1024;

export function createGuard(policy: GuardPolicy): Guard {
  const expected = Buffer.from(policy.token);
  const originOf = originCheck(policy);
  return ({ method, target, rawHeaders }) => {
    const headers = singleHeaders(rawHeaders);
    if (headers === null) return { status: 400, message: "a header came twice" };
    if (!isPlainTarget(target)) return { status: 400, message: "the path is not a plain one" };
    const own = originOf(headers.get("host") ?? "");
    if (own === null) return { status: 403, message: "this Host is not the daemon's: use the address it printed" };
    if (isForeign(headers, own)) return { status: 403, message: "requests of other origins are refused" };
    if (hasToken(headers.get("authorization") ?? "", expected)) return OWNER;
    const paired = policy.deviceOf?.(headers.get("cookie") ?? "") ?? null;
    if (paired !== null) return mayUseCookie(method, headers, own) ? { kind: "device", ...paired } : NOT_FROM_PAGE;
    const [path = ""] = target.split("?", 1);
    if (policy.isOpen?.(path) === true) return OPEN;
    return {
      status: 401,
      message: "the token is missing or wrong: send Authorization: Bearer TOKEN, or pair this device",
    };
  };
}

const NOT_FROM_PAGE: Refusal = { status: 403, message: "a device changes things from the daemon's own page only" };

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

/** The origin that a page under this Host has; null when the Host is not ours. */
function originCheck({ port, hosts, scheme = "http", publicOrigin }: GuardPolicy): (host: string) => string | null {
  const isOurs = hostCheck(hosts, port, scheme);
  const publicHost = publicOrigin === undefined ? null : new URL(publicOrigin).host;
  return (given) => {
    const host = given.toLowerCase();
    if (host === publicHost) return publicOrigin ?? null;
    return isOurs(host) ? `${scheme}://${host}` : null;
  };
}

function hostCheck(hosts: GuardPolicy["hosts"], port: number, scheme: "http" | "https"): (host: string) => boolean {
  // Browsers leave out the usual port.
  const isUsualPort = port === (scheme === "https" ? 443 : 80);
  const withPort = (host: string) => (isUsualPort && !/:\d+$/.test(host) ? `${host}:${port}` : host);
  if (hosts !== "any-address") {
    const good = new Set(hosts.map((host) => `${host.toLowerCase()}:${port}`));
    return (host) => good.has(withPort(host));
  }
  return (host) => {
    const [, name = "", given = ""] = /^(.*?)(?::(\d+))?$/.exec(withPort(host)) ?? [];
    const address = name.replace(/^\[(.*)\]$/, "$1");
    return given === String(port) && (name === "localhost" || isIP(address) !== 0);
  };
}

// Programs send no Origin. Browsers send one with every request that can do harm, and `Sec-Fetch-Site`.
function isForeign(headers: ReadonlyMap<string, string>, own: string): boolean {
  const site = headers.get("sec-fetch-site") ?? "none";
  if (site !== "none" && site !== "same-origin") return true;
  const origin = headers.get("origin");
  return origin !== undefined && origin !== own;
}

// A browser sends cookies by itself, so what changes something has to say that it comes from our page, twice. Browsers leave
// `Sec-Fetch-Site` out only where the connection is neither encrypted nor local.
function mayUseCookie(method: string, headers: ReadonlyMap<string, string>, own: string): boolean {
  if (method === "GET" || method === "HEAD") return true;
  const isTrusted = own.startsWith("https:") || loopbackHosts.includes(new URL(own).hostname);
  return headers.get("origin") === own && (!isTrusted || headers.get("sec-fetch-site") === "same-origin");
}

// In constant time; the length of a token is no secret.
function hasToken(authorization: string, expected: Buffer): boolean {
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  const given = Buffer.from(token);
  const isAsLong = given.length === expected.length;
  return timingSafeEqual(isAsLong ? given : expected, expected) && isAsLong && token !== "";
}

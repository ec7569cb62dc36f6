// Pairing and devices over HTTP: the owner makes a code, a browser exchanges it for a cookie, and devices and shared links are listed
// and revoked. The cookie is HttpOnly and SameSite=Strict, so that no script and no other site can use it.
import { createHash, randomBytes } from "node:crypto";
import {
  type Device,
  deviceResultSchema,
  devicesSchema,
  PAIR_CODE_MS,
  type PairOutcome,
  pairCodeSchema,
  pairOutcomeSchema,
  pairParamsSchema,
  pairResultSchema,
  shareLinkSchema,
  shareParamsSchema,
} from "../../contract/page.js";
import { PAGE_PROTOCOL } from "../../contract/protocol-numbers.js";
import { realTimers, steadyNowMs, type Timers } from "../../system/timers.js";
import type { PairedDevice } from "../http/request-guard.js";
import {
  HttpRefusal,
  type HttpResult,
  jsonAnswer,
  type Route,
  type RouteGroup,
  type RouteRequest,
  readJsonBody,
} from "../http/route.js";
import { DEVICE_MS_MAX, type DeviceRegistry, DevicesFull, type NewDevice } from "./device-registry.js";

export interface DeviceRoutePorts {
  readonly devices: DeviceRegistry;
  readonly project: string;
  /** What the cookie is named after. */
  readonly cookieKey: string;
  readonly version: string;
  /** The session of a terminal, where that is all that there is. */
  readonly onlySession?: string | undefined;
  /** Where browsers find the daemon. */
  origin(): string;
  hasSession(id: string): boolean;
  /** What `GET /device` says of push messages for this device; null where the daemon sends none. */
  push?(device: Device): { public_key: string; problem: string | null } | null;
  readonly timers?: Timers;
}

export interface DeviceRoutes {
  readonly routes: RouteGroup;
  newCode(): { readonly url: string; readonly outcome: Promise<PairOutcome> };
  close(): void;
}

/** Cookies do not know ports: two daemons of one machine have cookies of different names. */
function cookieNameOf(cookieKey: string): string {
  return `palaver_device_${createHash("sha256").update(cookieKey).digest("hex").slice(0, 12)}`;
}

/** The device that a request's cookies name. */
export function deviceOfCookies(devices: DeviceRegistry, cookieKey: string): (cookies: string) => PairedDevice | null {
  const name = `${cookieNameOf(cookieKey)}=`;
  return (cookies) => {
    const secrets = cookies.split(/; */).filter((cookie) => cookie.startsWith(name));
    const [secret] = secrets;
    return secret === undefined || secrets.length > 1 ? null : devices.find(secret.slice(name.length));
  };
}

export function deviceRoutes(ports: DeviceRoutePorts): DeviceRoutes {
  const codes = new PairCodes(ports.timers);
  const limit = new FailureLimit(steadyNowMs);
  return {
    routes: [
      codeRoute(ports, codes),
      outcomeRoute(codes),
      pairRoute(ports, codes, limit),
      openShareRoute(ports, limit),
      thisDeviceRoute(ports),
      leaveRoute(ports),
      listRoute(ports, "/devices", "full"),
      revokeRoute(ports, "/devices/:id", "full"),
      shareRoute(ports),
      listRoute(ports, "/shares", "share"),
      revokeRoute(ports, "/shares/:id", "share"),
    ],
    newCode() {
      const { code, outcome } = codes.make();
      return { url: `${ports.origin()}/#pair=${code}`, outcome };
    },
    close: () => codes.close(),
  };
}

function codeRoute({ origin }: DeviceRoutePorts, codes: PairCodes): Route {
  return {
    method: "POST",
    path: "/pair/codes",
    access: "owner",
    summary: "Make a code by which one device can pair, valid once and for two minutes",
    answers: { 201: { description: "The code, and the address that holds it", schema: pairCodeSchema } },
    handle() {
      const { id, code } = codes.make();
      const expires_at_ms = Date.now() + PAIR_CODE_MS;
      return jsonAnswer({ id, code, url: `${origin()}/#pair=${code}`, expires_at_ms }, 201);
    },
  };
}

function outcomeRoute(codes: PairCodes): Route {
  return {
    method: "GET",
    path: "/pair/codes/:id",
    access: "owner",
    summary: "Wait until a code was used or has expired",
    answers: {
      200: { description: "The result", schema: pairOutcomeSchema },
      404: { description: "There is no such code" },
    },
    async handle({ pathParams }) {
      const outcome = codes.outcomeOf(pathParams["id"] ?? "");
      if (outcome === null) throw new HttpRefusal(404, "there is no such code");
      return jsonAnswer(await outcome);
    },
  };
}

function pairRoute(ports: DeviceRoutePorts, codes: PairCodes, limit: FailureLimit): Route {
  return {
    method: "POST",
    path: "/pair",
    access: "open",
    summary: "Exchange a code for the cookie of a device",
    body: { schema: pairParamsSchema },
    answers: {
      200: { description: "This browser is paired", schema: pairResultSchema },
      403: { description: "The code is wrong, used or expired" },
      429: { description: "Too many wrong codes; Retry-After says how many seconds to wait" },
      503: { description: "There are too many devices" },
    },
    async handle(request) {
      const { code, name = "device" } = await readJsonBody(request, pairParamsSchema);
      const paired = await codes.redeem(code, () => added(ports, { name, scope: "full" }));
      if (paired !== null) return withCookie(ports, request, paired);
      return wrong(limit, request, "this code is wrong, used or older than two minutes; palaver pair makes a new one");
    },
  };
}

function openShareRoute(ports: DeviceRoutePorts, limit: FailureLimit): Route {
  return {
    method: "POST",
    path: "/share",
    access: "open",
    summary: "Exchange the secret of a shared link for a cookie that reads one session",
    body: { schema: shareParamsSchema },
    answers: {
      200: { description: "This browser may read the session", schema: pairResultSchema },
      403: { description: "The link was revoked, or never was one" },
      429: { description: "Too many wrong secrets; Retry-After says how many seconds to wait" },
    },
    async handle(request) {
      const { secret } = await readJsonBody(request, shareParamsSchema);
      const { caller } = request;
      // A paired device sees the session anyway, and keeps its cookie.
      const device = ports.devices.find(secret)?.device;
      if (caller.kind === "device" && caller.device.scope === "full") {
        const shown = device?.session === undefined ? {} : { session: device.session };
        return jsonAnswer({ device: named(caller.device), ...shown });
      }
      if (device?.scope === "share") return withCookie(ports, request, { device, secret });
      return wrong(limit, request, "this link shows nothing: it was revoked, or it is incomplete");
    },
  };
}

function thisDeviceRoute(ports: DeviceRoutePorts): Route {
  return {
    method: "GET",
    path: "/device",
    access: "share",
    summary: "The device that asks, and the daemon it asks",
    answers: {
      200: { description: "Both", schema: deviceResultSchema },
      404: { description: "The token was sent, which is no device" },
    },
    handle({ caller }) {
      if (caller.kind !== "device") throw new HttpRefusal(404, "this is no device: it has the token of the daemon");
      const { device } = caller;
      const { project, version, onlySession } = ports;
      const { id, name, scope, session } = device;
      return jsonAnswer({
        device: { id, name, scope, ...(session === undefined ? {} : { session }) },
        daemon: {
          ...{ project, version, protocol: PAGE_PROTOCOL, now_ms: steadyNowMs() },
          ...(onlySession === undefined ? {} : { session: onlySession }),
        },
        push: scope === "full" ? (ports.push?.(device) ?? null) : null,
      });
    },
  };
}

function leaveRoute(ports: DeviceRoutePorts): Route {
  return {
    method: "DELETE",
    path: "/device",
    access: "share",
    summary: "Sign this device out",
    answers: { 200: { description: "It is not paired any more", schema: pairResultSchema } },
    async handle({ caller }) {
      if (caller.kind !== "device") throw new HttpRefusal(404, "this is no device: it has the token of the daemon");
      const { device } = caller;
      // A viewer of a share may leave it, but not end it for the others.
      if (device.scope === "full") await ports.devices.revoke(device.id);
      const cookie = `${cookieNameOf(ports.cookieKey)}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`;
      return jsonAnswer({ device: named(device) }, 200, { "set-cookie": cookie });
    },
  };
}

function listRoute({ devices }: DeviceRoutePorts, path: string, scope: Device["scope"]): Route {
  return {
    method: "GET",
    path,
    summary: scope === "full" ? "Every paired device" : "Every shared link",
    answers: { 200: { description: "The list", schema: devicesSchema } },
    handle: () => jsonAnswer(devices.list().filter((device) => device.scope === scope)),
  };
}

function revokeRoute({ devices }: DeviceRoutePorts, path: string, scope: Device["scope"]): Route {
  return {
    method: "DELETE",
    path,
    summary:
      scope === "full" ? "Revoke a device; its streams end at once" : "Revoke a shared link; its streams end at once",
    answers: {
      200: { description: "It is revoked", schema: pairResultSchema },
      404: { description: "There is no device with this id" },
    },
    async handle({ pathParams }) {
      const found = devices.list().find((device) => device.id === pathParams["id"] && device.scope === scope);
      if (found === undefined)
        throw new HttpRefusal(404, `there is no ${scope === "full" ? "device" : "link"} of this id`);
      await devices.revoke(found.id);
      return jsonAnswer({ device: named(found) });
    },
  };
}

function shareRoute(ports: DeviceRoutePorts): Route {
  return {
    method: "POST",
    path: "/sessions/:id/shares",
    summary: "Make a link that shows this session, read only, until it is revoked",
    answers: {
      201: { description: "The link", schema: shareLinkSchema },
      404: { description: "There is no such session" },
      503: { description: "There are too many links" },
    },
    async handle({ pathParams, caller }) {
      const session = pathParams["id"] ?? "";
      if (!ports.hasSession(session)) throw new HttpRefusal(404, "there is no such session");
      const made = caller.kind === "device" ? { made_by: caller.device.id } : {};
      const { device, secret } = await added(ports, { name: "shared link", scope: "share", session, ...made });
      return jsonAnswer({ id: device.id, url: `${ports.origin()}/#share=${secret}` }, 201);
    },
  };
}

async function added({ devices }: DeviceRoutePorts, about: NewDevice) {
  try {
    return await devices.add(about);
  } catch (error) {
    if (error instanceof DevicesFull) throw new HttpRefusal(503, error.message);
    throw error;
  }
}

// Only wrong codes have to wait: behind a proxy everyone has its address, and a stranger must not keep the owner from pairing. A
// right code is one of 2^128, so that waiting is no part of its safety.
function wrong(limit: FailureLimit, { from }: RouteRequest, words: string): HttpResult {
  const seconds = limit.waitSeconds(from);
  limit.failed(from);
  if (seconds === 0) throw new HttpRefusal(403, words);
  return jsonAnswer({ error: `too many wrong codes; try again in ${seconds} s` }, 429, { "retry-after": `${seconds}` });
}

function withCookie(
  { cookieKey }: DeviceRoutePorts,
  { headers }: RouteRequest,
  { device, secret }: { device: Device; secret: string },
): HttpResult {
  // The guard has compared the Origin with ours, so that it says how the browser reached us.
  const isSecure = headers.get("origin")?.startsWith("https:") === true;
  const rest = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${DEVICE_MS_MAX / 1_000}${isSecure ? "; Secure" : ""}`;
  const cookie = `${cookieNameOf(cookieKey)}=${secret}; ${rest}`;
  return jsonAnswer({ device: named(device) }, 200, { "set-cookie": cookie });
}

function named({ id, name }: Device): Pick<Device, "id" | "name"> {
  return { id, name };
}

// One-time codes by which a browser becomes a paired device: random, valid once and for two minutes. The owner can wait for a code to be
// used. Wrong codes are counted by address, and an address with too many of them has to wait.

interface OpenCode {
  readonly id: string;
  readonly outcome: Promise<PairOutcome>;
  settle(outcome: PairOutcome): void;
}

const CODES_MAX = 20;

class PairCodes {
  private readonly timers: Timers;
  /** The oldest first. */
  private readonly open = new Map<string, OpenCode>();
  /** Codes that are over, for those who still ask. */
  private readonly ended = new Map<string, Promise<PairOutcome>>();

  constructor(timers: Timers = realTimers) {
    this.timers = timers;
  }

  make(): { id: string; code: string; outcome: Promise<PairOutcome> } {
    const [oldest] = this.open.keys();
    if (this.open.size >= CODES_MAX && oldest !== undefined) this.end(oldest, { state: "expired" });
    const id = randomBytes(4).toString("hex");
    const code = randomBytes(16).toString("base64url");
    let settle: (outcome: PairOutcome) => void = () => undefined;
    const outcome = new Promise<PairOutcome>((resolve) => {
      settle = resolve;
    });
    const cancel = this.timers.after(PAIR_CODE_MS, () => this.end(code, { state: "expired" }));
    void outcome.then(cancel);
    this.open.set(code, { id, outcome, settle });
    return { id, code, outcome };
  }

  /** Uses up the code. `pair` makes the device; null when the code is wrong, used or expired. */
  async redeem<Paired extends { device: Device }>(code: string, pair: () => Promise<Paired>): Promise<Paired | null> {
    const found = this.open.get(code);
    if (found === undefined) return null;
    this.open.delete(code);
    this.remember(found);
    try {
      const paired = await pair();
      found.settle({ state: "paired", device: paired.device });
      return paired;
    } catch (error) {
      found.settle({ state: "expired" });
      throw error;
    }
  }

  /** Settles when the code was used, or cannot be any more; null for a code that is not known. */
  outcomeOf(id: string): Promise<PairOutcome> | null {
    const open = [...this.open.values()].find((code) => code.id === id);
    return open?.outcome ?? this.ended.get(id) ?? null;
  }

  /** No timer is left behind. */
  close(): void {
    for (const code of [...this.open.keys()]) this.end(code, { state: "expired" });
  }

  private end(code: string, outcome: PairOutcome): void {
    const found = this.open.get(code);
    if (found === undefined) return;
    this.open.delete(code);
    this.remember(found);
    found.settle(outcome);
  }

  private remember({ id, outcome }: OpenCode): void {
    this.ended.set(id, outcome);
    const [oldest] = this.ended.keys();
    if (this.ended.size > CODES_MAX && oldest !== undefined) this.ended.delete(oldest);
  }
}

const FAILURES_MAX = 10;
const WINDOW_MS = 60_000;
const ADDRESSES_MAX = 1_000;

/** Counts wrong codes by address. */
class FailureLimit {
  private readonly nowMs: () => number;
  private readonly failures = new Map<string, { count: number; sinceMs: number }>();

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** How many seconds this address has to wait; 0 when it may try. */
  waitSeconds(address: string): number {
    const { count, sinceMs } = this.failures.get(address) ?? { count: 0, sinceMs: 0 };
    const leftMs = sinceMs + WINDOW_MS - this.nowMs();
    return count < FAILURES_MAX || leftMs <= 0 ? 0 : Math.ceil(leftMs / 1_000);
  }

  failed(address: string): void {
    const nowMs = this.nowMs();
    const before = this.failures.get(address);
    const isNew = before === undefined || nowMs - before.sinceMs >= WINDOW_MS;
    this.failures.delete(address);
    this.failures.set(address, isNew ? { count: 1, sinceMs: nowMs } : { ...before, count: before.count + 1 });
    const [oldest] = this.failures.keys();
    if (this.failures.size > ADDRESSES_MAX && oldest !== undefined) this.failures.delete(oldest);
  }
}

// The listening socket: the guard first, then the application, with limits on slow, endless and silent clients.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { DaemonError } from "../project/daemon-error.js";
import type { DaemonApp } from "./daemon-app.js";
import type { HttpLimits, TlsFiles } from "./listening.js";
import { type Caller, createGuard, type GuardPolicy, type Refusal } from "./request-guard.js";

// A connection that has not sent the token is a stranger; when there are too many, a new one replaces the oldest. So
// strangers cannot lock the owner out, and a connection with the token is never closed to make room.
class ConnectionLimits {
  private readonly room: Pick<HttpLimits, "strangersMax" | "connectionsMax">;
  /** The oldest first. */
  private readonly strangers = new Set<Socket>();
  private readonly owners = new Set<Socket>();

  constructor(room: Pick<HttpLimits, "strangersMax" | "connectionsMax">) {
    this.room = room;
  }

  opened(socket: Socket): void {
    this.strangers.add(socket);
    socket.once("close", () => {
      this.strangers.delete(socket);
      this.owners.delete(socket);
    });
    const [oldest] = this.strangers;
    if (this.strangers.size > this.room.strangersMax) {
      this.strangers.delete(oldest ?? socket);
      oldest?.destroy();
    }
  }

  /** The connection has sent the token. */
  admit(socket: Socket): "admitted" | "full" {
    if (this.owners.has(socket)) return "admitted";
    if (this.owners.size >= this.room.connectionsMax) return "full";
    this.strangers.delete(socket);
    this.owners.add(socket);
    return "admitted";
  }
}

export interface HttpServerOptions {
  readonly app: DaemonApp;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly token: string;
  readonly hosts: GuardPolicy["hosts"];
  readonly publicOrigin?: GuardPolicy["publicOrigin"];
  /** With a certificate it speaks HTTPS, and nothing else. */
  readonly tls?: TlsFiles | undefined;
  readonly deviceOf?: GuardPolicy["deviceOf"];
  /** Called once for each request, when its response has ended. */
  readonly onAccess?: ((access: HttpAccess) => void) | undefined;
  readonly limits?: Partial<HttpLimits>;
}

/** What the access log keeps of a request: no query, no header, no body. */
export interface HttpAccess {
  readonly from: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** "owner", the id of a device, "open", or "refused". */
  readonly caller: string;
}

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

const LIMITS: HttpLimits = {
  headersMs: 5_000,
  requestMs: 30_000,
  idleMs: 5_000,
  headerBytesMax: 16 * 1024,
  connectionsMax: 1_000,
  strangersMax: 512,
};

/** For pending responses when the daemon stops. */
const CLOSE_MS_MAX = 500;

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // One policy, which the page makes for the constant address of its service worker.
  "trusted-types palaver",
];

const SAFE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": PAGE_POLICY.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...LIMITS, ...options.limits };
  // The guard needs the port, which is known once the server listens.
  let guard: ReturnType<typeof createGuard> | null = null;
  const connections = new ConnectionLimits(limits);
  const server = serverOf(options.tls, limits, (request, response) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
    const { url: target = "", method = "", rawHeaders, socket } = request;
    const verdict = guard === null ? NOT_READY : guard({ method, target, rawHeaders });
    if (options.onAccess !== undefined) reportAccess(options.onAccess, { request, response, verdict });
    if ("status" in verdict) refuse(request, response, verdict);
    else if (verdict.kind !== "open" && connections.admit(socket) === "full") refuse(request, response, FULL);
    else void options.app.respond(request, response, verdict);
  });
  // Of TLS the socket that requests name is the one that is opened after the handshake.
  server.on(options.tls === undefined ? "connection" : "secureConnection", (socket: Socket) =>
    connections.opened(socket),
  );
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const { app, token, hosts, publicOrigin, deviceOf, tls } = options;
  const scheme = tls === undefined ? "http" : "https";
  const isOpen = (path: string) => app.isOpen(path);
  guard = createGuard({ token, port, hosts, scheme, publicOrigin, isOpen, ...(deviceOf && { deviceOf }) });
  return { port, close: () => close(server) };
}

function serverOf(tls: TlsFiles | undefined, limits: HttpLimits, listener: RequestListener): Server {
  if (tls === undefined) return createServer(serverLimits(limits), listener);
  const { headersMs: handshakeTimeout } = limits;
  return createTlsServer({ ...serverLimits(limits), ...tls, handshakeTimeout, minVersion: "TLSv1.2" }, listener);
}

function reportAccess(
  report: (access: HttpAccess) => void,
  { request, response, verdict }: { request: IncomingMessage; response: ServerResponse; verdict: Caller | Refusal },
): void {
  const { url = "", method = "", socket } = request;
  const from = socket.remoteAddress ?? "";
  const path = (url.split("?", 1)[0] ?? "").slice(0, PATH_CHARS_MAX);
  response.once("close", () => {
    const caller = "status" in verdict ? "refused" : verdict.kind === "device" ? verdict.device.id : verdict.kind;
    report({ from, method, path, status: response.statusCode, caller });
  });
}

/** Of a path in the access log. */
const PATH_CHARS_MAX = 200;

const NOT_READY = { status: 403, message: "the daemon is not ready yet" } as const;
const FULL = { status: 503, message: "too many connections are open" } as const;

function serverLimits({ headersMs, requestMs, idleMs, headerBytesMax }: HttpLimits) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    maxHeaderSize: headerBytesMax,
    // A shorter interval would wake an idle process.
    connectionsCheckingInterval: Math.ceil(headersMs / 2),
    noDelay: true,
  };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new DaemonError("port_taken", `port ${port} is taken by another program`) : error);
    };
    server.once("error", failed);
    server.listen({ host, port }, () => {
      server.off("error", failed);
      resolve();
    });
  });
}

// Without reading the body.
function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: Refusal | typeof FULL): void {
  const text = JSON.stringify({ error: message });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    connection: "close",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
  response.end(text);
  request.resume();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_MS_MAX);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

// Where a daemon may listen: on loopback, or elsewhere when the owner allows it, because then only the token protects it.

// The listening socket: the guard before everything, then the application, and limits against clients that send slowly,
// endlessly or nothing at all. It stops by ending streams first and what is still open after a moment.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConnectionLimits } from "./connection-limits.js";
import type { DaemonApp } from "./daemon-app.js";
import { createGuard, type GuardPolicy, type Refusal } from "./request-guard.js";

export interface HttpServerOptions {
  readonly app: DaemonApp;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly token: string;
  readonly hosts: GuardPolicy["hosts"];
  readonly openPaths?: GuardPolicy["openPaths"];
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  /** How long the head of a request may take; a socket that sends half of one is closed then. */
  readonly headersMs: number;
  /** How long a whole request may take, its body included. */
  readonly requestMs: number;
  readonly idleMs: number;
  readonly headerBytesMax: number;
  /** Connections that have shown the token. */
  readonly connectionsMax: number;
  /** Connections that have not, yet; a new one takes the place of the oldest. */
  readonly strangersMax: number;
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

/** How long answers that are under way may take when the daemon stops. */
const CLOSE_MS_MAX = 500;

const SAFE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...LIMITS, ...options.limits };
  // The guard needs the port, and the port is known when the server listens; nobody gets past it before.
  let guard: ReturnType<typeof createGuard> | null = null;
  const connections = new ConnectionLimits({ strangersMax: limits.strangersMax, ownersMax: limits.connectionsMax });
  const server = createServer(serverLimits(limits), (request, response) => {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
    const { url: target = "", rawHeaders, socket } = request;
    const verdict = guard === null ? NOT_READY : guard({ target, rawHeaders });
    if (typeof verdict !== "string") refuse(request, response, verdict);
    else if (verdict === "owner" && connections.admit(socket) === "full") refuse(request, response, FULL);
    else void options.app(request, response);
  });
  server.on("connection", (socket) => connections.opened(socket));
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const { token, hosts, openPaths = [] } = options;
  guard = createGuard({ token, port, hosts, openPaths });
  return { port, close: () => close(server) };
}

const NOT_READY = { status: 403, message: "the daemon is not ready yet" } as const;
const FULL = { status: 503, message: "too many connections are open" } as const;

function serverLimits({ headersMs, requestMs, idleMs, headerBytesMax }: HttpLimits) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    maxHeaderSize: headerBytesMax,
    // Looking more often would wake an idle process for nothing.
    connectionsCheckingInterval: Math.ceil(headersMs / 2),
    noDelay: true,
  };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

// The body is not read: whoever is refused may have sent anything.
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

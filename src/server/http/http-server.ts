// The listening socket: the guard first, then the application, with limits on slow, endless and silent clients.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, isIPv6, type Socket } from "node:net";
import { DaemonError } from "../project/project-claim.js";
import type { DaemonApp } from "./daemon-app.js";
import { createGuard, type GuardPolicy, loopbackHosts, type Refusal } from "./request-guard.js";

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
  readonly openPaths?: GuardPolicy["openPaths"];
  readonly limits?: Partial<HttpLimits>;
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

const SAFE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...LIMITS, ...options.limits };
  // The guard needs the port, which is known once the server listens.
  let guard: ReturnType<typeof createGuard> | null = null;
  const connections = new ConnectionLimits(limits);
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
    // A shorter interval would wake an idle process.
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

// A proxy on a socket, by which commands in the sandbox reach the hosts they were granted. Names are resolved outside; a name
// that leads to this machine is only allowed if it says so: localhost, or an address.
import { lookup } from "node:dns/promises";
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { isGranted, isOwnAddress } from "../../session/sandbox/sandbox-policy.js";

/** Where a command in the sandbox finds it. */
const PORT = 3128;
const SOCKET_INSIDE = "/tmp/.palaver-proxy";

export class HostProxy {
  readonly #server: Server;
  readonly #open = new Set<Duplex>();

  private constructor(hosts: readonly string[]) {
    this.#server = createServer((request, response) => {
      this.#pass(request, response, hosts).catch(() => refuse(response));
    });
    this.#server.on("checkExpectation", (_, response: ServerResponse) => refuse(response));
    this.#server.on("upgrade", (_, socket: Duplex) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    this.#server.on("connect", (request, socket, head) => {
      this.#tunnel(request, socket, { hosts, head }).catch(() => socket.destroy());
    });
    this.#server.on("connection", (socket) => this.#keep(socket));
  }

  static async open(path: string, hosts: readonly string[]): Promise<HostProxy> {
    const proxy = new HostProxy(hosts);
    await new Promise<void>((resolve, reject) => proxy.#server.once("error", reject).listen(path, resolve));
    proxy.#server.unref();
    return proxy;
  }

  /** What the policy, the line and the variables of a command need besides, to reach the proxy on this socket. */
  static around(line: readonly string[], path: string) {
    const address = `http://127.0.0.1:${PORT}`;
    return {
      shown: { at: SOCKET_INSIDE, by: path },
      line: [process.execPath, "-e", RELAY, SOCKET_INSIDE, String(PORT), ...line],
      env: {
        http_proxy: address,
        https_proxy: address,
        HTTP_PROXY: address,
        HTTPS_PROXY: address,
        NO_PROXY: "",
        no_proxy: "",
      },
    };
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  /** `head` is what the client sent right behind its request. */
  async #tunnel(
    { url = "" }: IncomingMessage,
    socket: Duplex,
    { hosts, head }: { hosts: readonly string[]; head: Buffer },
  ): Promise<void> {
    this.#keep(socket);
    const { hostname, port } = parsed(`http://${url}`);
    const address = await addressOf(hosts, hostname, Number(port || 80));
    if (address === null) {
      socket.end(`HTTP/1.1 403 Forbidden\r\n\r\n${refusal(hostname)}`);
      return;
    }
    const there = connect({ host: address, port: Number(port || 80) });
    this.#keep(there);
    there.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      there.write(head);
      socket.pipe(there).pipe(socket);
    });
    there.on("close", () => socket.destroy());
    socket.on("close", () => there.destroy());
  }

  async #pass(request: IncomingMessage, response: ServerResponse, hosts: readonly string[]): Promise<void> {
    const { protocol, hostname, port, pathname, search, host } = parsed(request.url ?? "");
    const to = Number(port || 80);
    const address = protocol === "http:" ? await addressOf(hosts, hostname, to) : null;
    if (address === null) {
      response.writeHead(403).end(refusal(hostname));
      return;
    }
    const headers = passedOn(request.headers);
    const path = pathname + search;
    const there = forward({ host: address, port: to, method: request.method, path, headers: { ...headers, host } });
    there.on("response", (answer) => {
      try {
        response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      } catch {
        return response.destroy();
      }
      return answer.on("error", () => response.destroy()).pipe(response);
    });
    there.on("error", () => response.destroy());
    request.on("error", () => there.destroy()).pipe(there);
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#open.delete(socket));
  }
}

/** They are about one connection, and not about the message. */
const HOP_BY_HOP = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer upgrade expect".split(" "),
);

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

function refuse(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(400).end("Bad request\n");
}

function parsed(url: string): URL {
  try {
    return new URL(url);
  } catch {
    return new URL("none://none");
  }
}

/** Null when it may not be reached. */
async function addressOf(hosts: readonly string[], hostname: string, port: number): Promise<string | null> {
  const name = hostname.replace(/^\[|\]$/g, "");
  if (!isGranted(hosts, name, port)) return null;
  if (isIP(name) !== 0) return name;
  const found = await lookup(name).catch(() => null);
  if (found === null || (isOwnAddress(found.address) && name !== "localhost")) return null;
  return found.address;
}

function refusal(hostname: string): string {
  return `The sandbox grants no access to ${hostname}: network is unreachable\n`;
}

/**
 * Runs inside, around the command: a port of the sandbox's own network that leads to the socket. Written as a text, because
 * nothing of Palaver has to be readable in there.
 */
const RELAY = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const [path, port, program, ...args] = process.argv.slice(1);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
createServer((socket) => {
  const there = connect(path);
  socket.pipe(there).pipe(socket);
  socket.on("error", () => there.destroy());
  there.on("error", () => socket.destroy());
}).listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", ({ message }) => { console.error(message); process.exit(127); });
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
});
`;

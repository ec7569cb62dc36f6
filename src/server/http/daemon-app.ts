// Dispatches requests to the routes of all groups: 404 for an unknown path, 405 for a wrong method, and whatever a route
// throws becomes a response.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "./request-guard.js";
import {
  admitCaller,
  HttpRefusal,
  type HttpResult,
  jsonAnswer,
  openApiOf,
  type Route,
  type RouteGroup,
  type RouteRequest,
} from "./route.js";

export interface DaemonAppOptions {
  readonly groups: readonly RouteGroup[];
  readonly version: string;
  readonly bodyBytesMax?: number;
  /** For errors that are not the client's fault. */
  onError(error: unknown): void;
}

export interface DaemonApp {
  /** Answers one request; it never rejects. */
  respond(incoming: IncomingMessage, outgoing: ServerResponse, caller: Caller): Promise<void>;
  /** Whether anyone may use this path. */
  isOpen(path: string): boolean;
}

const BODY_BYTES_MAX = 1024 * 1024;

export function createDaemonApp(options: DaemonAppOptions): DaemonApp {
  const { groups, version, onError, bodyBytesMax = BODY_BYTES_MAX } = options;
  const places = placesOf([...groups.flat(), descriptionRoute(groups.flat(), version)]);
  return {
    async respond(incoming, outgoing, caller) {
      try {
        const { method = "GET", url = "/" } = incoming;
        const found = findRoute(places, method, url.split("?", 1)[0] ?? "/");
        const result =
          "refusal" in found
            ? found.refusal
            : await handled(found, routeRequest({ incoming, outgoing, caller }, found.pathParams, bodyBytesMax));
        await sendResult(outgoing, result);
      } catch (error) {
        if (!(error instanceof HttpRefusal)) onError(error);
        await sendResult(outgoing, refusalOf(error));
      }
    },
    isOpen: (path) =>
      places.some(({ pattern, routes }) => pattern.test(path) && routes.some(({ access }) => access === "open")),
  };
}

function handled({ route }: Found & { route: Route }, request: RouteRequest): HttpResult | Promise<HttpResult> {
  admitCaller(route, request);
  return route.handle(request);
}

interface Place {
  readonly path: string;
  readonly pattern: RegExp;
  readonly routes: Route[];
}

function placesOf(routes: readonly Route[]): Place[] {
  const places = new Map<string, Place>();
  for (const route of routes) {
    const { path } = route;
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const place = places.get(path) ?? { path, pattern, routes: [] };
    place.routes.push(route);
    places.set(path, place);
  }
  return [...places.values()];
}

type Found = { readonly route: Route; readonly pathParams: Record<string, string> } | { readonly refusal: HttpResult };

function findRoute(places: readonly Place[], method: string, path: string): Found {
  let wrongMethod: Place | undefined;
  for (const place of places) {
    const match = place.pattern.exec(path);
    if (match === null) continue;
    const route = place.routes.find((one) => one.method === method);
    if (route !== undefined) return { route, pathParams: decoded(match.groups ?? {}) };
    wrongMethod ??= place;
  }
  if (wrongMethod === undefined) {
    return { refusal: jsonAnswer({ error: "there is no such path; /openapi.json lists all paths" }, 404) };
  }
  const methods = wrongMethod.routes.map((route) => route.method);
  const error = `${wrongMethod.path} takes ${methods.join(" and ")}`;
  return { refusal: jsonAnswer({ error }, 405, { allow: methods.join(", ") }) };
}

function decoded(params: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new HttpRefusal(400, "the path is not a plain one");
  }
}

// The rest of a body that is too large is not read: the connection closes after the response.
function refusalOf(error: unknown): HttpResult {
  if (!(error instanceof HttpRefusal)) {
    return jsonAnswer({ error: "the daemon failed at this request; see its log" }, 500);
  }
  const headers: Record<string, string> = error.status === 413 ? { connection: "close" } : {};
  return jsonAnswer({ error: error.message }, error.status, headers);
}

function descriptionRoute(routes: readonly Route[], version: string): Route {
  const route: Route = {
    method: "GET",
    path: "/openapi.json",
    summary: "This description",
    answers: { 200: { description: "An OpenAPI 3.1 document" } },
    handle: () => jsonAnswer(document),
  };
  const document = openApiOf([...routes, route], version);
  return route;
}

// From Node's request to a `RouteRequest`, whose body is read within a bound, and from a route's result to Node's response.
function routeRequest(
  { incoming, outgoing, caller }: { incoming: IncomingMessage; outgoing: ServerResponse; caller: Caller },
  pathParams: Readonly<Record<string, string>>,
  bodyBytesMax: number,
): RouteRequest {
  const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "localhost"}`);
  const headers = headersOf(incoming);
  let signal: AbortSignal | undefined;
  const gone = () => {
    signal ??= goneSignal(outgoing, caller);
    return signal;
  };
  return {
    ...{ url, headers, pathParams, caller },
    from: incoming.socket.remoteAddress ?? "",
    get signal() {
      return gone();
    },
    get raw() {
      return new Request(url, { method: incoming.method ?? "GET", headers, signal: gone() });
    },
    text: () => readBodyText(headers, bodyBytesMax, incoming),
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  return headers;
}

/** Aborted when the client disconnects before it has the whole answer, or loses the right to it. */
function goneSignal(outgoing: ServerResponse, caller: Caller): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.closed) leave();
  else outgoing.once("close", leave);
  return caller.kind === "device" ? AbortSignal.any([controller.signal, caller.revoked]) : controller.signal;
}

async function readBodyText(headers: Headers, bytesMax: number, body: IncomingMessage): Promise<string> {
  const announced = headers.get("content-length");
  if (Number(announced ?? 0) > bytesMax) throw tooLarge(bytesMax);
  if (announced === "0") return "";
  try {
    // A route that stops reading early can still answer on the same connection.
    const bytes = await readBody(body.iterator({ destroyOnReturn: false }), bytesMax);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof HttpRefusal) throw error;
    throw new HttpRefusal(400, "the body ended early or is not UTF-8");
  }
}

async function readBody(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(bytesMax: number): HttpRefusal {
  return new HttpRefusal(413, `the body is larger than ${bytesMax} bytes`);
}

async function sendResult(outgoing: ServerResponse, result: HttpResult): Promise<void> {
  if (outgoing.destroyed) return;
  if (outgoing.headersSent) {
    // A stream broke in the middle: the client must not take it for complete.
    outgoing.destroy();
    return;
  }
  if (!(result instanceof Response)) {
    const { status, text, headers } = result;
    const bytes = Buffer.from(text);
    outgoing.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": bytes.length }) });
    outgoing.end(bytes);
    return;
  }
  outgoing.writeHead(result.status, Object.fromEntries(result.headers));
  if (result.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await sendStream(outgoing, result.body.getReader());
}

async function sendStream(outgoing: ServerResponse, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const stop = () => void reader.cancel().catch(() => undefined);
  outgoing.once("close", stop);
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (!outgoing.write(value)) await roomAgain(outgoing);
  }
  outgoing.off("close", stop);
  outgoing.end();
}

function roomAgain(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const proceed = () => {
      outgoing.off("drain", proceed).off("close", proceed);
      resolve();
    };
    outgoing.on("drain", proceed).on("close", proceed);
  });
}

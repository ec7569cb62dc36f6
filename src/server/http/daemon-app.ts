// Puts the routes of all groups together into one application. A path that nobody has is 404, a method that a path does not
// have is 405 and says which it has, and whatever a route throws is an answer, never a crash.
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { openApiOf } from "./open-api.js";
import { readBodyText } from "./request-body.js";
import { HttpRefusal, type HttpResult, jsonAnswer, type Route, type RouteGroup, type RouteRequest } from "./route.js";

export interface DaemonAppOptions {
  readonly groups: readonly RouteGroup[];
  readonly version: string;
  readonly bodyBytesMax?: number;
  /** Something failed that is no fault of the client. */
  onError(error: unknown): void;
}

const BODY_BYTES_MAX = 1024 * 1024;

export function createDaemonApp({ groups, version, onError, bodyBytesMax = BODY_BYTES_MAX }: DaemonAppOptions): Hono {
  const app = new Hono({ strict: true });
  const routes = [...groups.flat(), descriptionRoute(groups.flat(), version)];
  for (const route of routes) {
    app.on(route.method, route.path, async (context) => {
      return answered(await route.handle(requestOf(context, bodyBytesMax)), context);
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    const words = `${path} takes ${methods.join(" and ")}`;
    app.all(path, (context) => refuse(context, 405, words, { allow: methods.join(", ") }));
  }
  app.notFound((context) => refuse(context, 404, "there is nothing at this path; /openapi.json lists what there is"));
  app.onError((error, context) => {
    if (error instanceof HttpRefusal) return refuse(context, error.status, error.message, afterRefusal(error.status));
    onError(error);
    return refuse(context, 500, "the daemon failed at this request; its log says why");
  });
  return app;
}

// The application answers HEAD like GET by itself, which would open a log stream that nobody reads.
export function isPlainMethod(method: string | undefined): boolean {
  return method !== "HEAD" && method !== "TRACE" && method !== "CONNECT";
}

// What is left of a body that is too large is not read: the connection ends with the answer.
function afterRefusal(status: number): Record<string, string> {
  return status === 413 ? { connection: "close" } : {};
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

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  return methods;
}

// Where there is a socket, what is there already is read from it and written to it directly.
type Sockets = Partial<HttpBindings> | undefined;

function requestOf(context: Context, bodyBytesMax: number): RouteRequest {
  const { raw } = context.req;
  const incoming = (context.env as Sockets)?.incoming;
  return {
    raw,
    url: new URL(raw.url),
    headers: raw.headers,
    pathParams: context.req.param() as Record<string, string>,
    get signal() {
      return raw.signal;
    },
    text: () => readBodyText(raw.headers, bodyBytesMax, () => pieces(incoming) ?? raw.body ?? []),
  };
}

// Whoever stops reading in the middle still wants to say why, over the same connection.
function pieces(incoming: HttpBindings["incoming"] | undefined): AsyncIterable<Uint8Array> | undefined {
  return incoming !== undefined && "iterator" in incoming ? incoming.iterator({ destroyOnReturn: false }) : undefined;
}

function answered(answer: HttpResult, context: Context): Response {
  if (answer instanceof Response) return answer;
  const { status, text, headers } = answer;
  const outgoing = (context.env as Sockets)?.outgoing;
  if (outgoing === undefined) return new Response(status === 204 ? null : text, { status, headers });
  if (!outgoing.destroyed) {
    const bytes = Buffer.from(text);
    outgoing.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": bytes.length }) });
    outgoing.end(bytes);
  }
  return RESPONSE_ALREADY_SENT;
}

function refuse(context: Context, status: number, error: string, headers: Record<string, string> = {}): Response {
  return answered(jsonAnswer({ error }, status, headers), context);
}

// Dispatches requests to the routes of all groups: 404 for an unknown path, 405 for a wrong method, and whatever a route
// throws becomes a response.
import type { IncomingMessage, ServerResponse } from "node:http";
import { routeRequest, sendResult } from "./node-exchange.js";
import { openApiOf } from "./open-api.js";
import { HttpRefusal, type HttpResult, jsonAnswer, type Route, type RouteGroup } from "./route.js";

export interface DaemonAppOptions {
  readonly groups: readonly RouteGroup[];
  readonly version: string;
  readonly bodyBytesMax?: number;
  /** For errors that are not the client's fault. */
  onError(error: unknown): void;
}

/** Answers one request; it never rejects. */
export type DaemonApp = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

const BODY_BYTES_MAX = 1024 * 1024;

export function createDaemonApp(options: DaemonAppOptions): DaemonApp {
  const { groups, version, onError, bodyBytesMax = BODY_BYTES_MAX } = options;
  const places = placesOf([...groups.flat(), descriptionRoute(groups.flat(), version)]);
  return async (incoming, outgoing) => {
    try {
      const { method = "GET", url = "/" } = incoming;
      const found = findRoute(places, method, url.split("?", 1)[0] ?? "/");
      const result =
        "refusal" in found
          ? found.refusal
          : await found.route.handle(routeRequest({ incoming, outgoing }, found.pathParams, bodyBytesMax));
      await sendResult(outgoing, result);
    } catch (error) {
      if (!(error instanceof HttpRefusal)) onError(error);
      await sendResult(outgoing, refusalOf(error));
    }
  };
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
    return { refusal: jsonAnswer({ error: "there is nothing at this path; /openapi.json lists what there is" }, 404) };
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

// Node's request as routes see it. What costs something is made when it is first asked for.
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBodyText } from "./request-body.js";
import type { RouteRequest } from "./route.js";

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export function routeRequest(
  { incoming, outgoing }: Exchange,
  pathParams: Readonly<Record<string, string>>,
  bodyBytesMax: number,
): RouteRequest {
  const url = new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "localhost"}`);
  const headers = headersOf(incoming);
  let signal: AbortSignal | undefined;
  const gone = () => {
    signal ??= goneSignal(outgoing);
    return signal;
  };
  return {
    url,
    headers,
    pathParams,
    get signal() {
      return gone();
    },
    get raw() {
      return new Request(url, { method: incoming.method ?? "GET", headers, signal: gone() });
    },
    // A route that stops reading in the middle still answers over the same connection.
    text: () => readBodyText(headers, bodyBytesMax, () => incoming.iterator({ destroyOnReturn: false })),
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  return headers;
}

/** Aborted when the client goes away before it has the whole answer. */
function goneSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.closed) leave();
  else outgoing.once("close", leave);
  return controller.signal;
}

// From Node's request to a `RouteRequest`, whose body is read within a bound, and from a route's result to Node's response.
import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpRefusal, type HttpResult, type RouteRequest } from "./route.js";

export function routeRequest(
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
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

/** Aborted when the client disconnects before it has the whole answer. */
function goneSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.closed) leave();
  else outgoing.once("close", leave);
  return controller.signal;
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

export async function sendResult(outgoing: ServerResponse, result: HttpResult): Promise<void> {
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

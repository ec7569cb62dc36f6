// Writes what a route answers to the socket: a text at once, a stream as fast as the client reads and no faster.
import type { ServerResponse } from "node:http";
import type { HttpResult } from "./route.js";

export async function sendResult(outgoing: ServerResponse, result: HttpResult): Promise<void> {
  if (outgoing.destroyed) return;
  if (outgoing.headersSent) {
    // A stream broke in the middle: the client must not take what it has for the whole.
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

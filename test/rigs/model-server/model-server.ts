// A stand-in for a model's API on loopback: it answers each request with the next step of a script, as OpenAI or as
// Anthropic would stream it, and remembers what it was asked. It can refuse, break off, fall silent and hang.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicError, anthropicEvents } from "./anthropic-stream.js";
import type { ModelStep } from "./model-step.js";
import { openaiError, openaiEvents } from "./openai-stream.js";

export type ModelApi = "openai" | "anthropic";

export type SeenRequest = {
  readonly api: ModelApi;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown> & { messages: { role: string; content: unknown }[] };
  /** Resolves when the caller is gone. */
  readonly closed: Promise<void>;
};

export type ModelServer = {
  /** For `--base-url`. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Adds steps to the script. */
  play(...steps: ModelStep[]): void;
  /** Resolves when this many requests have come. */
  seen(count: number): Promise<SeenRequest>;
  close(): Promise<void>;
};

export async function startModelServer(): Promise<ModelServer> {
  const script: ModelStep[] = [];
  const requests: SeenRequest[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const api: ModelApi = request.url?.endsWith("/messages") ? "anthropic" : "openai";
      const closed = new Promise<void>((resolve) => response.on("close", resolve));
      requests.push({ api, headers: request.headers, body: JSON.parse(text), closed });
      answer(response, { api, step: script.shift() ?? overStep, model: String(requests.at(-1)?.body.model) });
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    play: (...steps) => void script.push(...steps),
    async seen(count) {
      for (;;) {
        const request = requests[count - 1];
        if (request !== undefined) return request;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const overStep: ModelStep = { status: 418, message: "the script of the stand-in is over" };

type Answer = { readonly api: ModelApi; readonly step: ModelStep; readonly model: string };

function answer(response: ServerResponse, { api, step, model }: Answer): void {
  if (step.status !== undefined) {
    const message = step.message ?? `status ${step.status}`;
    response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
    response.end(JSON.stringify(api === "openai" ? openaiError(step.status, message) : anthropicError(message)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = api === "openai" ? openaiEvents(step, model) : anthropicEvents(step, model);
  response.write(events.join(""), () => {
    if (step.ending === "cut") response.destroy();
    else if (step.ending !== "hang") response.end();
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

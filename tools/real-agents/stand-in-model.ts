// A model that does what it is told: the name of a script in a prompt chooses what it says and which tools it calls. It
// answers as OpenAI (both its APIs), Anthropic or Gemini would, on loopback alone, and remembers which scripts each request carried.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicError, anthropicEvents } from "../../test/rigs/model-server/anthropic-stream.js";
import type { ModelStep } from "../../test/rigs/model-server/model-step.js";
import { openaiError, openaiEvents } from "../../test/rigs/model-server/openai-stream.js";
import { geminiError, geminiEvents } from "./gemini-stream.js";
import { apiOf, type Fields, type ModelApi, type ModelRequest, readModelRequest } from "./model-request.js";
import { responsesEvents } from "./responses-stream.js";
import { type Deed, plainValue, toolFor } from "./tool-choice.js";

/** What is said and done in one answer. */
export type ScriptStep = Omit<ModelStep, "calls"> & { readonly deed?: Deed };

export type Scripts = Readonly<Record<string, readonly ScriptStep[]>>;

export type StandInModel = {
  readonly port: number;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
};

export async function startStandInModel(scripts: Scripts): Promise<StandInModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const url = request.url ?? "";
      const api = apiOf(url);
      if (api === null) {
        otherAnswer(url, response);
        return;
      }
      const asked = readModelRequest(api, url, body);
      requests.push(asked);
      answer(response, asked, stepFor(asked, scripts));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

// Agents ask for titles and small judgements besides; those requests offer no tools or want data.
function stepFor(asked: ModelRequest, scripts: Scripts): ModelStep {
  if (asked.answerSchema !== null) return { text: JSON.stringify(plainValue(asked.answerSchema)) };
  const script = scripts[asked.scripts.at(-1) ?? ""];
  if (script === undefined || asked.tools.length === 0) return { text: "A stand-in's words" };
  const step = script[Math.min(asked.rounds, script.length - 1)] ?? {};
  const { deed, ...said } = step;
  const call = deed === undefined ? null : toolFor(deed, asked.tools);
  if (deed !== undefined && call === null) return { text: `There is no tool to ${deed.do} with.` };
  const id = `call_${asked.scripts.length}_${asked.rounds + 1}`;
  return call === null ? said : { ...said, calls: [{ ...call, id }] };
}

function answer(response: ServerResponse, { api, model, streams }: ModelRequest, step: ModelStep): void {
  if (step.status !== undefined) {
    response.writeHead(step.status, { "content-type": "application/json" });
    response.end(JSON.stringify(errors[api](step.status, step.message ?? "refused")));
    return;
  }
  if (!streams) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(wholeAnswer(api, model, step)));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(streamers[api](step, model).join(""), () => {
    if (step.ending === "cut") response.destroy();
    else if (step.ending !== "hang") response.end();
  });
}

const streamers: Readonly<Record<ModelApi, (step: ModelStep, model: string) => string[]>> = {
  openai: openaiEvents,
  anthropic: namedAnthropicEvents,
  gemini: geminiEvents,
  responses: responsesEvents,
};

let messages = 0;

// Claude Code joins answers that carry the same name into one; every answer gets a name of its own.
function namedAnthropicEvents(step: ModelStep, model: string): string[] {
  messages += 1;
  const [start = "", ...others] = anthropicEvents(step, model);
  return [start.replace('"id":"msg_1"', `"id":"msg_${messages}"`), ...others];
}

const errors: Readonly<Record<ModelApi, (status: number, message: string) => unknown>> = {
  openai: openaiError,
  anthropic: (_, message) => anthropicError(message),
  gemini: geminiError,
  responses: openaiError,
};

// Only words are ever asked for in one piece.
function wholeAnswer(api: ModelApi, model: string, { text = "" }: ModelStep): unknown {
  if (api === "gemini") {
    const content = { role: "model", parts: [{ text }] };
    return { candidates: [{ index: 0, content, finishReason: "STOP" }], modelVersion: model };
  }
  const usage = { input_tokens: 10, output_tokens: 2, prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  if (api === "anthropic") {
    const content = [{ type: "text", text }];
    return { id: "msg_1", type: "message", role: "assistant", model, content, stop_reason: "end_turn", usage };
  }
  const message = { role: "assistant", content: text };
  return { id: "c1", object: "chat.completion", model, choices: [{ index: 0, message, finish_reason: "stop" }], usage };
}

function otherAnswer(url: string, response: ServerResponse): void {
  const isCount = /count_?tokens/i.test(url);
  const isList = /\/models(?:\?|$)/.test(url);
  const found = isCount
    ? { input_tokens: 10, totalTokens: 10 }
    : isList
      ? { object: "list", data: [], models: [] }
      : null;
  response.writeHead(found === null ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? { error: { message: "the stand-in has nothing here" } }));
}

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return {};
  }
}

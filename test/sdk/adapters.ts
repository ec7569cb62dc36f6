// The adapters under one suite: each comes with a peer, the user's end of its wire, that sees questions and signals
// in one common form and answers in the wire's own bytes. Headless has nobody at the other end.

import { PassThrough } from "node:stream";
import { createCommandDecoder, encodeCommand, encodeOutput } from "../../src/agents/dialects/lines/lines-codec.js";
import { createRpcDecoder } from "../../src/agents/dialects/rpc/rpc-codec.js";
import { createHeadlessUi } from "../../src/sdk/headless-ui.js";
import { createLinesUi } from "../../src/sdk/lines-ui.js";
import { createRpcUi } from "../../src/sdk/rpc-ui.js";
import type { UI } from "../../src/sdk/ui.js";
import { createOutputDecoder } from "../rigs/output-decoder.js";
import { createFakeTimers, type FakeTimers } from "./fake-timers.js";

export type SeenRequest = {
  id: string;
  method: string;
  params: Record<string, unknown>;
  timeoutMs: number | undefined;
};
export type Seen =
  | ({ kind: "request" } & SeenRequest)
  | { kind: "cancel"; id: string; reason: string | undefined }
  | { kind: "signal"; name: string; params: Record<string, unknown> };

export type Rig = {
  ui: UI;
  timers: FakeTimers;
  /** Everything that reached the other end, in order; waits for at least this many. */
  seen(count: number): Promise<Seen[]>;
  /** The first question not taken yet. */
  nextRequest(): Promise<SeenRequest>;
  answer(id: string | number | null, result: unknown): void;
  answerError(id: string, error: string): void;
  /** A response with neither result nor error. */
  answerNothing(id: string): void;
  /** A line of one's own. */
  say(line: string): void;
  disconnect(): void;
  shutdown(): void;
};

export type Adapter = { name: string; answers: "person" | "nobody"; open(): Rig };

export const adapters: Adapter[] = [
  { name: "rpc", answers: "person", open: openRpc },
  { name: "lines", answers: "person", open: openLines },
  { name: "headless", answers: "nobody", open: openHeadless },
];

function createLog() {
  const log: Seen[] = [];
  let taken = 0;
  let wake = () => {};
  const until = async (ready: () => boolean) => {
    while (!ready()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const requests = () => log.filter((entry) => entry.kind === "request");
  return {
    push(entry: Seen) {
      log.push(entry);
      wake();
    },
    async seen(count: number) {
      await until(() => log.length >= count);
      return [...log];
    },
    async nextRequest() {
      await until(() => requests().length > taken);
      const request = requests()[taken++];
      if (request === undefined) throw new Error("unreachable");
      return request;
    },
  };
}

function openRpc(): Rig {
  const timers = createFakeTimers();
  const input = new PassThrough();
  const output = new PassThrough();
  const log = createLog();
  const decoder = createRpcDecoder();
  output.on("data", (chunk: Buffer) => {
    for (const item of decoder.push(chunk)) {
      if (item.kind !== "frame") throw new Error(`not a frame: ${JSON.stringify(item).slice(0, 300)}`);
      if (item.frame.kind === "request") {
        const { id, method, params, timeout_ms } = item.frame.request;
        log.push({ kind: "request", id: String(id), method, params, timeoutMs: timeout_ms });
      } else if (item.frame.kind === "notification") {
        const { method, params } = item.frame.notification;
        if (method === "cancel") log.push({ kind: "cancel", id: String(params.id), reason: params.reason });
        else log.push({ kind: "signal", name: method, params });
      }
    }
  });
  const ui = createRpcUi({ input, output, timers });
  const say = (line: string) => void input.write(`${line}\n`);
  return {
    ui,
    timers,
    ...log,
    say,
    answer: (id, result) => say(JSON.stringify({ id, result })),
    answerError: (id, error) => say(JSON.stringify({ id, error })),
    answerNothing: (id) => say(JSON.stringify({ id })),
    disconnect: () => input.end(),
    shutdown: () => ui.close(),
  };
}

function openLines(): Rig {
  const timers = createFakeTimers();
  const log = createLog();
  const outputs = createOutputDecoder();
  const commands = createCommandDecoder();
  const ui = createLinesUi({
    timers,
    send(frame) {
      for (const item of outputs.push(Buffer.from(encodeOutput(frame)))) {
        if (item.kind !== "frame") throw new Error(`not a frame: ${JSON.stringify(item).slice(0, 300)}`);
        const { frame: seen } = item;
        if (seen.type === "ui_request") {
          log.push({
            kind: "request",
            id: seen.id,
            method: seen.method,
            params: seen.params,
            timeoutMs: seen.timeout_ms,
          });
        } else if (seen.type === "ui_cancel") log.push({ kind: "cancel", id: seen.id, reason: seen.reason });
        else if ("params" in seen)
          log.push({ kind: "signal", name: seen.type, params: seen.params as Record<string, unknown> });
      }
      return "sent";
    },
  });
  const say = (line: string) => {
    for (const item of commands.push(Buffer.from(`${line}\n`))) {
      if (item.kind === "frame" && item.frame.type === "ui_response") ui.handleResponse(item.frame);
    }
  };
  const respond = (fields: object) => say(encodeCommand({ type: "ui_response", ...fields } as never).trimEnd());
  return {
    ui,
    timers,
    ...log,
    say,
    answer: (id, result) => respond({ id, result, error: null }),
    answerError: (id, error) => respond({ id, result: null, error }),
    answerNothing: (id) => respond({ id }),
    disconnect: () => ui.disconnect(),
    shutdown: () => ui.close(),
  };
}

function openHeadless(): Rig {
  const log = createLog();
  const ui = createHeadlessUi({
    log: (level, message) => log.push({ kind: "signal", name: "log", params: { level, message } }),
  });
  const nothing = () => {};
  return {
    ui,
    timers: createFakeTimers(),
    ...log,
    say: nothing,
    answer: nothing,
    answerError: nothing,
    answerNothing: nothing,
    disconnect: nothing,
    shutdown: nothing,
  };
}

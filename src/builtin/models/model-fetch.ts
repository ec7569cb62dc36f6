// The `fetch` of the provider packages, on Node's own client, which costs half as much per token. Tokens that arrive within one frame of
// the screen are handed on as one: after this, each one costs the packages a third of a millisecond.
//
// `Request`, `Response` and `Headers` are used as types only: the first of them would load Node's other client, which takes 20 ms and
// 7 MB. The build keeps the packages from it as well.
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/** One frame of the screen. */
const FRAME_MS = 33;

/** What the provider packages read of a `Response`. */
interface ModelResponse extends Pick<Response, "ok" | "status" | "statusText" | "text" | "arrayBuffer"> {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: ReadableStream<Uint8Array>;
}

export async function modelFetch(input: string | URL | Request, init: RequestInit = {}): Promise<ModelResponse> {
  const url = new URL(typeof input === "string" || input instanceof URL ? input : input.url);
  const answer = await answerTo(url, init);
  const headers = new Map(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const body = streamOf(answer, isStream ? merging() : unchanged);
  const { statusCode: status = 0, statusMessage: statusText = "" } = answer;
  const arrayBuffer = () => bytesOf(body);
  const text = async () => new TextDecoder().decode(await arrayBuffer());
  return { ok: status >= 200 && status < 300, status, statusText, headers, body, arrayBuffer, text };
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}

function answerTo(url: URL, { method = "GET", headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    const options = { method, headers: plainHeaders(headers), ...(signal && { signal }) };
    const request = open(url, options, resolve);
    request.on("error", reject);
    request.end(body ?? undefined);
  });
}

function plainHeaders(headers: RequestInit["headers"] = {}): Record<string, string> {
  return Object.fromEntries(Symbol.iterator in headers ? headers : Object.entries(headers));
}

type Push = (chunk: Uint8Array) => void;
/** What is done with the bytes of an answer, and at its end. */
type Passage = { take(chunk: Uint8Array, push: Push): void; end(push: Push): void };

const unchanged: Passage = { take: (chunk, push) => push(chunk), end: () => undefined };

function merging(): Passage {
  const events = new MergedEvents();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | null = null;
  let handedOnAtMs = Number.NEGATIVE_INFINITY;
  const handOn = (push: Push, further = "") => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    handedOnAtMs = performance.now();
    const text = events.take() + further;
    if (text !== "") push(encoder.encode(text));
  };
  return {
    take(chunk, push) {
      events.add(decoder.decode(chunk, { stream: true }));
      timer ??= setTimeout(handOn, Math.max(0, handedOnAtMs + FRAME_MS - performance.now()), push);
    },
    end: (push) => handOn(push, events.rest),
  };
}

// A reader that is slower than the server holds it back; one that stops reading ends the connection.
function streamOf(answer: IncomingMessage, { take, end }: Passage): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream({
    start(controller) {
      const push: Push = (chunk) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      };
      answer.on("data", (chunk: Uint8Array) => take(chunk, push));
      answer.on("end", () => {
        end(push);
        if (!isOver) controller.close();
        isOver = true;
      });
      answer.on("error", (error) => {
        // Node calls it "aborted", whichever side did it.
        if (error.message === "aborted") error.message = "the server closed the connection";
        if (!isOver) controller.error(error);
        isOver = true;
      });
    },
    pull: () => void answer.resume(),
    cancel() {
      isOver = true;
      answer.destroy();
    },
  });
}

type MergeableEvent = { readonly head: string; readonly data: Record<string, unknown>; readonly delta: Delta };
type Delta = { readonly of: Record<string, unknown>; readonly field: string; readonly key: string };

/** Server-sent events in which neighbours that add text to the same place are one. */
export class MergedEvents {
  /** The beginning of the next event. */
  rest = "";
  #out = "";
  #last: MergeableEvent | null = null;

  add(text: string): void {
    const events = `${this.rest}${text}`.split(/\r?\n\r?\n/);
    this.rest = events.pop() ?? "";
    for (const event of events) this.#take(event);
  }

  take(): string {
    this.#close();
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #take(event: string): void {
    const next = mergeable(event);
    const last = this.#last;
    if (next !== null && last !== null && next.head === last.head && next.delta.key === last.delta.key) {
      last.delta.of[last.delta.field] = `${last.delta.of[last.delta.field]}${next.delta.of[next.delta.field]}`;
      return;
    }
    this.#close();
    if (next === null) this.#out += `${event}\n\n`;
    else this.#last = next;
  }

  #close(): void {
    if (this.#last !== null) this.#out += `${this.#last.head}data: ${JSON.stringify(this.#last.data)}\n\n`;
    this.#last = null;
  }
}

function mergeable(event: string): MergeableEvent | null {
  const [, head = "", json] = /^((?:event: ?[^\n]*\n)?)data: ?(\{.*\})$/.exec(event) ?? [];
  if (json === undefined) return null;
  try {
    const data = JSON.parse(json) as Record<string, unknown>;
    const delta = deltaIn(data);
    return delta === null ? null : { head, data, delta };
  } catch {
    return null;
  }
}

// `delta` of Anthropic, `choices[0].delta` of all others, with one text that grows. Everything else has to be the same.
function deltaIn(data: Record<string, unknown>): Delta | null {
  const choices = data["choices"];
  const holder = Array.isArray(choices) ? (choices.length === 1 ? choices[0] : null) : data;
  const of = (holder as { delta?: unknown } | null)?.delta;
  if (typeof of !== "object" || of === null) return null;
  const texts = Object.entries(of).filter(([name, value]) => grows.has(name) && typeof value === "string");
  const [field, ...more] = texts.map(([name]) => name);
  if (field === undefined || more.length > 0) return null;
  const key = JSON.stringify(data, (name, value: unknown) =>
    value === of ? { ...of, [field]: "" } : name === "created" ? 0 : value,
  );
  return { of: of as Record<string, unknown>, field, key };
}

const grows: ReadonlySet<string> = new Set(["content", "text", "thinking", "reasoning", "reasoning_content"]);

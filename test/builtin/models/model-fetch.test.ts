// Tokens of one frame travel as one event; no character is lost, and nothing else is touched.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { MergedEvents, modelFetch } from "../../../src/builtin/models/model-fetch.js";

const chat = (delta: object, further: object = {}) =>
  `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta, ...further }] })}\n\n`;
const block = (index: number, delta: object) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index, delta })}\n\n`;
const text = (words: string) => ({ type: "text_delta", text: words });

function merged(...chunks: string[]): string {
  const events = new MergedEvents();
  for (const chunk of chunks) events.add(chunk);
  return events.take() + events.rest;
}

describe("events of one frame", () => {
  test("that add to the same text are one", () => {
    expect(merged(chat({ content: "a" }), chat({ content: "b" }), chat({ content: "c" }))).toBe(
      chat({ content: "abc" }),
    );
    expect(merged(block(0, text("a")), block(0, text("b")))).toBe(block(0, text("ab")));
  });

  test.each([
    ["another block", [block(0, text("a")), block(1, text("b"))]],
    ["another kind of text", [chat({ reasoning: "a" }), chat({ content: "b" })]],
    ["the role", [chat({ role: "assistant", content: "" }), chat({ content: "b" })]],
    ["the end", [chat({ content: "a" }), chat({}, { finish_reason: "stop" }), "data: [DONE]\n\n"]],
    [
      "a part of a tool call",
      [chat({ tool_calls: [{ index: 0, function: { arguments: "{" } }] }), chat({ content: "b" })],
    ],
    ["a signature", [block(0, { type: "signature_delta", signature: "x" }), block(0, text("b"))]],
    [
      "no JSON, and comments",
      ["data: {oops}\n\n", ": keep-alive\n\n", "id: 7\ndata: {}\n\n", 'data: {"delta":null}\n\n'],
    ],
    ["two choices", ['data: {"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}\n\n']],
    ["an event that was cut off", [chat({ content: "a" }), 'data: {"choices":[{"del']],
  ])("are left as they are around %s", (_, events) => {
    expect(merged(...events)).toBe(events.join(""));
  });

  test("have all characters in order, wherever the bytes are split", () => {
    const pieces = fc.array(fc.tuple(fc.constantFrom("content", "reasoning"), fc.string({ unit: "binary" })));
    fc.assert(
      fc.property(pieces, fc.nat(), (parts, seed) => {
        const all = parts.map(([name, words]) => chat({ [name]: words })).join("");
        const at = all.length === 0 ? 0 : seed % all.length;
        const out = merged(all.slice(0, at), all.slice(at));
        const words = (events: string) =>
          events.split("\n\n").flatMap((event) => {
            if (event === "") return [];
            const { choices } = JSON.parse(event.slice("data: ".length)) as { choices: [{ delta: object }] };
            const [[name = "", value] = []] = Object.entries(choices[0].delta);
            return [...String(value)].map((sign) => `${name}${sign}`);
          });
        expect(words(out)).toEqual(words(all));
      }),
    );
  });
});

describe("an answer over HTTP", () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function serving(handle: (response: ServerResponse) => void): Promise<string> {
    const server = createServer((request, response) => {
      request.resume();
      handle(response);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  test("is read whole, also where a character is split between two packets", async () => {
    const bytes = Buffer.from(chat({ content: "漢字" }));
    const cut = bytes.indexOf(Buffer.from("漢")) + 1;
    const url = await serving((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(bytes.subarray(0, cut), () => response.end(bytes.subarray(cut)));
    });
    expect(await (await modelFetch(url, { method: "POST", body: "{}" })).text()).toBe(chat({ content: "漢字" }));
  });

  test("that is an error keeps its status, headers and body", async () => {
    const url = await serving((response) => response.writeHead(429, { "retry-after": "7" }).end('{"error":"slow"}'));
    const answer = await modelFetch(url, { method: "POST", body: "{}" });
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([
      429,
      "7",
      '{"error":"slow"}',
    ]);
  });

  test("that breaks off rejects, and so does one that is aborted", async () => {
    const url = await serving((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chat({ content: "a" }), () => response.destroy());
    });
    await expect((await modelFetch(url)).text()).rejects.toMatchObject({
      code: "ECONNRESET",
      message: "the server closed the connection",
    });
    const abort = new AbortController();
    const open = await serving((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chat({ content: "a" }));
    });
    const answer = await modelFetch(open, { signal: abort.signal });
    abort.abort();
    await expect(answer.text()).rejects.toThrow();
  });
});

// The MCP server on a pair of streams: one message a line, in any chunking; what is no message is answered and forgotten; and
// when the client closes its end, nothing that it asked stays open.
import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AskRegistry } from "../../../src/host/asks/ask-registry.js";
import { mcpAsks } from "../../../src/server/mcp/mcp-routes.js";
import { openStdioServer } from "../../../src/server/mcp/stdio-server.js";

function openPipe() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const board = new AskRegistry();
  const server = openStdioServer({ input, output }, { version: "1", asks: mcpAsks(board) });
  let written = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    written += chunk;
  });
  const messages = () =>
    written
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const waitForMessages = async (count: number) => {
    await expect.poll(() => messages().length, { interval: 10, timeout: 25_000 }).toBe(count);
    return messages();
  };
  const write = (...frames: unknown[]) => {
    for (const frame of frames) input.write(`${typeof frame === "string" ? frame : JSON.stringify(frame)}\n`);
  };
  return { input, board, server, write, written: () => written, waitForMessages };
}

const clientInfo = { name: "tester", version: "1" };
const openings = {
  "2025-11-25": [
    {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ],
  "2026-07-28": [],
} as const;

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

const eras = ["2025-11-25", "2026-07-28"] as const;

const call = (era: (typeof eras)[number], id: unknown, name: string, args: object, meta: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: { ...(era === "2026-07-28" ? envelope : {}), ...meta } },
});

describe.each(eras)("stdio in the era of %s", (era) => {
  const greeted = openings[era].length > 0 ? 1 : 0;

  test("a question is asked, progress is told, and the answer carries the id as it came", async () => {
    const { write, waitForMessages, board } = openPipe();
    write(...openings[era], call(era, "q-1", "ask_input", { title: "Name?" }, { progressToken: "t" }));
    const told = (await waitForMessages(greeted + 1)).at(-1);
    expect(told).toMatchObject({ method: "notifications/progress", params: { progressToken: "t", progress: 0 } });
    board.answer(board.openAsks()[0]?.id ?? "", { value: "Ada" }, "somebody");
    expect((await waitForMessages(greeted + 2)).at(-1)).toMatchObject({
      id: "q-1",
      result: { structuredContent: { value: "Ada" } },
    });
  });

  test("a cancelled call takes its question along", async () => {
    const { write, board } = openPipe();
    write(...openings[era], call(era, 7, "ask_input", { title: "Name?" }));
    await expect.poll(() => board.openAsks().length, { interval: 2 }).toBe(1);
    write({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 7, _meta: call(era, 7, "", {}).params._meta },
    });
    await expect.poll(() => board.openAsks().length, { interval: 2 }).toBe(0);
  });

  test("a client that closes its end leaves no question open", async () => {
    const { write, input, board, server } = openPipe();
    write(...openings[era], call(era, 1, "ask_input", { title: "a" }), call(era, 2, "ask_confirm", { title: "b" }));
    await expect.poll(() => board.openAsks().length, { interval: 2 }).toBe(2);
    input.end();
    await server.ended;
    expect(board.openAsks()).toEqual([]);
  });

  test("every chunking of the bytes gives the same answers", async () => {
    const frames = [
      ...openings[era],
      call(era, 1, "report_status", { status: "completed", message: "日本語\u2028 👍🏽" }),
    ];
    const bytes = Buffer.from(frames.map((frame) => `${JSON.stringify(frame)}\r\n`).join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 }), async (cuts) => {
        const { input, waitForMessages, server } = openPipe();
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (const [index, end] of places.slice(1).entries()) input.write(bytes.subarray(places[index], end));
        expect((await waitForMessages(greeted + 1)).at(-1)).toMatchObject({
          id: 1,
          result: { structuredContent: { status: "completed" } },
        });
        await server.close();
      }),
      { numRuns: 20 },
    );
  });
});

describe("lines that are no messages", () => {
  test("each is answered with what is wrong, and the next message is served", async () => {
    const { write, waitForMessages } = openPipe();
    write(
      "{",
      "hello",
      "",
      "[]",
      '{"id":3}',
      "\0\0",
      `{"jsonrpc":"2.0","id":1,"method":"x","params":${"[".repeat(999)}${"]".repeat(999)}}`,
    );
    const codes = (await waitForMessages(6)).map(({ error }) => (error as { code: number }).code);
    expect(codes).toEqual([-32700, -32700, -32600, -32600, -32700, -32600]);
    write(...openings["2025-11-25"]);
    expect((await waitForMessages(7)).at(-1)).toMatchObject({ id: 0, result: { protocolVersion: "2025-11-25" } });
  });

  test("a line over the limit costs itself and nothing else", async () => {
    const { write, waitForMessages } = openPipe();
    write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"${"x".repeat(5 * 1024 * 1024)}"}}`);
    expect((await waitForMessages(1))[0]).toMatchObject({ error: { code: -32600 } });
    write(...openings["2025-11-25"]);
    expect((await waitForMessages(2)).at(-1)).toMatchObject({ id: 0, result: {} });
  });

  test("any lines at all leave it alive", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 30 }), async (lines) => {
        const { write, server, written } = openPipe();
        write(...lines.map((line) => line.replaceAll("\n", " ")), ...openings["2025-11-25"]);
        await expect.poll(() => written().includes('"protocolVersion":"2025-11-25"'), { interval: 2 }).toBe(true);
        await server.close();
      }),
      { numRuns: 30 },
    );
  });
});

// What fuzzers and attackers broke once, so that it stays mended.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { blankFacts, commandOf } from "../../src/agents/dialects/acp/tool-view.js";
import { createClaudeDialect } from "../../src/agents/dialects/claude/claude-dialect.js";
import { createCodeliaDialect } from "../../src/agents/dialects/codelia/codelia-dialect.js";
import { createCodexDialect } from "../../src/agents/dialects/codex/codex-dialect.js";
import { writeLine } from "../../src/agents/dialects/frames/json-frame.js";
import { createLineSplitter } from "../../src/agents/dialects/frames/line-splitter.js";
import { createLinesDialect } from "../../src/agents/dialects/lines/lines-dialect.js";
import { createPiDialect } from "../../src/agents/dialects/pi/pi-dialect.js";
import { createRpcDecoder } from "../../src/agents/dialects/rpc/rpc-codec.js";
import { createBareRpcDialect } from "../../src/agents/dialects/rpc/rpc-dialect.js";
import { readRecording } from "../../src/agents/recordings/recording-reader.js";
import { readConfigFile } from "../../src/cli/config/config-file.js";
import { withoutTomlValue, withTomlValue } from "../../src/cli/config/persist-setting.js";
import { SseDecoder } from "../../src/contract/sse-decoder.js";
import { emptyTranscript, reduceTranscript } from "../../src/session/transcript/transcript.js";
import { AnswerFilter } from "../../src/terminal/device/answers.js";
import { diffRows } from "../../src/terminal/painter/diff/diff-rows.js";
import { createStyle } from "../../src/terminal/painter/style/style.js";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** No program can make a string of this. */
const wordless = { toString: 1, valueOf: 1 };

describe("a value that cannot be made into a word", () => {
  test.each([
    ["claude", createClaudeDialect],
    ["pi", createPiDialect],
    ["codelia", createCodeliaDialect],
    ["codex", createCodexDialect],
    ["rpc", createBareRpcDialect],
  ])("is a fault for %s and not its end", (_, create) => {
    const dialect = create();
    dialect.open(0);
    for (const frame of [{ type: wordless }, { id: 1, method: wordless }, { method: wordless }]) {
      expect(() => dialect.read({ kind: "frame", frame }, 0)).not.toThrow();
    }
  });

  test("is a fault for the rpc decoder", () => {
    const [decoded] = createRpcDecoder().push(bytesOf(`${JSON.stringify({ id: 1, method: wordless })}\n`));
    expect(decoded).toMatchObject({ kind: "fault" });
  });

  test("in a tool's id, a picture's type or a text costs only its words", () => {
    const content = [
      { type: "other", text: wordless },
      { type: "image", data: wordless, mime_type: wordless },
    ] as never;
    const event = { type: "message.finished", sessionId: null, message: { role: "assistant", content } } as const;
    expect(() => reduceTranscript(emptyTranscript, event, 0)).not.toThrow();
  });
});

test("an agent that fails without saying why has failed all the same", () => {
  const frame = { type: "event", event: { type: "error", data: [] } };
  const { events } = createLinesDialect().read({ kind: "frame", frame }, 0);
  expect(events).toEqual([{ type: "agent.failed", sessionId: null, message: "no reason given" }]);
});

test("a fault says what is wrong in a few words, however long the names are that came", () => {
  const [decoded] = createRpcDecoder().push(bytesOf(`{"id":1,"method":"${"x".repeat(100_000)}"}\n`));
  expect(decoded?.kind === "fault" && decoded.fault.message.length).toBeLessThan(1_000);
});

test("a recording whose window is no number is read all the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "palaver-recording-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "odd.jsonl");
  const size = { columns: wordless, rows: "24" };
  writeFileSync(path, `${JSON.stringify({ t: 0, dir: "meta", kind: "recording", version: 1, size })}\n`);
  for await (const item of readRecording(path)) {
    expect(item).toMatchObject({ kind: "entry", entry: { size: { columns: 80, rows: 24 } } });
  }
});

describe("a stream of lines", () => {
  test("may have more lines in one chunk than a function may have arguments", () => {
    expect(createLineSplitter().push(new Uint8Array(600_000).fill(0x0a))).toHaveLength(600_000);
  });

  test("also in a recording", async () => {
    const folder = mkdtempSync(join(tmpdir(), "palaver-fuzz-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const path = join(folder, "recording");
    writeFileSync(path, `{"t":0,"dir":"meta","kind":"recording","version":1}\n${"\n".repeat(600_000)}`);
    const items: string[] = [];
    for await (const item of readRecording(path)) items.push(item.kind);
    expect(items).toEqual(["entry"]);
  });

  test("may come byte by byte without costing more than its length", () => {
    const splitter = createLineSplitter();
    const byte = bytesOf("x");
    const before = process.memoryUsage();
    for (let count = 0; count < 1_000_000; count++) splitter.push(byte);
    const after = process.memoryUsage();
    const grownBytes = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    expect(grownBytes).toBeLessThan(64_000_000);
    expect(splitter.end()).toEqual([{ kind: "line", text: "x".repeat(1_000_000) }]);
  });
});

test("no control character that a terminal obeys leaves in a line of JSON", () => {
  const line = writeLine({ text: "\x9b2J \x7f \x90 \u2028 \x1b[2J" });
  expect(line).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/);
  expect(JSON.parse(line)).toEqual({ text: "\x9b2J \x7f \x90 \u2028 \x1b[2J" });
});

describe("a stream of server-sent events", () => {
  const read = (...chunks: string[]) => {
    const decoder = new SseDecoder({ eventCharsMax: 20 });
    return chunks.flatMap((chunk) => decoder.push(bytesOf(chunk))).map(({ data }) => data);
  };

  test("has its event when a chunk ends between the two halves of a line end", () => {
    expect(read("data: x\r", "\n", "\r", "\n")).toEqual(["x"]);
    expect(read("data: x\r", "\n", "\n")).toEqual(["x"]);
  });

  test("drops a long event whether it comes whole or in pieces, and many empty lines as well", () => {
    expect(read(`data: ${"x".repeat(30)}\n\n`, "data: y\n\n")).toEqual(["y"]);
    expect(read(...`data: ${"x".repeat(30)}\n\ndata: y\n\n`)).toEqual(["y"]);
    expect(read(`${"data\n".repeat(50)}\n`, "data: y\n\n")).toEqual(["y"]);
  });
});

test("whether a terminal's answer is one does not depend on where its bytes were cut", () => {
  const long = `\x1bP>|${"v".repeat(300)}\x1b\\`;
  const sift = (chunks: readonly string[]) => {
    const filter = new AnswerFilter();
    return chunks.flatMap((chunk) => filter.feed(chunk, "answers").answers);
  };
  expect(sift([long])).toEqual(sift([...long]));
});

test.each([
  ["in the middle of another", "\x1bP>|kit\x1b[?1uty\x07"],
  ["behind one that is as long as one can be", `\x1bP>|${"v".repeat(252)}\x1b[?1u`],
  ["behind one that is too long", `\x1bP>|${"v".repeat(253)}\x1b[?1u`],
])("an answer that comes %s leaves keys, however the bytes were cut", (_, mixed) => {
  const sift = (chunks: readonly string[]) => {
    const filter = new AnswerFilter();
    const sifted = chunks.map((chunk) => filter.feed(chunk, "answers"));
    return { answers: sifted.flatMap(({ answers }) => answers), keys: sifted.map(({ keys }) => keys).join("") };
  };
  const whole = sift([mixed]);
  for (let at = 1; at < mixed.length; at++)
    expect(sift([mixed.slice(0, at), mixed.slice(at)]), `cut at ${at}`).toEqual(whole);
  expect(whole.answers).toEqual([{ type: "keyboard-flags", flags: 1 }]);
});

test("a command of parts that are no words is asked about in ACP, and is not its end", () => {
  const command = commandOf({ ...blankFacts, rawInput: { command: [{ toString: null, valueOf: null }, "x"] } });
  expect(command).toBe(`'{"toString":null,"valueOf":null}' x`);
});

test("below a home that is no folder there are no settings, and that is no error", () => {
  expect(readConfigFile("/dev/null/palaver/config.toml", "links-followed")).toBeNull();
});

test("a setting can be taken out again of a file that begins with a byte order mark", () => {
  const text = "\ufeff# mine\n";
  expect(withoutTomlValue(withTomlValue(text, ["permissions", "mode"], "ask"), ["permissions", "mode"])).not.toContain(
    "ask",
  );
});

test("a diff may have more lines than a function may have arguments", () => {
  const style = createStyle({ theme: "harbour", depth: "none" });
  expect(diffRows(`@@ -0,0 +1,300000 @@\n${"+\n".repeat(300_000)}`, { style, rowsMax: 10 })).toHaveLength(10);
});

test("what a sub-agent says may have more lines than a function may have arguments", () => {
  const dialect = createClaudeDialect();
  dialect.open(0);
  const says = (parent: string | null, content: readonly object[]) =>
    dialect.read(
      { kind: "frame", frame: { type: "assistant", message: { id: "m", content }, parent_tool_use_id: parent } },
      0,
    );
  says(null, [{ type: "tool_use", id: "t1", name: "Task", input: {} }]);
  expect(() => says("t1", [{ type: "text", text: `${"\n".repeat(400_000)}x` }])).not.toThrow();
});

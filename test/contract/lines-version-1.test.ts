// Version 1 of the lines protocol beside version 2: recorded sessions of version 1 are read and written as they were, and an
// agent of today sends version 1 to a front end that knows no other.
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { decodeOutput, encodeOutput } from "../../src/agents/dialects/lines/lines-codec.js";
import { agentEventSchemas } from "../../src/contract/agent-events.js";
import type { LinesOutput } from "../../src/contract/lines-outputs.js";
import { namedEvent } from "../../src/contract/lines-version-1.js";
import { agreedVersion, knownVersion } from "../../src/contract/protocol-versions.js";
import { serveLines } from "../../src/sdk/exports.js";
import { examplesOf } from "./schema-examples.js";

const folder = new URL("../fixtures/lines/", import.meta.url);
const recorded = readdirSync(folder).filter((name) => name.startsWith("version-1-"));

type Frame = Record<string, unknown> & { event?: Record<string, unknown> };

function framesOf(name: string, dir: string): Frame[] {
  const lines = readFileSync(new URL(name, folder), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line)).flatMap((entry) => (entry.dir === dir ? [entry.msg] : []));
}

/** An empty list says the same as none, and version 1 could say after a message what was added to it. */
function essential({ event, ...frame }: Frame): Frame {
  if (event === undefined || !Array.isArray(event["data"])) return event === undefined ? frame : { ...frame, event };
  const { data, ...others } = event;
  const kept = event["type"] === "message_update" ? data.slice(0, 1) : data;
  return { ...frame, event: kept.length === 0 ? others : { ...others, data: kept } };
}

describe.each(recorded)("the recorded session %s", (name) => {
  test("is read in the words of version 2, and written in version 1 as it was", () => {
    for (const frame of framesOf(name, "agent→client")) {
      const decoded = decodeOutput(frame);
      expect(decoded).toMatchObject({ kind: "frame" });
      if (decoded.kind !== "frame") continue;
      expect(decoded.frame).not.toHaveProperty("event.data");
      expect(JSON.parse(encodeOutput(decoded.frame, "1"))).toEqual(essential(frame));
    }
  });
});

test("the recordings hold every event", () => {
  const seen = recorded.flatMap((name) => framesOf(name, "agent→client")).map(({ event }) => event?.["type"]);
  for (const [type] of examplesOf(agentEventSchemas)) expect(seen).toContain(type);
});

test.each([
  [{ type: "tool_execution_end", data: ["c1", "bash"] }, "event tool_execution_end: event.data[2]: "],
  [{ type: "tool_execution_start", data: [] }, "event tool_execution_start: event.data[0]: "],
  [{ type: "permission.preview", data: [{}] }, "event permission.preview: event.data[0].tool: "],
  [{ type: "tool_execution_end", tool_call_id: "c1", tool: "x" }, "event tool_execution_end: event.output: "],
])("a field that is missing is named as the agent's version has it: %j", (event, words) => {
  const decoded = decodeOutput({ type: "event", event });
  expect(decoded.kind === "fault" && decoded.fault.message).toContain(words);
});

test("the reason of an error was anything in version 1, and is text now", () => {
  const messages = ["bad key", { message: "no key", code: 1 }, { code: 1 }, null].map(
    (reason) => namedEvent({ type: "error", data: [reason] })["message"],
  );
  expect(messages).toEqual(["bad key", "no key", '{"code":1}', "null"]);
});

test.each([
  ["2", ["1", "2"], "2"],
  ["2", ["1"], "1"],
  ["1", ["1", "2"], "1"],
  ["2", ["2.3", "3"], "2"],
  ["2", ["7"], "2"],
  ["2", [], "2"],
] as const)("an agent of version %s and a front end that knows %j use %s", (own, known, agreed) => {
  expect(agreedVersion(own, known)).toBe(agreed);
});

test.each([
  ["1", "1"],
  ["2", "2"],
  ["2.7", "2"],
  ["3", null],
  ["", null],
])("version %j follows the rules of %j", (version, known) => {
  expect(knownVersion(version)).toBe(known);
});

/** All frames that an agent sends to a front end with this `initialize`. */
async function sentTo(initialize: object, options: { protocolVersion?: "1" | "2" } = {}): Promise<Frame[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const served = serveLines(
    {
      name: "old and new",
      async onPrompt({ say, tool, ui }) {
        await say("hello");
        await tool("bash", { command: "make" }).end("made");
        ui.notify("careful", "warn");
      },
    },
    { input, output, ...options },
  );
  const ended = once(output, "end");
  input.write(`${JSON.stringify({ type: "initialize", ...initialize })}\n`);
  input.end('{"type":"prompt","text":"go"}\n');
  await served;
  output.end();
  await ended;
  return Buffer.concat(chunks)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const hasLists = (frames: Frame[]) =>
  frames.flatMap(({ event }) => (event === undefined || Object.keys(event).length === 1 ? [] : ["data" in event]));

describe("an agent", () => {
  test.each<[string, object, object, "1" | "2"]>([
    ["that is asked for version 1", { protocol_version: "1" }, {}, "1"],
    ["that may choose", { protocol_version: "1", protocol_versions: ["1", "2"] }, {}, "2"],
    ["that is asked for none", {}, {}, "2"],
    ["that was made to send version 1", { protocol_versions: ["1", "2"] }, { protocolVersion: "1" }, "1"],
  ])("%s", async (_name, initialize, options, version) => {
    const frames = await sentTo(initialize, options);
    expect(frames.find(({ type }) => type === "initialized")).toMatchObject({ protocol_version: version });
    expect(new Set(hasLists(frames))).toEqual(new Set([version === "1"]));
    const read = frames.map((frame) => decodeOutput(frame) as { frame: LinesOutput });
    expect(read.map(({ frame }) => frame.type)).toContain("ui_notify");
  });
});

// The lines wire in both directions: good frames arrive whole, bad ones become faults that name the problem, and
// nothing that comes after a bad line is lost.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decoded, FrameDecoder } from "../../../src/agents/dialects/frames/frame-decoder.js";
import { createCommandDecoder, encodeCommand, encodeOutput } from "../../../src/agents/dialects/lines/lines-codec.js";
import { linesCommandSchema, linesCommandSchemas } from "../../../src/contract/lines-commands.js";
import { linesOutputSchema, linesOutputSchemas } from "../../../src/contract/lines-outputs.js";
import { examplesOf } from "../../contract/schema-examples.js";
import { createOutputDecoder } from "../../rigs/output-decoder.js";
import { verifies } from "../../verifies.js";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function decode<Frame>(decoder: FrameDecoder<Frame>, text: string): Decoded<Frame>[] {
  return [...decoder.push(bytesOf(text)), ...decoder.end()];
}

function faultsOf<Frame>(decoded: Decoded<Frame>[]): string[] {
  return decoded.map((item) => (item.kind === "fault" ? `${item.fault.name}: ${item.fault.message}` : item.kind));
}

const commands = (text: string) => decode(createCommandDecoder(), text);
const outputs = (text: string) => decode(createOutputDecoder(), text);
const frame = (event: object) => `${JSON.stringify({ type: "event", event })}\n`;
const assistant = { role: "assistant", content: [{ type: "text", text: "hello" }] };

describe("every frame of the wire", () => {
  test.each(examplesOf(linesCommandSchemas))("the command %s survives encoding and decoding", (_type, example) => {
    verifies("wires.sent-frames-fit");
    const command = linesCommandSchema.parse(example);
    expect(commands(encodeCommand(command))).toEqual([{ kind: "frame", frame: command }]);
  });

  test.each(examplesOf(linesOutputSchemas))("the output %s survives encoding and decoding", (_type, example) => {
    const output = linesOutputSchema.parse(example);
    expect(outputs(encodeOutput(output))).toEqual([{ kind: "frame", frame: output }]);
  });

  test("any split of a corpus of all frames and faults decodes the same", () => {
    const good = [...examplesOf(linesOutputSchemas)].map(([, example]) => JSON.stringify(example));
    const corpus = bytesOf(
      [...good, "a log line", '{"type":"event"', "[1]", '{"text":"é😀\u2028"}', "last"].join("\r\n"),
    );
    const whole = createOutputDecoder();
    const expected = [...whole.push(corpus), ...whole.end()];
    fc.assert(
      fc.property(fc.array(fc.nat({ max: corpus.length })), (cuts) => {
        const decoder = createOutputDecoder();
        const places = [...cuts.sort((a, b) => a - b), corpus.length];
        const decoded = places.flatMap((cut, index) => decoder.push(corpus.slice(places[index - 1] ?? 0, cut)));
        expect([...decoded, ...decoder.end()]).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("type is the first key of what we send, so that a shell script finds it", () => {
    for (const [type, example] of examplesOf(linesCommandSchemas)) {
      expect(encodeCommand(linesCommandSchema.parse(example))).toMatch(new RegExp(`^\\{"type":"${type}"`));
    }
  });
});

describe("bad input", () => {
  test.each<[string, string, string]>([
    ["an unknown command", '{"type":"prmpt"}', "unknownType: unknown command: prmpt"],
    ["no type", '{"text":"hi"}', 'invalidFrame: a command without "type"'],
    ["a type that is no string", '{"type":7}', 'invalidFrame: a command without "type"'],
    ["a missing field", '{"type":"prompt"}', "invalidField: prompt: text: is missing; it must be a string"],
    [
      "a field of the wrong type",
      '{"type":"prompt","text":5}',
      "invalidField: prompt: text: must be a string, not a number",
    ],
    ["broken JSON", '{"type":"prompt","te', "malformed: not valid JSON: "],
    ["an array", "[1,2]", "invalidFrame: a frame must be a JSON object, not a list"],
    ["binary noise", "\u0000\u0001\uFFFD\uFFFD", "malformed: a line that is neither JSON nor text"],
    [
      "nesting",
      `{"type":"ping","a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
      "nestedTooDeep: nested deeper than 256 levels",
    ],
  ])("%s is one fault, and the next frame arrives", (_name, line, expected) => {
    verifies("wires.bad-frame-is-a-fault");
    const [first, second, ...rest] = commands(`${line}\n{"type":"ping"}\n`);
    expect(faultsOf([first, second].filter((item) => item !== undefined))).toEqual([
      expect.stringContaining(expected),
      "frame",
    ]);
    expect(rest).toEqual([]);
  });

  test("a line over the limit is one fault, and the next frame arrives", () => {
    const decoder = createCommandDecoder(100);
    const long = JSON.stringify({ type: "prompt", text: "x".repeat(200) });
    expect(faultsOf(decode(decoder, `${long}\n{"type":"ping"}\n`))).toEqual([
      `frameTooLong: a line of ${long.length} bytes is over the limit`,
      "frame",
    ]);
  });

  test("a fault quotes only the beginning of its line", () => {
    const [item] = commands(`{"type":"${"x".repeat(5_000)}"}\n`);
    expect(item?.kind === "fault" && item.fault.excerpt.length).toBe(160);
  });

  test("random bytes never throw and never stop the stream", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
        const decoder = createOutputDecoder();
        for (const chunk of chunks) decoder.push(chunk);
        const after = [...decoder.push(bytesOf('\n{"type":"pong"}\n')), ...decoder.end()];
        expect(after.at(-1)).toEqual({ kind: "frame", frame: { type: "pong" } });
      }),
    );
  });
});

describe("tolerance", () => {
  test("unknown fields are kept", () => {
    expect(outputs('{"type":"pong","later":1}\n')).toEqual([{ kind: "frame", frame: { type: "pong", later: 1 } }]);
  });

  test("an event without a field that it needs is a fault that says so", () => {
    expect(faultsOf(outputs(frame({ type: "agent_start" })))).toEqual(["frame"]);
    expect(faultsOf(outputs(frame({ type: "message_end" })))).toEqual([
      "invalidField: event message_end: event.message: is missing; it must be an object",
    ]);
  });

  test("a word that is none of those allowed is named, so that it is found in a long line", () => {
    const field = (kind: unknown) => ({ name: "a", label: "A", kind });
    const form = (kind: unknown) => ({
      type: "ui_request",
      id: "q",
      method: "form",
      params: { title: "F", fields: [field(kind)] },
    });
    const faults = ["checkbox", 7, undefined, ["text"]].map(
      (kind) => faultsOf(outputs(`${JSON.stringify(form(kind))}\n`))[0],
    );
    const kinds = 'must be "text", "secret", "number", "confirm", "select" or "multi_select"';
    const begin = "invalidField: ui_request: params.fields[0].kind:";
    expect(faults).toEqual([
      `${begin} ${kinds}, not "checkbox"`,
      `${begin} ${kinds}, not 7`,
      `${begin} is missing; it ${kinds}`,
      `${begin} ${kinds}, not a list`,
    ]);
  });

  test("an unknown event is a fault that names it", () => {
    expect(faultsOf(outputs(frame({ type: "loop_state" })))).toEqual(["unknownType: unknown event: loop_state"]);
  });

  test("structures with a tag are read by their fields alone", () => {
    const tagged = { ...assistant, __struct__: "Elixir.Some.New.Name" };
    expect(faultsOf(outputs(frame({ type: "message_end", message: tagged })))).toEqual(["frame"]);
  });

  test("unknown blocks and roles are let through, known ones with wrong fields are not", () => {
    const withBlock = (block: object) =>
      frame({ type: "message_end", message: { role: "assistant", content: [block] } });
    expect(faultsOf(outputs(withBlock({ type: "hologram", rays: 3 })))).toEqual(["frame"]);
    expect(faultsOf(outputs(withBlock({ type: "text", text: 3 })))[0]).toMatch(/event\.message\.content\[0\]\.text/);
    expect(faultsOf(outputs(frame({ type: "message_end", message: { role: "narrator" } })))).toEqual(["frame"]);
  });

  test("a line that is not JSON is text: a prompt in one direction, a log line in the other", () => {
    expect(commands("fix the test\n")).toEqual([{ kind: "text", text: "fix the test" }]);
    expect(outputs("loading …\n")).toEqual([{ kind: "text", text: "loading …" }]);
  });
});

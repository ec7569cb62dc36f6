// Whatever the published schema of the protocol allows is understood, whether or not an agent is known to send it; and a field
// that makes no sense costs that field.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/agents/dialects/frames/json-frame.js";
import { type Fullness, forgivenFields, fullnesses, samplesOf } from "./published-samples.js";
import { greeting, readyStage, SESSION, Stage } from "./stage.js";

const faultsOf = (stage: Stage) => stage.of("fault.reported").map(({ fault }) => fault.message);

const requests = [
  ["session/request_permission", "RequestPermissionRequest"],
  ["fs/read_text_file", "ReadTextFileRequest"],
  ["fs/write_text_file", "WriteTextFileRequest"],
  ["terminal/create", "CreateTerminalRequest"],
  ["terminal/output", "TerminalOutputRequest"],
  ["terminal/wait_for_exit", "WaitForTerminalExitRequest"],
  ["terminal/kill", "KillTerminalRequest"],
  ["terminal/release", "ReleaseTerminalRequest"],
  ["elicitation/create", "CreateElicitationRequest"],
] as const;

const INVALID = -32602;

/** What a person would see, besides the words about what is wrong. */
const seen = (stage: Stage) => stage.blocks().closed.filter(({ kind }) => kind !== "notice");

describe.each(fullnesses)("with %s of what a frame may have", (fullness: Fullness) => {
  test("every update is understood, in a turn, before one and in the story of an old session", () => {
    const updates = samplesOf("SessionUpdate", fullness);
    expect(new Set(updates.map((update) => update["sessionUpdate"])).size).toBeGreaterThanOrEqual(14);
    const inTurn = readyStage().prompt();
    const before = readyStage();
    const old = new Stage({ resume: SESSION }).replies("initialize", greeting);
    for (const update of updates) for (const stage of [inTurn, before, old]) stage.update(update);
    inTurn.ends();
    expect([inTurn, before, old].flatMap(faultsOf)).toEqual([]);
    expect(inTurn.of("prompt.finished")).toHaveLength(1);
    expect(inTurn.blocks().open).toEqual([]);
  });

  test.each(requests)("%s is taken for what it is", (method, type) => {
    for (const sample of samplesOf(type, fullness)) {
      // What the words in it mean is another matter: an address has to be one, and a mode one that we know.
      const address = sample["mode"] === "url" ? { url: "https://example.org/" } : {};
      const mode = sample["mode"] === "word" ? { mode: "form" } : {};
      const stage = readyStage().prompt();
      const id = stage.asks(method, { ...sample, ...address, ...mode, sessionId: SESSION });
      const error = stage.answerTo(id)?.["error"] as JsonObject | undefined;
      expect([error?.["code"], faultsOf(stage)]).not.toEqual([INVALID, []]);
      stage.ends();
      stage.dies();
      expect(stage.answerTo(id)).toBeDefined();
    }
  });

  test("every answer to a greeting and to a new session is enough to begin with", () => {
    for (const hello of samplesOf("InitializeResponse", fullness)) {
      for (const session of samplesOf("NewSessionResponse", fullness)) {
        const stage = readyStage({}, hello, { ...session, sessionId: SESSION })
          .prompt()
          .ends();
        expect(stage.of("agent.readied")).toHaveLength(1);
        expect([faultsOf(stage), stage.of("prompt.finished").length]).toEqual([[], 1]);
      }
    }
  });
});

describe("a field that makes no sense", () => {
  const call = {
    ...{ sessionUpdate: "tool_call", toolCallId: "c1", title: "Read the plan", kind: "read", status: "completed" },
    ...{ name: "read_file", content: [{ type: "content", content: { type: "text", text: "the plan" } }] },
    ...{ locations: [{ path: "/home/ada/parser/plan.md" }], rawInput: {}, rawOutput: {} },
  };
  const anything = new Set(["rawInput", "rawOutput", "_meta"]);
  const forgiven = forgivenFields("ToolCall").filter((field) => !anything.has(field));

  test.each(forgiven)("costs a tool call its %s, and it is said", (field) => {
    const stage = readyStage().prompt();
    stage.update({ ...call, [field]: 7 });
    expect(faultsOf(stage)).toEqual([expect.stringContaining(field)]);
    expect(stage.of("tool.started")).toMatchObject([{ toolCallId: "c1" }]);
    stage.ends();
    expect(seen(stage)).toMatchObject([{ kind: "tool" }]);
  });

  test("costs a list the items that have it", () => {
    const stage = readyStage().prompt();
    const content = [7, { nothing: true }, ...call.content, null];
    stage.update({ ...call, content }).ends();
    expect(seen(stage)).toMatchObject([{ kind: "tool", phase: "done", output: "the plan" }]);
    stage
      .prompt()
      .update({ sessionUpdate: "plan", entries: [{ content: 1 }, { content: "Read it", status: "pending" }] });
    expect(stage.of("plan.changed")).toMatchObject([{ entries: [{ text: "Read it" }] }]);
  });

  test("that is needed costs the frame, and the next one counts", () => {
    const stage = readyStage().prompt();
    stage
      .update({ ...call, toolCallId: [] })
      .text("Done.")
      .ends();
    expect(faultsOf(stage)).toHaveLength(1);
    expect(seen(stage)).toMatchObject([{ kind: "prose", text: "Done." }]);
  });
});

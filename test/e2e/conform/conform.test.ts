// The judge is judged: an agent that is right in everything passes, and for each rule an agent that breaks just that
// one fails, in words that name what was seen.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { judgeAgent } from "../../../src/conform/judge.js";
import { type RuleId, rules } from "../../../src/conform/rules.js";
import { type ConformReport, reportJson, reportText } from "../../../src/conform/verdicts.js";

const wrongAgent = fileURLToPath(new URL("wrong-agent.mjs", import.meta.url));

function judge(defect: string, patienceMs: number, startMs = 20_000): Promise<ConformReport> {
  return judgeAgent(
    { command: process.execPath, args: [wrongAgent, defect] },
    { patienceMs, startMs, prompts: { plain: "say hello", asking: "one question of every kind" } },
  );
}

function failuresOf({ rules: reports }: ConformReport): Map<RuleId, string> {
  return new Map(
    reports.filter(({ verdict }) => verdict === "failed").map(({ id, details }) => [id, details.join("\n")]),
  );
}

test("an agent that is right in everything passes every rule", async () => {
  const report = await judge("none", 5_000);
  expect(failuresOf(report)).toEqual(new Map());
  expect(report.rules.map(({ verdict }) => verdict)).toEqual(rules.map(() => "passed"));
});

type Defect = { rule: RuleId; defect?: string; words: RegExp };

const defects: Defect[] = [
  { rule: "starts", words: /first frame is pong, not ready/ },
  { rule: "starts", defect: "exits-at-once", words: /before ready it exited with code 7.*MODEL_KEY is not set/ },
  { rule: "starts", defect: "wrong-ready", words: /the first line is a frame that breaks the schema/ },
  { rule: "starts", defect: "silent", words: /nothing on stdout within 0.5 s/ },
  { rule: "starts", defect: "no-line-break", words: /39 bytes on stdout within 4 s, but no whole line/ },
  { rule: "starts", defect: "version-9", words: /it uses version "9" of the lines protocol/ },
  { rule: "json-only", words: /not JSON: "loading the model …"/ },
  { rule: "frames-valid", words: /event message_start: event\.message\.role/ },
  { rule: "initialize", words: /answered by the error "unknown"/ },
  { rule: "ping", words: /no pong within/ },
  {
    rule: "frames-valid",
    defect: "misspelt-ready",
    words: /unknown frame: redy; did you mean ready\? in \{"type":"redy"/,
  },
  { rule: "frames-valid", defect: "wrong-block", words: /unknown block in a message: txt; front ends show text, / },
  { rule: "ping-in-turn", words: /7 of 7 pings during questions had no pong/ },
  {
    rule: "ping-in-turn",
    defect: "blocks",
    words: /after "questions": no pong while a turn is open; the rest was not/,
  },
  { rule: "prompt-frames-turn", words: /no agent_end within/ },
  { rule: "prompt-frames-turn", defect: "prompt-twice", words: /agent_start twice/ },
  { rule: "message-order", words: /message_update without message_start/ },
  { rule: "message-whole", words: /"lo" does not begin with what came before, "Hel"/ },
  { rule: "event-seq", words: /event_seq 2 where 1 was due/ },
  { rule: "ask-ids", words: /the id "q1" was used for two open questions/ },
  { rule: "ask-select", words: /after the answer: silence/ },
  { rule: "ask-confirm", words: /after the answer: silence/ },
  { rule: "ask-input", words: /after the answer: silence/ },
  { rule: "ask-editor", words: /after the answer: silence/ },
  { rule: "ask-form", words: /after the answer: silence.*"result":\{"port":1\}/ },
  { rule: "ask-files", words: /after the answer: silence/ },
  { rule: "ask-permission", words: /after the answer: silence/ },
  { rule: "ask-cancelled", words: /after a cancel: silence/ },
  { rule: "ask-timed-out", words: /after no answer: silence/ },
  { rule: "ask-timed-out", defect: "ask-timeout", words: /after no answer: silence/ },
  { rule: "ask-aborted", words: /was not withdrawn with ui_cancel/ },
  { rule: "ask-late", words: /no pong after a late answer/ },
  { rule: "prompt-in-turn", words: /1 agent_end and 0 errors for two prompts, then silence/ },
  { rule: "deltas", words: /message_delta for a front end without/ },
  { rule: "sessions", words: /start_session was answered by the error "no room"/ },
  { rule: "abort", words: /after abort: silence/ },
  { rule: "abort", defect: "abort-refused", words: /abort was answered by the error "unknown command: abort"/ },
  { rule: "unknown-command", words: /0 error frames where one was due/ },
  { rule: "missing-field", words: /0 error frames/ },
  { rule: "wrong-type", defect: "wrong-type-twice", words: /2 error frames/ },
  {
    rule: "malformed-line",
    defect: "malformed-line-crash",
    words: /half of a li: the agent exited with code 1; its stderr says: Error: this parser has no mercy/,
  },
  { rule: "deep-nesting", words: /0 error frames/ },
  { rule: "binary-noise", words: /0 error frames/ },
  { rule: "long-line", words: /0 error frames/ },
  { rule: "quit", words: /exit code 3 after quit/ },
  { rule: "end-of-input", words: /still running 1.2 s after the end of its input/ },
];

describe.concurrent("an agent that breaks a rule fails it, in words that say what was seen", () => {
  test.each(defects)("$rule $defect", async ({ rule, defect = rule, words }) => {
    // What is never whole is waited for to the end; a busy machine needs seconds to start a program.
    const startMs = defect === "silent" ? 500 : defect === "no-line-break" ? 4_000 : 20_000;
    const failures = failuresOf(await judge(defect, 1_200, startMs));
    expect(failures.get(rule)).toMatch(words);
  });
});

const mistakes: [defect: string, words: RegExp][] = [
  ["typos", /agentStart; did you mean agent_start\? in \{"type":"event".*ui_request: params\.fields/s],
  ["wrong-end", /agent_end: event\.messages: must be a list, not a string/],
  ["numbers", /ready: protocol_version.*ui_request: id/s],
];

test.each(mistakes)("one mistake fails one rule, and what follows is judged: %s", async (defect, words) => {
  const report = await judge(defect, 5_000);
  const failures = failuresOf(report);
  expect([...failures.keys()]).toEqual(["frames-valid"]);
  expect(failures.get("frames-valid")).toMatch(words);
  const unseen = report.rules.filter(({ verdict }) => verdict === "not seen").map(({ id }) => id);
  expect(unseen).toEqual(defect === "typos" ? ["ask-form"] : []);
});

test("a crash fails the rule at which it came, and the rules after it are not seen", async () => {
  const report = await judge("malformed-line-crash", 2_000);
  expect([...failuresOf(report).keys()]).toEqual(["malformed-line"]);
  const quit = report.rules.find(({ id }) => id === "quit");
  expect(quit).toMatchObject({
    verdict: "not seen",
    details: [expect.stringMatching(/after "bad input": the agent exited/)],
  });
  expect(reportText(report).match(/after "bad input"/g)).toHaveLength(1);
});

test("an agent that ends at once is not told what its first line is", async () => {
  const { rules: reports } = await judge("exits-at-once", 2_000);
  expect(reports.find(({ id }) => id === "starts")?.advice).toBe("Start the command by hand, and see why it ends.");
});

test("every rule has an agent that breaks it", () => {
  expect(new Set(defects.map(({ rule }) => rule))).toEqual(new Set(rules.map(({ id }) => id)));
});

test("an agent that cannot be started fails with the reason, at once", async () => {
  const report = await judgeAgent(
    { command: "/no/such/agent", args: [] },
    { patienceMs: 5_000, startMs: 5_000, prompts: { plain: "", asking: "" } },
  );
  expect(failuresOf(report).get("starts")).toMatch(/could not be started: .*ENOENT/);
});

test("the report tells a stranger what failed, what was seen, and what to do", async () => {
  const report = await judge("quit", 2_000);
  const text = reportText(report);
  expect(text).toContain("  ✕ exits with code 0 on quit\n      exit code 3 after quit\n      → Finish what is open");
  expect(text).toMatch(/The agent breaks the lines protocol\. 34 passed, 1 failed, 0 not seen\n$/);
  expect(JSON.parse(reportJson(report)).counts).toEqual({ passed: 34, failed: 1, "not seen": 0 });
});

// An approval and its tool call are one thing: the call waits without a clock, its time begins with the yes, and one row says
// how it was allowed, or that it was not.
import { describe, expect, test } from "vitest";
import type { Ask, AskOutcome } from "../../../src/contract/asks.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import type { Block } from "../../../src/session/transcript/block.js";
import { journaled } from "../../../src/session/transcript/journal.js";
import { emptyTranscript, reduceTranscript, type TranscriptInput } from "../../../src/session/transcript/transcript.js";

const sessionId = null;
const diff =
  '--- a/p.ts\n+++ b/p.ts\n@@ -41,3 +41,3 @@\n const out = [];\n-  return join(",");\n+  return join(", ");\n }\n';
const by = "user";

const ask = (opts: object = {}, id = "q1", title = "edit p.ts"): Ask => {
  const params = { title, opts: { tool: "edit", tool_call_id: "c1", allow_reason: true, ...opts } };
  const question = { kind: "confirm", params } as Ask["question"];
  return { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
};
const raised = (asked: Ask): SessionEvent => ({ type: "ask.raised", sessionId, ask: asked });
const closed = (asked: Ask, outcome: AskOutcome): TranscriptInput => ({ type: "ask.closed", ask: asked, outcome });
const settled = (asked: Ask, outcome: AskOutcome, delivery: "delivered" | "lost" | null = "delivered") =>
  ({ type: "ask.settled", ask: asked, outcome, delivery }) as TranscriptInput;
const answered = (value: unknown): AskOutcome => ({ kind: "answered", value, by });
const call = { sessionId, toolCallId: "c1", name: "edit" };
const started: SessionEvent = { type: "tool.started", ...call, args: { path: "p.ts" } };
const finished = (output: string, more: object = {}): SessionEvent => ({
  ...{ type: "tool.finished", ...call, output, isError: false },
  ...more,
});
const done: SessionEvent = { type: "prompt.finished", sessionId };

/** Each input comes a second after the one before. */
function told(...inputs: TranscriptInput[]): { closed: readonly Block[]; open: readonly Block[] } {
  let state = emptyTranscript;
  const blocks: Block[] = [];
  inputs.forEach((input, index) => {
    const step = reduceTranscript(state, input, index * 1_000);
    state = step.state;
    for (const change of step.changes) if (change.type === "closed") blocks.push(change.block);
  });
  return { closed: blocks, open: state.open };
}

describe("a call that needs an approval", () => {
  const yes = answered({ ok: true });

  test("waits without a clock, also when the agent announces it again, and its time begins with the yes", () => {
    expect(told(started, raised(ask())).open).toMatchObject([{ phase: "waiting", startedAtMs: null }]);
    expect(told(started, raised(ask()), started).open).toMatchObject([{ phase: "waiting", startedAtMs: null }]);
    expect(told(raised(ask()), started).open).toMatchObject([{ phase: "waiting", startedAtMs: null }]);
    const allowed = told(started, raised(ask()), closed(ask(), yes));
    expect(allowed.open).toMatchObject([{ phase: "running", startedAtMs: 2_000, approval: "allowed once" }]);
  });

  test("is one row that says how it was allowed, whenever the agent confirms the answer", () => {
    const row = [{ kind: "tool", approval: "allowed once", startedAtMs: 2_000 }];
    expect(told(started, raised(ask()), closed(ask(), yes), settled(ask(), yes), finished("ok")).closed).toMatchObject(
      row,
    );
    expect(told(started, raised(ask()), closed(ask(), yes), finished("ok"), settled(ask(), yes)).closed).toMatchObject(
      row,
    );
    const always = answered({ ok: true, remember: true });
    expect(told(raised(ask()), settled(ask(), always), started, finished("ok")).closed).toMatchObject([
      { kind: "tool", approval: "allowed always" },
    ]);
  });

  test("is one row with the reason when it was denied, and what the agent says about it is not shown again", () => {
    const no = answered({ ok: false, reason: "keep the comma" });
    const error = { ...finished("Denied by the user: keep the comma"), isError: true } as SessionEvent;
    const row = { kind: "tool", name: "edit", phase: "failed", approval: "denied", output: "keep the comma" };
    expect(told(started, raised(ask()), closed(ask(), no), settled(ask(), no), error, done).closed).toMatchObject([
      row,
    ]);
    expect(told(raised(ask()), closed(ask(), no), settled(ask(), no), started, error, done).closed).toMatchObject([
      { ...row, args: "p.ts" },
    ]);
    const cancelled: AskOutcome = { kind: "cancelled", by };
    expect(told(raised(ask()), settled(ask(), cancelled), done).closed).toMatchObject([{ ...row, output: "" }]);
    expect(told(raised(ask()), settled(ask(), { kind: "expired" }), done).closed).toMatchObject([
      { approval: "no answer in time" },
    ]);
  });

  test("that ran although it was denied is shown, with a warning", () => {
    const no = answered({ ok: false });
    expect(told(started, raised(ask()), closed(ask(), no), finished("written")).closed).toMatchObject([
      { kind: "tool", approval: "denied" },
      { kind: "notice", level: "warn", text: "the agent reports that edit ran although it was denied" },
      { kind: "tool", phase: "done", output: "written" },
    ]);
  });

  test("that its agent reports as stopped is one row, without the words", () => {
    const stopped = { ...finished("Stopped."), isError: true } as SessionEvent;
    expect(told(started, stopped).closed).toMatchObject([{ kind: "tool", phase: "stopped", output: "" }]);
    expect(told(started, finished("Stopped.")).closed).toMatchObject([{ phase: "done", output: "Stopped." }]);
  });

  test("is stopped when its turn ends, and goes on when the agent takes the question back", () => {
    const withdrawn = (reason: "turn_ended" | "agent_cancelled"): AskOutcome => ({ kind: "withdrawn", reason });
    const stopped = settled(ask(), withdrawn("turn_ended"), null);
    expect(told(started, raised(ask()), stopped, done).closed).toMatchObject([{ kind: "tool", phase: "stopped" }]);
    const back = settled(ask(), withdrawn("agent_cancelled"), null);
    expect(told(started, raised(ask()), back).open).toMatchObject([{ phase: "running", startedAtMs: 2_000 }]);
    expect(told(raised(ask()), stopped).closed).toMatchObject([{ kind: "asked", outcome: "withdrawn" }]);
  });

  test("that never comes leaves its answer, and so does an answer that never arrived", () => {
    expect(told(raised(ask()), settled(ask(), yes), done).closed).toMatchObject([
      { kind: "asked", title: "edit p.ts", outcome: "allowed once" },
    ]);
    const lost = told(started, raised(ask()), settled(ask(), yes, "lost"), done).closed;
    expect(lost[0]).toMatchObject({ kind: "asked", outcome: "yes (not delivered: the agent was gone)" });
  });

  test("may ask again while it runs, which is a row of its own", () => {
    const again = ask({ command: "make" }, "q2");
    const inputs = [started, raised(ask()), settled(ask(), yes), raised(again), settled(again, yes), finished("ok")];
    expect(told(...inputs).closed.map(({ kind }) => kind)).toEqual(["asked", "tool"]);
  });
});

describe("an approval is never without a record", () => {
  const yes = answered({ ok: true });
  const no = answered({ ok: false });
  const run = (command: string, more: object = {}, id = "q1") =>
    ask({ tool: "bash", command, ...more }, id, `bash ${command}`);
  const runs = (command: string): SessionEvent => ({ type: "tool.started", ...call, name: "bash", args: { command } });
  const ends = (output: string, isError = false): SessionEvent => finished(output, { name: "bash", isError });

  test("when it names a call that is over, or one that ends before the answer", () => {
    const late = [raised(run("rm -rf dist")), settled(run("rm -rf dist"), yes), runs("rm -rf dist"), ends("ok"), done];
    const row = { kind: "asked", title: "bash rm -rf dist", outcome: "yes" };
    expect(told(runs("ls"), ends("a"), done, ...late).closed).toMatchObject([{ kind: "tool" }, row]);
    const early = [runs("rm -rf dist"), raised(run("rm -rf dist")), ends("ok")];
    expect(told(...early, settled(run("rm -rf dist"), yes), done).closed).toMatchObject([{ kind: "tool" }, row]);
  });

  test("when many others follow before its call comes", () => {
    const asks = Array.from({ length: 70 }, (_, index) =>
      run(`make ${index}`, { tool_call_id: `c${index}` }, `${index}`),
    );
    const rows = told(...asks.flatMap((each) => [raised(each), settled(each, yes)]), done).closed;
    expect(rows.map((row) => row.kind === "asked" && row.title)).toEqual(asks.map((_, index) => `bash make ${index}`));
  });

  test("when its call runs another command or changes another file", () => {
    const asked = [raised(run("ls")), settled(run("ls"), yes)];
    const rows = told(...asked, runs("rm -rf ~/work"), ends("ok"), done).closed;
    expect(rows).toMatchObject([{ title: "bash ls", outcome: "allowed once" }, { args: { command: "rm -rf ~/work" } }]);
    expect(rows[1]).not.toHaveProperty("approval");
    expect(told(runs("ls"), ...asked, runs("make"), ends("ok")).closed[1]).not.toHaveProperty("approval");
    const file = ask({ path: "/tmp/site/p.ts", diff });
    const edits = (path: string) =>
      told(raised(file), settled(file, yes), { ...started, args: { path } }, finished("ok")).closed;
    expect(edits("/etc/p.ts")).toMatchObject([{ kind: "asked" }, { kind: "tool", output: "ok" }]);
    expect(edits("/tmp/site/p.ts")).toMatchObject([{ approval: "allowed once", diff }]);
    expect(edits("p.ts")).toMatchObject([{ approval: "allowed once" }]);
  });

  test("and says the command where the title does not", () => {
    const vague = ask({ tool: "bash", command: "rm -rf dist" }, "q1", "tidy up");
    const row = { kind: "asked", title: "tidy up: rm -rf dist" };
    expect(told(raised(vague), settled(vague, yes), done).closed).toMatchObject([row]);
    expect(told(runs("ls"), ends("a"), raised(vague), settled(vague, no)).closed[1]).toMatchObject(row);
  });

  test("when its call does not say what it does", () => {
    const asked = [raised(run("ls")), settled(run("ls"), yes)];
    const rows = told(...asked, { ...started, args: {} }, finished("ok")).closed;
    expect(rows).toMatchObject([{ title: "bash ls" }, { kind: "tool" }]);
    const named = { ...started, name: "bash ls", args: {} };
    expect(told(...asked, named, finished("ok", { name: "bash ls" })).closed).toMatchObject([
      { approval: "allowed once" },
    ]);
    expect(told(raised(ask()), settled(ask(), yes), runs("rm p.ts"), ends("ok")).closed).toMatchObject([
      { title: "edit p.ts" },
      { kind: "tool" },
    ]);
  });

  test.each<[string, Ask, string, unknown]>([
    ["more than the command", run("ls"), "bash", "rm -rf ~ ; ls"],
    ["more than the command, in a field", run("ls"), "bash", { script: "rm -rf ~ ; ls" }],
    ["another argument than the command", run("ls"), "bash", { cmd: "ls", pattern: "rm -rf ~" }],
    ["more than the command, in its name", run("ls"), "bash rm -rf ~ ;", { command: "ls" }],
    ["another tool", ask({ tool: "read", path: "/w/p.ts" }, "q1", "read p.ts"), "delete", { path: "/w/p.ts" }],
    ["another file", ask({ path: "/w/p.ts" }), "edit", { path: "/w/p.ts", file_path: "/etc/passwd" }],
    ["what no one asked about", ask({}, "q1", "look around"), "bash", "rm -rf ~"],
    ["fields that no one asked about", ask({}, "q1", "look around"), "look", { run: "rm -rf ~" }],
  ])("when the row of its call shows %s", (_, asked, name, args) => {
    const ran: SessionEvent = { type: "tool.started", ...call, name, args };
    const rows = told(raised(asked), settled(asked, yes), ran, finished("ok", { name })).closed;
    expect(rows.map(({ kind }) => kind)).toEqual(["asked", "tool"]);
    expect(rows[1]).not.toHaveProperty("approval");
  });

  test("except where the row shows what was asked: its tool, its subject and its inputs", () => {
    const details = [{ name: "query", value: "wide parsers" }];
    const search = ask({ tool: "search", details }, "q1", "use search of web");
    const one = (asked: Ask, name: string, args: unknown) =>
      told(raised(asked), settled(asked, yes), { type: "tool.started", ...call, name, args }, finished("ok", { name }));
    const row = [{ kind: "tool", approval: "allowed once" }];
    expect(one(search, "search", { query: "wide parsers" }).closed).toMatchObject(row);
    expect(one(search, "search", { q: 1, query: "steal" }).closed).toHaveLength(2);
    expect(one(run("make  -j\n2"), "Bash", { command: "make  -j\n2 ", description: "x" }).closed).toMatchObject(row);
    const edit = ask({ path: "/w/my notes/p.ts" }, "q1", "edit my notes/p.ts and 1 more");
    expect(one(edit, "edit", { path: "my notes/p.ts and 1 more" }).closed).toMatchObject(row);
  });

  test("when Palaver does a part of a call, and a no to that part does not end the call", () => {
    const choices = [
      { id: "once", label: "allow once", choice: "allow_once" },
      { id: "no", label: "no", choice: "reject_once" },
    ] as const;
    const about = { title: "run rm -rf build", tool: "run", command: "rm -rf build", performedBy: "palaver" } as const;
    const params = { ...about, toolCallId: "c1", choices: [...choices] };
    const effect: Ask = { ...ask(), question: { kind: "permission", params } };
    const rows = (choiceId: string) =>
      told(runs("npm test"), raised(effect), settled(effect, answered({ choiceId })), ends("12 passed")).closed;
    const tool = { kind: "tool", args: { command: "npm test" }, phase: "done", output: "12 passed" };
    expect(rows("once")).toMatchObject([{ title: "run rm -rf build", outcome: "allow once" }, tool]);
    expect(rows("no")).toMatchObject([{ title: "run rm -rf build", outcome: "no" }, tool]);
    for (const row of [...rows("once"), ...rows("no")]) expect(row).not.toHaveProperty("approval");
    expect(told(runs("npm test"), raised(effect)).open).toMatchObject([{ phase: "waiting", startedAtMs: null }]);
  });

  test("when a second question is denied, and what the call did before stays", () => {
    const output = "removed node_modules\nnetwork is unreachable";
    const first = [runs("npm i"), raised(run("npm i")), settled(run("npm i"), yes)];
    const again = run("npm i", {}, "q2");
    const row = { kind: "tool", approval: "allowed once", phase: "failed", output };
    const asked = { kind: "asked", title: "bash npm i", outcome: "no" };
    expect(told(...first, raised(again), settled(again, no), ends(output, true), done).closed).toMatchObject([
      asked,
      row,
    ]);
    const outside = run("npm i", { tool: "bash_outside_sandbox" }, "q2");
    const unasked = told(runs("npm i"), raised(outside), settled(outside, no), ends(output, true), done).closed;
    expect(unasked).toMatchObject([asked, { kind: "tool", phase: "failed", output }]);
    const updated: SessionEvent = { type: "tool.updated", ...call, name: "bash", output };
    const begun = told(runs("npm i"), updated, raised(run("npm i")), settled(run("npm i"), no), ends(output, true));
    expect(begun.closed).toMatchObject([asked, { kind: "tool", phase: "failed", output }]);
    for (const row of [unasked[1], begun.closed[1]]) expect(row).not.toHaveProperty("approval");
  });

  test("when it was denied: the row names what was denied, not what the call was announced as", () => {
    const rows = told(runs("npm test"), raised(run("rm -rf build")), settled(run("rm -rf build"), no), done).closed;
    expect(rows).toMatchObject([{ kind: "tool", name: "bash", args: "rm -rf build", approval: "denied" }]);
  });

  test("when it was denied: a question without a command or a file is its own name", () => {
    const plan = ask({ tool: "ExitPlanMode" }, "q1", "Start this plan?");
    const rows = told(raised(plan), closed(plan, no), done).closed;
    expect(rows).toMatchObject([{ kind: "tool", name: "Start this plan?", args: "", approval: "denied" }]);
  });

  test("when a message alone reports that a denied call ran, which is said once", () => {
    const result = { role: "tool_result", tool_call_id: "c1", tool_name: "bash", content: "removed" } as const;
    const message = { type: "message.finished", sessionId, message: result } as SessionEvent;
    const denied = [runs("rm x"), raised(run("rm x")), settled(run("rm x"), no)];
    const warned = ["tool", "notice", "tool"];
    expect(told(...denied, message).closed.map(({ kind }) => kind)).toEqual(warned);
    expect(told(...denied, ends("removed"), message).closed.map(({ kind }) => kind)).toEqual(warned);
    const error = { ...message, message: { ...result, is_error: true } } as SessionEvent;
    expect(told(...denied, error).closed).toHaveLength(1);
  });
});

describe("the diff of a call that has ended", () => {
  const yes = answered({ ok: true });
  const approved = (asked: Ask, end: SessionEvent) => told(started, raised(asked), settled(asked, yes), end).closed[0];

  test("is the approved one when the agent reports none, and a sentence that says the same is not shown", () => {
    expect(approved(ask({ diff }), finished("Edit applied successfully."))).toMatchObject({ diff, output: "" });
    expect(approved(ask({ diff }), finished("Edit applied.\nerror: unused"))).toMatchObject({
      diff,
      output: "Edit applied.\nerror: unused",
    });
    expect(approved(ask({ diff }), finished("no such file", { isError: true }))).not.toHaveProperty("diff");
  });

  test("is the approved one where the agent reports only pieces of it", () => {
    const changes = [{ path: "p.ts", oldText: 'join(",")', newText: 'join(", ")' }];
    expect(approved(ask({ diff }), finished("ok", { changes }))).toMatchObject({ diff });
    const texts = ['a\nb\njoin(",")\n', 'a\nb\njoin(", ")\n'].map((text) => text.replace("join", "  join"));
    const whole = [{ path: "p.ts", oldText: texts[0] ?? "", newText: texts[1] ?? "" }];
    const choices = [{ id: "yes", label: "Yes", choice: "allow_once" }] as const;
    const params = { title: "edit p.ts", tool: "edit", toolCallId: "c1", changes: whole, choices: [...choices] };
    const permission: Ask = { ...ask(), question: { kind: "permission", params } };
    const allowed = settled(permission, answered({ choiceId: "yes" }));
    expect(told(started, raised(permission), allowed, finished("ok", { changes })).closed[0]).toMatchObject({
      diff: expect.stringContaining(' a\n b\n-  join(",")\n+  join(", ")\n'),
    });
  });

  test("is the reported one where what was approved were pieces", () => {
    const pieces = '--- a/p.ts\n+++ b/p.ts\n@@ -1 +1 @@\n-return join(",");\n+return join(", ");\n';
    const output = { content: [{ type: "text", text: "ok" }], details: { diff } };
    expect(approved(ask({ diff: pieces }), finished("", { output }))).toMatchObject({ diff });
  });

  test("is what the agent reports where that is something else", () => {
    const changes = [{ path: "p.ts", oldText: 'join(",")', newText: "steal()" }];
    expect(approved(ask({ diff }), finished("ok", { changes }))).toMatchObject({ changes, output: "" });
    expect(approved(ask({ diff }), finished("ok", { changes }))).not.toHaveProperty("diff");
  });

  test("is what the tool reports beside its words", () => {
    const output = { content: [{ type: "text", text: "Changed p.ts: 1 line added." }], details: { diff } };
    expect(told(finished("", { output })).closed).toMatchObject([{ diff, output: "" }]);
  });
});

test("the files that a tool changes stay with it, whenever the agent reports them", () => {
  const changes = [{ path: "a.ts", oldText: "a\n", newText: "b\n" }];
  expect(told({ ...started, changes } as SessionEvent, finished("done")).closed).toMatchObject([{ changes }]);
  expect(told(finished("done", { changes })).closed).toMatchObject([{ changes }]);
});

test("the journal counts changed files as what they are", () => {
  const [block] = told(finished("", { changes: [{ path: "a", oldText: null, newText: "x".repeat(1_000) }] })).closed;
  if (block === undefined) throw new Error("no block");
  expect(journaled({ blocks: [], units: 0, dropped: 0 }, block).units).toBeGreaterThan(1_000);
});

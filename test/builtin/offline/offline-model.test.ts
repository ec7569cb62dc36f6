// The model that needs nothing: it understands a list of sentences, and drives the same tools, permissions
// and dialogs as any other.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { offlineRequests, scriptFor } from "../../../src/builtin/offline/understanding.js";
import { allCapabilities, freshFolder, startAgent } from "../rig.js";

/** What a request calls first. */
function firstCall(text: string): unknown {
  const script = scriptFor(text);
  for (let step = script.next([]); step.done !== true; step = script.next([])) {
    if ("calls" in step.value) return step.value.calls[0];
  }
  return null;
}

describe("a request in plain English becomes a tool call", () => {
  test.each<[string, unknown]>([
    ["what is in this folder?", ["ls", { path: "." }]],
    ["What's in src?", ["ls", { path: "src" }]],
    ["list the files in src", ["ls", { path: "src" }]],
    ["ls", ["ls", { path: "." }]],
    ["show package.json", ["read", { path: "package.json" }]],
    ["please read 'my notes.txt'", ["read", { path: "my notes.txt" }]],
    ["find parser in src", ["grep", { pattern: "parser", path: "src" }]],
    ['search for "join(" in src', ["grep", { pattern: "join\\(", path: "src" }]],
    ["where is parser used?", ["grep", { pattern: "parser", path: "." }]],
    ["find files *.ts", ["glob", { pattern: "**/*.ts" }]],
    ["delete my-notes.txt", ["bash", { command: "rm -- my-notes.txt" }]],
    ["delete 'a; b.txt'", ["bash", { command: "rm -- 'a; b.txt'" }]],
    ["add a line to README.md", null],
    [
      'replace "a b" with "c" in x.txt',
      ["edit", { path: "x.txt", edits: [{ old_text: "a b", new_text: "c", replace_all: true }] }],
    ],
    [
      "change old to new in src/x.ts",
      ["edit", { path: "src/x.ts", edits: [{ old_text: "old", new_text: "new", replace_all: true }] }],
    ],
    ['create notes.txt with "hello"', ["write", { path: "notes.txt", content: "hello\n" }]],
    ['write "hello" to notes.txt', ["write", { path: "notes.txt", content: "hello\n" }]],
    ["run npm test", ["bash", { command: "npm test" }]],
    ["$ git status", ["bash", { command: "git status" }]],
    ["show me a demo", null],
    ["hello", null],
    ["help", null],
    ["please fly me to the moon", null],
  ])("%s", (text, call) => {
    expect(firstCall(text)).toEqual(call);
  });

  test("every example of every request is understood", () => {
    for (const request of offlineRequests) {
      for (const example of request.examples) expect([example, said(example)]).not.toEqual([example, said("xyzzy")]);
    }
  });
});

/** What is said before anything is called. */
function said(text: string): string {
  const step = scriptFor(text).next([]).value;
  return step !== undefined && "say" in step ? step.say : "";
}

test("an unknown request leads to a model in four lines, with the nearest thing it understands", () => {
  const lines = said("please replace teh everywhere").trim().split("\n").filter(Boolean);
  expect(lines[0]).toContain('offline: it needs a model. Did you mean `replace "teh" with "the" in README.md`?');
  expect(lines).toHaveLength(4);
  expect(said("fix the failing test")).toMatch(/^I can't do that offline: it needs a model\.\n/);
});

test("what a command prints is said only where the front end shows words alone", async () => {
  const outcome = { text: "all is well", isError: false, details: {} };
  const words = (results: "shown" | "said") => {
    const script = scriptFor("run make test", results);
    script.next([]);
    return script.next([outcome]).value;
  };
  expect(words("shown")).toBeUndefined();
  expect(words("said")).toEqual({ say: "```\nall is well\n```\n" });
});

test("a file that lies in another folder is found and shown", async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/parser.ts"), "alpha\n");
  const agent = await startAgent({ folder });
  await agent.prompt("show parser.ts");
  expect(agent.said().at(-1)).toBe("```ts\nalpha\n```\n");
});

test("changes a file after the user has seen the change", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "a.txt"), "teh cat\n");
  const agent = await startAgent({ folder });
  agent.send('replace "teh" with "the" in a.txt');
  agent.answer(await agent.question(), { ok: true });
  await agent.event("agent_end");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("the cat\n");
});

test("asks one question of every kind, and the secret goes nowhere", async () => {
  const state = freshFolder();
  const agent = await startAgent({ environment: { XDG_STATE_HOME: state } });
  agent.send("ask me something");
  const answers: unknown[] = [
    "green",
    ["apple", "cherry"],
    true,
    "Ada",
    "hunter2-hunter2",
    "Once",
    ["a.txt"],
    { name: "x", port: 80 },
  ];
  const asked: string[] = [];
  for (const answer of answers) {
    const question = await agent.question();
    const { opts } = question.params;
    asked.push(
      [question.method, opts?.multiple ? "multi" : "", opts?.secret ? "secret" : ""].filter(Boolean).join(" "),
    );
    agent.answer(question, answer);
  }
  await agent.event("agent_end");
  expect(asked).toEqual([
    "select",
    "select multi",
    "confirm",
    "input",
    "input secret",
    "editor",
    "files multi",
    "form",
  ]);
  expect(agent.said().at(-1)).toBe(
    "Colour: green. Fruit: apple, cherry. Sure. Name: Ada. Story: 4 characters. Files: a.txt. " +
      "Project: name x, port 80, private no. And a secret I have forgotten.\n",
  );
  expect(JSON.stringify(agent.frames)).not.toContain("hunter2");
  agent.send({ type: "save" });
  const { path = "" } = await agent.next("save_result");
  expect(readFileSync(path ?? "", "utf8")).not.toContain("hunter2");
});

test("a front end without forms is asked field by field", async () => {
  const { supports_form: _, supports_multi_select: __, ...capabilities } = allCapabilities;
  const agent = await startAgent({ capabilities });
  agent.send("ask me something");
  const titles: string[] = [];
  const calls: unknown[] = [];
  for (const answer of ["red", "apple", false, null, null, null, null, "x", "80", true]) {
    const question = await agent.question();
    titles.push(question.params.title);
    calls.push(question.params.opts?.tool_call_id);
    agent.answer(question, answer);
  }
  await agent.event("agent_end");
  const begun = agent.events().flatMap((event) => (event.type === "tool_execution_start" ? [event.tool_call_id] : []));
  const [form] = begun.slice(-1);
  expect(calls, "each names the call it belongs to").toEqual([...begun, form, form]);
  expect(titles.slice(-3)).toEqual(["A new project: Name", "A new project: Port", "A new project: Private?"]);
  expect(agent.said().at(-1)).toContain("Project: name x, port 80, private yes.");
});

test.each(["list this folder, then show a.txt", "plan: list this folder, then show a.txt"])(
  "does several things in order with the plan beside it: %s",
  async (text) => {
    const folder = freshFolder();
    writeFileSync(join(folder, "a.txt"), "alpha\n");
    const agent = await startAgent({ folder });
    await agent.prompt(text);
    const plans = agent.frames.flatMap((frame) => (frame.type === "ui_widget" ? [frame.params.content] : []));
    expect(plans).toEqual([["▸ list this folder", "· show a.txt"], ["✓ list this folder", "▸ show a.txt"], null]);
    expect(agent.said().join("")).toMatch(/- a\.txt\n[\s\S]*alpha[\s\S]*The plan is done\./);
  },
);

test("what a file holds cannot end the block it is shown in", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "evil.md"), "```\n# not a heading\n````\n");
  const agent = await startAgent({ folder });
  await agent.prompt("show evil.md");
  expect(agent.said().at(-1)).toMatch(/^`````md\n[\s\S]*\n`````\n$/);
});

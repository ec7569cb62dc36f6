// The model that needs nothing: it says what it is, understands a list of sentences, and drives the same tools, permissions
// and dialogs as any other.
import { readFileSync, writeFileSync } from "node:fs";
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
    ["find files *.ts", ["glob", { pattern: "*.ts" }]],
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
    ["show me a taste", ["ls", { path: "." }]],
    ["hello", null],
    ["help", null],
    ["please fly me to the moon", null],
  ])("%s", (text, call) => {
    expect(firstCall(text)).toEqual(call);
  });

  test("every example of every request is understood by just that request", () => {
    for (const request of offlineRequests) {
      for (const example of request.examples) {
        const plain = (each: typeof request) => each.patterns.some((pattern) => pattern.test(example));
        expect([example, offlineRequests.find(plain)?.name]).toEqual([example, request.name]);
      }
    }
  });
});

test("says what it is in its first line, and only there", async () => {
  const agent = await startAgent();
  await agent.prompt("hello");
  await agent.prompt("hello again");
  const [first = "", second = ""] = agent.said();
  expect(first.split("\n")[0]).toMatch(/^I am Palaver's built-in agent: no model, no network/);
  expect(second).not.toContain("I am Palaver's built-in agent");
});

test("an unknown request gets the nearest thing it understands, and all of them", async () => {
  const agent = await startAgent();
  await agent.prompt("could something search the parser");
  const [said = ""] = agent.said();
  expect(said).toContain("You wrote 5 words");
  expect(said).toContain("Did you mean something like `find parser in src`?");
  for (const { examples } of offlineRequests) expect(said).toContain(examples[0]);
});

test("changes a file after the person has seen the change", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "a.txt"), "teh cat\n");
  const agent = await startAgent({ folder });
  agent.send('replace "teh" with "the" in a.txt');
  agent.answer(await agent.question(), { ok: true });
  await agent.event("agent_end");
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("the cat\n");
  expect(agent.said().at(-1)).toBe("Done: a.txt is changed.\n");
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
    { name: "x", port: 80 },
  ];
  const asked: string[] = [];
  for (const answer of answers) {
    const question = await agent.question();
    const { opts } = question.params;
    asked.push([question.method, opts?.multi ? "multi" : "", opts?.secret ? "secret" : ""].filter(Boolean).join(" "));
    agent.answer(question, answer);
  }
  await agent.event("agent_end");
  expect(asked).toEqual(["select", "select multi", "confirm", "input", "input secret", "editor", "form"]);
  expect(agent.said().at(-1)).toBe(
    "Colour: green. Fruit: apple, cherry. Sure. Name: Ada. Story: 4 characters. Project: name x, port 80. " +
      "And a secret I have forgotten.\n",
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
  for (const answer of ["red", "apple", false, null, null, null, "x", "80", true]) {
    const question = await agent.question();
    titles.push(question.params.title);
    calls.push(question.params.opts?.tool_call_id);
    agent.answer(question, answer);
  }
  await agent.event("agent_end");
  const begun = agent.events().flatMap((event) => (event.type === "tool_execution_start" ? [event.data[0]] : []));
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
  expect(agent.said().at(-1)).toMatch(/^`````\n[\s\S]*\n`````\n$/);
});

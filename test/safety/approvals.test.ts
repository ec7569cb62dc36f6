// Agents that want a yes for one thing and do another: names that look alike, titles that name another file, contents that change
// after they were shown, a second command behind the first, and questions that change places just as a key is pressed.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../src/contract/asks.js";
import type { SessionEvent } from "../../src/contract/session-events.js";
import { openPlainAsk } from "../../src/terminal/painter/dialogs/plain-ask.js";
import { verifies } from "../verifies.js";
import { ENTER, Stage } from "../views/inline/stage.js";

const sessionId = null;

function raised(id: string, question: Ask["question"]): Extract<SessionEvent, { type: "ask.raised" }> {
  const ask: Ask = { id, sessionId, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
  return { type: "ask.raised", sessionId, ask };
}

function confirm(opts: Record<string, unknown>, title = "Run it?"): Ask["question"] {
  return { kind: "confirm", params: { title, opts: { tool: "bash", ...opts } } };
}

async function shown(question: Ask["question"]): Promise<string> {
  const stage = new Stage(110, 30);
  stage.ready();
  stage.hear(raised("q", question));
  stage.wait(1_000);
  return stage.screen();
}

describe("a name that looks like another", () => {
  const odd = "src/p\u0430rser.ts";

  test.each([
    ["a command", confirm({ command: `rm ${odd}` })],
    ["a path", confirm({ path: odd, diff: "@@ -1 +1 @@\n-a\n+b" })],
    ["the diff itself", confirm({ diff: `--- a/${odd}\n+++ b/${odd}\n@@ -1 +1 @@\n-a\n+b` })],
    ["the title", confirm({}, `edit ${odd}`)],
    ["the rule that would be kept", confirm({ allow_remember: true, rule: `edit in ${odd}` })],
  ])("is pointed out in words when it is in %s, on the screen and to a screen reader", async (_, question) => {
    verifies("text.look-alikes-named");
    const words = "\u0430 is a Cyrillic letter (U+0430), not a";
    expect(await shown(question)).toContain(words);
    expect(openPlainAsk(raised("q", question).ask).lines.join("\n")).toContain(words);
  });

  test("makes the question a dangerous one, and the first answer stays a no", async () => {
    const stage = new Stage(110, 30);
    stage.ready();
    stage.hear(raised("q", confirm({ command: `rm ${odd}` })));
    stage.wait(1_000);
    stage.type(ENTER);
    expect(stage.sent).toEqual([]);
    expect(await stage.screen()).toContain("❯ n  no");
  });
});

describe("the file of an approval", () => {
  test.each([
    ["the title names another one", confirm({ path: "src/deploy.ts", diff: "@@ -1 +1 @@\n-a\n+b" }, "edit README.md")],
    [
      "only the diff names it",
      confirm({ diff: "--- a/src/deploy.ts\n+++ b/src/deploy.ts\n@@ -1 +1 @@\n-a\n+b" }, "edit README.md"),
    ],
    [
      "the diff names it and the path another",
      confirm(
        { path: "README.md", diff: "--- a/src/deploy.ts\n+++ b/src/deploy.ts\n@@ -1 +1 @@\n-a\n+b" },
        "edit README.md",
      ),
    ],
  ])("is named when %s", async (_, question) => {
    expect(await shown(question)).toContain("src/deploy.ts");
    expect(openPlainAsk(raised("q", question).ask).lines.join("\n")).toContain("src/deploy.ts");
  });
});

describe("a question that takes the place of another", () => {
  const questions: readonly [string, Ask["question"]][] = [
    ["an approval", confirm({ command: "rm -rf /" })],
    ["a list", { kind: "select", params: { title: "Which?", options: [{ label: "all", value: "all" }] } }],
    ["a line that is filled in", { kind: "input", params: { title: "Branch", opts: { default: "main --force" } } }],
    ["a line that is empty", { kind: "input", params: { title: "Name" } }],
    ["a text that is filled in", { kind: "editor", params: { title: "Text", prefill: "drop table" } }],
    [
      "a form",
      { kind: "form", params: { title: "F", fields: [{ name: "a", label: "A", kind: "confirm", default: true }] } },
    ],
  ];

  test.each(questions)("takes no key that was on its way to the first: %s", (_, question) => {
    for (const delayMs of [0, 20, 100, 300, 780]) {
      const stage = new Stage(70, 24);
      stage.ready();
      stage.hear(raised("harmless", confirm({ command: "ls" })));
      stage.wait(1_000);
      stage.hear(
        { type: "ask.withdrawn", sessionId, askId: "harmless", reason: "agent_cancelled" },
        raised("harmful", question),
      );
      stage.wait(delayMs);
      stage.type(ENTER, "1", "y", ENTER);
      expect(stage.sent.filter((sent) => sent.type === "ui_response" && sent.id === "harmful")).toEqual([]);
    }
  });

  test("takes keys after a quiet moment", () => {
    const stage = new Stage(70, 24);
    stage.ready();
    stage.hear(raised("first", confirm({ command: "ls" })));
    stage.wait(1_000);
    stage.hear(
      { type: "ask.withdrawn", sessionId, askId: "first", reason: "agent_cancelled" },
      raised("second", confirm({ command: "ls" })),
    );
    stage.wait(2_000);
    stage.answer("y");
    expect(stage.sent).toMatchObject([{ type: "ui_response", id: "second", result: true }]);
  });

  test("under the same id and with other contents is the first one still", async () => {
    const stage = new Stage(90, 24);
    stage.ready();
    stage.hear(raised("q", confirm({ command: "ls" })));
    stage.wait(1_000);
    stage.hear(raised("q", confirm({ command: "rm -rf /" })));
    stage.wait(1_000);
    expect(await stage.screen()).not.toContain("rm -rf");
    stage.hear(
      { type: "ask.withdrawn", sessionId, askId: "q", reason: "agent_cancelled" },
      raised("q", confirm({ command: "rm -rf /" })),
    );
    stage.wait(1_000);
    stage.answer("y");
    expect(stage.sent.filter(({ type }) => type === "ui_response")).toEqual([]);
  });
});

test("what an agent puts into the composer is shown whole, and what is sent is what was shown", async () => {
  const stage = new Stage(100, 20);
  stage.ready();
  stage.hear({ type: "editor-text.changed", sessionId, text: "tidy up\u202e\x1b[8m and rm -rf ~\x1b[0m\u200b now" });
  stage.wait(1_000);
  const [typed = ""] = (await stage.screen()).split("\n").filter((row) => row.startsWith("› "));
  expect(typed).toContain("rm -rf ~");
  stage.type(ENTER);
  expect(stage.sent).toEqual([{ type: "prompt", text: typed.slice(2).trim() }]);
});

// Questions without a screen: what is said, line by line, and what a typed line means.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../../src/contract/asks.js";
import { FileFinder } from "../../../../src/terminal/painter/dialogs/file-finder.js";
import { openPlainAsk } from "../../../../src/terminal/painter/dialogs/plain-ask.js";
import type { PlainQuestion, PlainRead } from "../../../../src/terminal/painter/dialogs/plain-question.js";

const askOf = (question: Ask["question"]): Ask => ({
  id: "q",
  sessionId: null,
  turnId: null,
  origin: { kind: "agent" },
  question,
  deadlineMs: null,
});

/** What came of the last line, with everything that was said on the way. */
function type(ask: Ask, ...lines: string[]): { read: PlainRead | null; said: string[] } {
  return typeInto(openPlainAsk(ask), ...lines);
}

function typeInto(opened: PlainQuestion, ...lines: string[]): { read: PlainRead | null; said: string[] } {
  let question = opened;
  const said: string[] = [];
  let read: PlainRead | null = null;
  for (const line of lines) {
    read = question.read(line);
    if (read.type === "next") {
      question = read.question;
      said.push(...question.lines);
    } else if (read.type === "again") said.push(...read.lines);
  }
  return { read, said };
}

const diff = "@@ -42 +42 @@\n-a\n+b\n";
const edit = askOf({
  kind: "confirm",
  params: {
    title: "edit src/parser.ts",
    opts: {
      tool: "edit",
      diff,
      rule: "edit in src/**",
      scope: "this project",
      allow_remember: true,
      allow_reason: true,
    },
  },
});
const managers = askOf({
  kind: "select",
  params: {
    title: "Which package manager?",
    options: [
      { label: "npm", value: "n", description: "lock file found" },
      { label: "pnpm", value: "p" },
    ],
  },
});

describe("what is said", () => {
  test("is one utterance for a short question", () => {
    expect(openPlainAsk(managers, { place: 1, of: 3, from: "setup" }).lines).toEqual([
      "Question 1 of 3, from setup: Which package manager? 1 npm, lock file found. 2 pnpm. Type a number and press Enter, 0 cancels.",
    ]);
    expect(openPlainAsk(askOf({ kind: "confirm", params: { title: "Deploy?" } })).lines).toEqual([
      "Question: Deploy? 1 yes. 2 no. Type a number and press Enter.",
    ]);
  });

  test("is all of what is approved, with nothing hidden in it", () => {
    expect(openPlainAsk(edit, { place: 1, of: 3 }).lines).toEqual([
      "Question 1 of 3: edit src/parser.ts, plus 1, minus 1.",
      "removed line 42: a",
      "added line 42: b",
      "1 allow once. 2 always allow edit in src/**, this project. 3 no. 4 no, with a reason.",
      "Type a number and press Enter.",
    ]);
    const danger = askOf({
      kind: "permission",
      params: { title: "run", tool: "bash", choices: [], command: "rm \u202e-rf", danger: "deletes files" },
    });
    expect(openPlainAsk(danger).lines).toEqual([
      "Question: run.",
      "Danger: deletes files.",
      'Danger: "⟨U+202E⟩-rf" is turned around by a character in it (U+202E).',
      "rm ⟨U+202E⟩-rf",
      "3 no.",
      "Type a number and press Enter.",
    ]);
  });

  test("reads the answers in the order of their numbers", () => {
    const choices = (["allow_once", "allow_always", "allow_always", "reject_once"] as const).map((choice, place) => ({
      ...{ id: `c${place}`, label: ["once", "ls", "all edits", "no"][place] ?? "", choice },
    }));
    const ask = askOf({ kind: "permission", params: { title: "Bash", tool: "Bash", choices, allowReason: true } });
    expect(openPlainAsk(ask).lines[0]).toContain("1 once. 2 ls. 3 no. 4 no, with a reason. 5 all edits.");
    expect(type(ask, "9").said).toEqual(["Type 1, 2, 3, 4 or 5."]);
    expect(type(ask, "5").read).toEqual({ type: "answered", value: { choiceId: "c2" } });
  });

  test("says what is left out of a long command, and d tells it", () => {
    const command = Array.from({ length: 50 }, (_, index) => `echo ${index}`).join("\n");
    const ask = askOf({ kind: "confirm", params: { title: "run it", opts: { command } } });
    expect(openPlainAsk(ask).lines).toContain("30 more lines. Type d for the full view.");
    expect(type(ask, "d").said).toHaveLength(50);
    expect(type(ask, "d", "1").read).toEqual({ type: "answered", value: true });
  });

  test("tells the end of a long command, and what is dangerous in its middle", () => {
    const lines = Array.from({ length: 50 }, (_, index) => (index === 30 ? "sudo rm -rf ~" : `echo ${index}`));
    const ask = askOf({ kind: "confirm", params: { title: "run it", opts: { command: lines.join("\n\n\n") } } });
    expect(openPlainAsk(ask).lines).toEqual(expect.arrayContaining(["echo 0", "sudo rm -rf ~", "echo 49"]));
  });

  test("has one line for each of many choices", () => {
    const options = Array.from({ length: 12 }, (_, index) => ({ label: `item ${index + 1}`, value: `${index}` }));
    const lines = openPlainAsk(askOf({ kind: "select", params: { title: "Which", options } })).lines;
    expect(lines).toHaveLength(14);
    expect(lines[12]).toBe("12 item 12.");
  });

  test("cannot be made to move the cursor", () => {
    const title = "a\x1b[2Jb";
    const asks: Ask["question"][] = [
      { kind: "select", params: { title, options: [{ label: title, value: "", description: title }] } },
      { kind: "confirm", params: { title, message: title, opts: { command: title, danger: title } } },
      { kind: "input", params: { title, placeholder: title, message: title, opts: { default: title } } },
      { kind: "editor", params: { title, prefill: title } },
      { kind: "form", params: { title, fields: [{ name: title, label: title, kind: "text", default: title }] } },
    ];
    for (const question of asks) expect(openPlainAsk(askOf(question)).lines.join("\n")).not.toContain("\x1b");
  });
});

describe("a typed line", () => {
  test.each<[string, PlainRead]>([
    ["1", { type: "answered", value: { ok: true } }],
    [" 2 ", { type: "answered", value: { ok: true, remember: true } }],
    ["3", { type: "answered", value: { ok: false } }],
    ["No", { type: "answered", value: { ok: false } }],
    ["n", { type: "answered", value: { ok: false } }],
    ["y", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
    ["a", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
    ["yes", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
    ["allow once", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
    ["", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
    ["5", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
    ["yes please", { type: "again", lines: ["Type 1, 2, 3 or 4."] }],
  ])("%j to an approval", (line, read) => {
    expect(openPlainAsk(edit).read(line)).toEqual(read);
  });

  test.each([
    ["y", true],
    ["Yes", true],
    ["N", false],
    ["no", false],
  ])("%j to a question of yes or no", (line, value) => {
    const ask = askOf({ kind: "confirm", params: { title: "Deploy?" } });
    expect(openPlainAsk(ask).read(line)).toEqual({ type: "answered", value });
  });

  test("asks for the reason of a refusal", () => {
    const { read, said } = type(edit, "4", "use a constant");
    expect(said).toEqual(["Why not? Type the reason and press Enter."]);
    expect(read).toEqual({ type: "answered", value: { ok: false, reason: "use a constant" } });
  });

  test.each<[string, PlainRead]>([
    ["2", { type: "answered", value: "p" }],
    ["NPM", { type: "answered", value: "n" }],
    ["0", { type: "cancelled" }],
    ["3", { type: "again", lines: ["Type a number from 1 to 2."] }],
  ])("%j to a list", (line, read) => {
    expect(openPlainAsk(managers).read(line)).toEqual(read);
  });

  test.each<[string, PlainRead]>([
    ["2 1", { type: "answered", value: ["a", "b"] }],
    ["1,3", { type: "answered", value: ["a", "c"] }],
    ["", { type: "again", lines: ["choose at least 1."] }],
    ["1 2 3", { type: "again", lines: ["choose at most 2."] }],
    ["1 9", { type: "again", lines: ["Type a number from 1 to 3."] }],
  ])("%j to a list with several answers", (line, read) => {
    const options = ["a", "b", "c"].map((value) => ({ label: `item ${value}`, value }));
    const ask = askOf({
      kind: "select",
      params: { title: "Which", options, opts: { multiple: true, min: 1, max: 2 } },
    });
    expect(openPlainAsk(ask).read(line)).toEqual(read);
  });

  test("is checked like any other answer, and an empty one takes the default", () => {
    const ask = askOf({ kind: "input", params: { title: "Name", opts: { default: "v1", pattern: "^v" } } });
    expect(openPlainAsk(ask).lines).toEqual([
      "Question: Name. Type the answer and press Enter. An empty line takes v1.",
    ]);
    expect(openPlainAsk(ask).read("")).toEqual({ type: "answered", value: "v1" });
    expect(openPlainAsk(ask).read("1")).toEqual({ type: "again", lines: ["must match ^v."] });
  });

  test("of a secret is marked as one", () => {
    const ask = askOf({ kind: "input", params: { title: "Key", opts: { secret: true, default: "old" } } });
    expect(openPlainAsk(ask).secret).toBe("yes");
    expect(openPlainAsk(ask).lines.join(" ")).not.toContain("old");
  });

  test("is one of many of a text, until a single dot", () => {
    const ask = askOf({ kind: "editor", params: { title: "Notes", prefill: "old" } });
    expect(openPlainAsk(ask).lines).toEqual([
      "Question: Notes.",
      "It begins with:",
      "old",
      "A single dot at once keeps this.",
      "Type as many lines as you like; a line with a single dot sends them.",
    ]);
    expect(type(ask, ".").read).toEqual({ type: "answered", value: "old" });
    expect(type(ask, "a", "", "b", ".").read).toEqual({ type: "answered", value: "a\n\nb" });
  });

  test("answers a form field by field", () => {
    const options = ["s", "b"].map((value) => ({ label: value === "s" ? "stable" : "beta", value }));
    const ask = askOf({
      kind: "form",
      params: {
        title: "New release",
        message: "Not public yet.",
        fields: [
          { name: "name", label: "Name", kind: "text", required: true, description: "for the changelog" },
          { name: "key", label: "Key", kind: "secret" },
          { name: "copies", label: "Copies", kind: "number", max: 9, default: 2 },
          { name: "channel", label: "Channel", kind: "select", options, default: "b" },
          { name: "tags", label: "Tags", kind: "multi_select", options },
          { name: "notify", label: "Notify", kind: "confirm" },
        ],
      },
    });
    expect(openPlainAsk(ask).lines).toEqual([
      "Question: New release.",
      "Not public yet.",
      "Field 1 of 6, Name, needed. for the changelog.",
      "Type the answer and press Enter.",
    ]);
    const { read, said } = type(ask, "", "v1", "", "x", "10", "3", "", "1 2", "1");
    expect(read).toEqual({
      type: "answered",
      value: { name: "v1", copies: 3, channel: "b", tags: ["s", "b"], notify: true },
    });
    expect(said).toEqual([
      "required.",
      "Field 2 of 6, Key.",
      "Type it and press Enter; it is not shown. An empty line leaves it empty.",
      "Field 3 of 6, Copies.",
      "Type a number and press Enter. An empty line takes 2.",
      "must be a number.",
      "at most 9.",
      "Field 4 of 6, Channel.",
      "1 stable. 2 beta.",
      "Type a number and press Enter. An empty line takes beta.",
      "Field 5 of 6, Tags.",
      "1 stable. 2 beta.",
      "Type numbers separated by spaces and press Enter. An empty line leaves it empty.",
      "Field 6 of 6, Notify.",
      "1 yes. 2 no.",
      "Type a number and press Enter. An empty line means no.",
    ]);
  });
});

describe("a question about files", () => {
  const FILES = ["README.md", "src/parser.ts", "test/parser.test.ts", ".env"];
  const problem = (path: string) => (FILES.includes(path) ? null : "there is no such file");

  async function opened(opts: { multiple?: boolean; min?: number } = {}): Promise<PlainQuestion> {
    const finder = new FileFinder({ list: async () => FILES, nowMs: () => 0, problem });
    const ask = askOf({ kind: "files", params: { title: "Which tests?", opts } });
    const question = openPlainAsk(ask, { place: 1, of: 1, files: () => finder });
    await finder.freshened();
    return question;
  }

  test("is searched by a line, and answered by a number or a whole path", async () => {
    const question = await opened();
    expect(question.lines).toEqual([
      "Question: Which tests? Type a path, or a part of it, and press Enter, 0 cancels.",
    ]);
    expect(typeInto(question, "nothing", "pars", "9", "2")).toEqual({
      said: [
        "Nothing matches.",
        "1 src/parser.ts. 2 test/parser.test.ts.",
        "Type a number and press Enter, or search again, 0 cancels.",
        "Type a number from 1 to 2.",
      ],
      read: { type: "answered", value: ["test/parser.test.ts"] },
    });
    expect(typeInto(await opened(), "src/parser.ts").read).toEqual({ type: "answered", value: ["src/parser.ts"] });
    expect(typeInto(await opened(), "pars", "readme", "1").read).toEqual({ type: "answered", value: ["README.md"] });
    expect(typeInto(await opened(), ".en").said).toEqual(["Nothing matches."]);
    expect(typeInto(await opened(), "0").read).toEqual({ type: "cancelled" });
    expect(typeInto(await opened(), "pars", "0").read).toEqual({ type: "cancelled" });
  });

  test("keeps several from one search to the next, until an empty line", async () => {
    const { read, said } = typeInto(await opened({ multiple: true, min: 3 }), "pars", "1 2", "", ".env", "");
    expect(said).toContain(
      "2 chosen: src/parser.ts, test/parser.test.ts. Search for another one, or press Enter to send.",
    );
    expect(said).toContain("choose at least 3.");
    expect(read).toEqual({ type: "answered", value: ["src/parser.ts", "test/parser.test.ts", ".env"] });
  });

  test("takes a typed path where nothing can be listed, if it is inside", () => {
    const ask = askOf({ kind: "files", params: { title: "Which?" } });
    expect(type(ask, "a.ts").read).toEqual({ type: "answered", value: ["a.ts"] });
    expect(type(ask, "../a.ts").said).toEqual(["paths must be relative and stay inside the folder."]);
  });
});

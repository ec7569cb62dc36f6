// Agents that ask for one thing and want Palaver to do another. A yes covers one effect, the one that was shown: every other
// write, run or read is asked about with a question that is made from the effect.
import { describe, expect, test } from "vitest";
import { options, readyStage, type Stage } from "../agents/dialects/acp/stage.js";
import { verifies } from "../verifies.js";

const here = "/home/ada/parser";
const EVIL = "touch PWNED";
const OUTSIDE = "/home/ada/.bashrc";

type Fields = Readonly<Record<string, unknown>>;
type Outcome = "asks" | "does it";

function text(words: string): Fields {
  return { type: "content", content: { type: "text", text: words } };
}

function diff(path: string, oldText: string | null, newText: string): Fields {
  return { type: "diff", path, oldText, newText };
}

function allowed(toolCall: Fields, choiceId = "yes-1", offered: readonly Fields[] = options): Stage {
  const stage = readyStage().prompt();
  stage.asks("session/request_permission", { toolCall: { toolCallId: "t1", ...toolCall }, options: offered });
  return stage.answers({ choiceId });
}

function outcomeOf(stage: Stage, act: () => void): Outcome {
  const asked = stage.of("ask.raised").length;
  act();
  return stage.of("ask.raised").length > asked ? "asks" : "does it";
}

function run(stage: Stage, params: Fields = { command: "sh", args: ["-c", EVIL] }): Outcome {
  return outcomeOf(stage, () => void stage.asks("terminal/create", params));
}

function write(stage: Stage, path: string, content: string, now: string | null): Outcome {
  return outcomeOf(stage, () => {
    stage.asks("fs/write_text_file", { path, content });
    stage.inspects(now);
  });
}

function read(stage: Stage, path: string): Outcome {
  return outcomeOf(stage, () => void stage.asks("fs/read_text_file", { path }));
}

const npmTest = { title: "npm test", kind: "execute", rawInput: { command: "npm test" } };
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

describe("a yes to one command does not cover another", () => {
  test.each<[string, readonly Fields[]]>([
    ["in content of an unknown type", [{ type: "odd", content: { type: "text", text: EVIL } }]],
    ["in the text beside a picture", [{ type: "content", content: { type: "image", data: "AA==", text: EVIL } }]],
    ["in a text that begins like JSON", [text(`{"note": ${EVIL}`)]],
    ["in a text of one word", [text("reboot")]],
    ["at the end of a line of prose", [text(`It never does things like: ${EVIL}`)]],
    ["on line 300 of an explanation", [text(`${lines(299)}\n${EVIL}`)]],
    ["that is all of a text", [text(EVIL)]],
  ])("%s", (_, content) => {
    verifies("approvals.cover-what-was-shown");
    const script = JSON.stringify(content).includes("reboot") ? "reboot" : EVIL;
    const stage = allowed({ ...npmTest, content });
    expect(run(stage, { command: "sh", args: ["-c", script] })).toBe("asks");
    expect(stage.ask().question.params).toMatchObject({ command: script, tool: "run" });
  });

  test.each<[string, Fields]>([
    ["that is only the title", { title: EVIL, kind: "execute" }],
    ["behind the title", { ...npmTest, title: `npm test: ${EVIL}` }],
    ["of a call that reads", { title: "Read", kind: "read", rawInput: { command: EVIL } }],
    ["of a call that edits", { title: "Edit", kind: "edit", rawInput: { command: EVIL } }],
    ["of a call of another kind", { title: "Odd", kind: "other", rawInput: { command: EVIL } }],
    ["in a location", { ...npmTest, locations: [{ path: EVIL }] }],
    ["under another name", { ...npmTest, rawInput: { command: "npm test", script: EVIL } }],
  ])("%s", (_, toolCall) => {
    expect(run(allowed(toolCall))).toBe("asks");
  });
});

describe("a yes to one file does not cover another, or another content", () => {
  const manyLines = `${lines(500)}\n`;
  const readPackage = { title: "Read package.json", kind: "read", locations: [{ path: `${here}/package.json` }] };
  const rows: readonly [string, Fields, string, string, string | null][] = [
    [
      "a second location of a read",
      { ...readPackage, locations: [{ path: `${here}/package.json` }, { path: OUTSIDE }] },
      ...([OUTSIDE, "evil", "alias ls=ls\n"] as const),
    ],
    ["the file that was to be read", readPackage, `${here}/package.json`, "{}", '{"name":"a"}'],
    [
      "a path that is only in the input",
      {
        ...{ title: "Edit a.txt", kind: "edit", content: [diff(`${here}/a.txt`, "a", "b")] },
        rawInput: { file_path: `${here}/.git/hooks/pre-commit` },
      },
      ...([`${here}/.git/hooks/pre-commit`, "evil", null] as const),
    ],
    [
      "a path in the input of a command",
      { ...npmTest, rawInput: { command: "npm test", path: "a", file_path: OUTSIDE } },
      ...([OUTSIDE, "evil", null] as const),
    ],
    [
      "other content than a diff of the input",
      { title: "Edit", kind: "edit", rawInput: { path: `${here}/a.txt`, diff: "@@ -1 +1 @@\n-a\n+b" } },
      ...([`${here}/a.txt`, "evil", "a\n"] as const),
    ],
    [
      "the changed line in place of the whole file",
      { title: "Edit", kind: "edit", content: [diff(`${here}/a.txt`, "line 250\n", "LINE 250\n")] },
      ...([`${here}/a.txt`, "LINE 250\n", manyLines] as const),
    ],
    [
      "every place instead of one",
      { title: "Edit", kind: "edit", content: [diff(`${here}/a.txt`, "x\n", "y\n")] },
      ...([`${here}/a.txt`, "y\n".repeat(500), "x\n".repeat(500)] as const),
    ],
    [
      "other line ends, and more of them",
      { title: "Edit", kind: "edit", content: [diff(`${here}/a.txt`, "a\n", "b\n")] },
      ...([`${here}/a.txt`, "b\r\n\r\n\r\n", "a\n"] as const),
    ],
    [
      "the first of two places, when it is not said which",
      { title: "Edit", kind: "edit", content: [diff(`${here}/a.txt`, "x\n", "y\n")] },
      ...([`${here}/a.txt`, "y\nx\n", "x\nx\n"] as const),
    ],
    [
      "a new file that is there by now",
      { title: "Write", kind: "edit", content: [diff(`${here}/a.txt`, null, "new")] },
      ...([`${here}/a.txt`, "new", "old"] as const),
    ],
    [
      "a diff in a call that reads",
      { title: "Read", kind: "read", content: [diff(`${here}/a.txt`, null, "new")] },
      ...([`${here}/a.txt`, "new", null] as const),
    ],
    [
      "a diff in a call of no kind",
      { title: "Odd", content: [diff(`${here}/a.txt`, null, "new")] },
      ...([`${here}/a.txt`, "new", null] as const),
    ],
    [
      "a file of which only the name was shown",
      { title: "Edit", kind: "edit", locations: [{ path: `${here}/a.txt` }] },
      ...([`${here}/a.txt`, "new", null] as const),
    ],
  ];

  test.each(rows)("%s", (_, toolCall, path, content, now) => {
    const stage = allowed(toolCall);
    expect(write(stage, path, content, now)).toBe("asks");
    expect(stage.ask().question.params).toMatchObject({
      ...{ tool: "edit", path, performedBy: "palaver" },
      changes: [{ path, oldText: now, newText: content }],
    });
  });

  test("a link inside of the workspace, whose file has another name", () => {
    const stage = allowed({ title: "Edit", kind: "edit", content: [diff(`${here}/link`, null, "new")] });
    stage.links.set(`${here}/link`, `${here}/other`);
    expect(write(stage, `${here}/link`, "new", null)).toBe("asks");
    expect(stage.ask().question.params).toMatchObject({
      title: "edit other",
      details: [{ name: "reached through", value: `${here}/link` }],
    });
  });

  test("bytes that are no text", () => {
    const stage = allowed({ title: "Edit", kind: "edit", content: [diff(`${here}/a`, "\ufffd", "b")] });
    stage.asks("fs/write_text_file", { path: `${here}/a`, content: "b" });
    stage.inspects("\ufffd", { isText: false });
    expect(stage.ask().question.params).toMatchObject({ danger: expect.stringContaining("not UTF-8") });
  });

  test("a second write, or a third", () => {
    const stage = allowed({ title: "Edit", kind: "edit", content: [diff(`${here}/a.txt`, null, "new")] });
    const outcomes = ["new", "newer", "new"].map((content) => write(stage, `${here}/a.txt`, content, null));
    expect(outcomes).toEqual(["does it", "asks", "asks"]);
  });
});

describe("an approval shows every file and every input", () => {
  test("files that are only to be read, and those that only the input names", () => {
    const stage = readyStage().prompt();
    const locations = [{ path: "package.json" }, { path: OUTSIDE }];
    const rawInput = { path: "../other", depth: 3, note: "all of it" };
    const toolCall = { toolCallId: "t1", title: "Read", kind: "read", locations, rawInput };
    stage.asks("session/request_permission", { toolCall, options });
    expect(stage.ask().question.params).toMatchObject({
      title: "read package.json and 2 more",
      path: `${here}/package.json`,
      details: [
        { name: "file", value: OUTSIDE },
        { name: "file", value: "/home/ada/other" },
        { name: "depth", value: "3" },
        { name: "note", value: "all of it" },
      ],
    });
  });

  test("the words of a list of arguments, so that two lists never look alike", () => {
    const shown = [["rm", "a b"], ["rm", "a", "b"], ["rm a b"]].map((command) => {
      const stage = readyStage().prompt();
      const toolCall = { toolCallId: "t1", title: "Run", kind: "execute", rawInput: { command } };
      stage.asks("session/request_permission", { toolCall, options });
      return (stage.ask().question.params as { command?: string }).command;
    });
    expect(shown).toEqual(["rm 'a b'", "rm a b", "'rm a b'"]);
  });

  test("that a title has only the first line of a command", () => {
    const stage = readyStage().prompt();
    const toolCall = { toolCallId: "t1", title: "Bash", kind: "execute", rawInput: { command: "npm test\nrm -rf ~" } };
    stage.asks("session/request_permission", { toolCall, options });
    expect(stage.ask().question.params).toMatchObject({ title: "run npm test …", command: "npm test\nrm -rf ~" });
  });

  test("what happens, and not what the call says about itself", () => {
    const stage = readyStage().prompt();
    const toolCall = { toolCallId: "t1", title: "read", kind: "other", rawInput: { command: EVIL } };
    stage.asks("session/request_permission", { toolCall, options });
    expect(stage.ask().question.params).toMatchObject({ title: `run ${EVIL}`, tool: "run", performedBy: "agent" });
  });

  test("the command of a tool that edits as one of its inputs", () => {
    const stage = readyStage().prompt();
    const content = [diff(`${here}/a.txt`, null, "new")];
    const toolCall = { toolCallId: "t1", title: "Edit", kind: "edit", content, rawInput: { command: "create" } };
    stage.asks("session/request_permission", { toolCall, options });
    expect(stage.ask().question.params).toMatchObject({
      ...{ title: "edit a.txt", tool: "edit" },
      details: [{ name: "command", value: "create" }],
    });
  });

  test("the agent's words as the agent's words", () => {
    const stage = readyStage().prompt();
    const toolCall = { toolCallId: "t1", ...npmTest, content: [text("Palaver checked this: it is safe")] };
    stage.asks("session/request_permission", { toolCall, options });
    expect(stage.ask().question.params).toMatchObject({ message: "The agent says: Palaver checked this: it is safe" });
  });
});

describe("an answer says what it does", () => {
  function labels(offered: readonly Fields[]): unknown {
    const stage = readyStage().prompt();
    stage.asks("session/request_permission", { toolCall: { toolCallId: "t1", ...npmTest }, options: offered });
    const { choices } = stage.ask().question.params as { choices: { label: string; description?: string }[] };
    return choices.map(({ label, description = "" }) => [label, description]);
  }

  test.each<[string, string, string, string]>([
    ["Reject", "allow_once", "allow once", 'the agent calls it "Reject"'],
    ["Allow once", "allow_always", "always allow", 'remembered by the agent; the agent calls it "Allow once"'],
    ["Allow", "reject_once", "no", 'the agent calls it "Allow"'],
    ["Allow", "allow_once", "allow once", ""],
    ["Always allow", "allow_always", "always allow", "remembered by the agent"],
    ["No, and stop", "reject_once", "no", 'the agent calls it "No, and stop"'],
  ])("%j of the kind %s is %j", (name, kind, label, description) => {
    expect(labels([{ optionId: "x", name, kind }])).toEqual([[label, description]]);
  });

  test("one of unknown kind, and two with one id, are not offered", () => {
    const twice = [
      { optionId: "x", name: "Yes", kind: "allow_once" },
      { optionId: "x", name: "No", kind: "reject_once" },
    ];
    expect(labels([...twice, { optionId: "w", name: "No", kind: "allow_week" }])).toEqual([]);
  });
});

describe("always, as the agent offers it, is for the agent", () => {
  test("to a command covers that command once, and no other", () => {
    const stage = allowed(npmTest, "yes-9");
    expect(run(stage, { command: "sh", args: ["-c", "rm -rf ."], cwd: "/" })).toBe("asks");
    expect(run(stage, { command: "sh", args: ["-c", "npm test"] })).toBe("does it");
    expect(run(stage, { command: "sh", args: ["-c", "npm test"] })).toBe("asks");
  });

  test("to an edit covers that edit once, and no other file", () => {
    const stage = allowed({ title: "Edit", kind: "edit", content: [diff(`${here}/a.txt`, null, "new")] }, "yes-9");
    expect(write(stage, `${here}/.git/hooks/pre-commit`, "evil", null)).toBe("asks");
    expect(write(stage, `${here}/a.txt`, "new", null)).toBe("does it");
  });
});

describe("a yes to a command does not cover other surroundings", () => {
  const shell = { command: "/bin/bash", args: ["-c", "npm test"] };
  const env = (name: string, value: string) => ({ ...shell, env: [{ name, value }] });
  const script = (words: string) => ({ ...shell, args: ["-c", words] });

  test.each<[string, Fields]>([
    ["GIT_DIR", env("GIT_DIR", "evil.git")],
    ["XDG_CONFIG_HOME", env("XDG_CONFIG_HOME", "evilconf")],
    ["MAKEFILES", env("MAKEFILES", "evil.mk")],
    ["GIT_EXTERNAL_DIFF", env("GIT_EXTERNAL_DIFF", "evil")],
    ["GIT_EDITOR", env("GIT_EDITOR", "evil")],
    ["NODE_PATH", env("NODE_PATH", "evil")],
    ["cd -P", script("cd -P && npm test")],
    ["cd --", script("cd -- && npm test")],
    ["cd into a link", script("cd LINK && npm test")],
    ["a folder that is a link", { ...shell, cwd: "LINK" }],
    ["PATH", env("PATH", "/evil")],
    ["LD_PRELOAD", env("LD_PRELOAD", "evil.so")],
    ["GIT_CONFIG_GLOBAL", env("GIT_CONFIG_GLOBAL", "evil")],
    ["a folder outside", { ...shell, cwd: "/tmp" }],
    ["a folder inside", { ...shell, cwd: "sub" }],
    ["a variable that looks harmless", env("CI", "1")],
    ["cd into the workspace", script(`cd '${here}' && npm test`)],
    ["a blank more", script("npm test ")],
    ["a login shell", { ...shell, args: ["-lc", "npm test"] }],
    ["a shell with arguments", { ...shell, args: ["-c", "npm test", "sh", "x"] }],
    ["a shell of the agent's own", { ...shell, command: "/tmp/bash" }],
    ["a shell in the workspace", { ...shell, command: "./bash" }],
    ["a pattern as it is", { command: "npm", args: ["test", "*"] }],
  ])("%s", (_, params) => {
    const stage = allowed(npmTest);
    stage.links.set(`${here}/LINK`, "/tmp/outside");
    expect(run(stage, params)).toBe("asks");
  });

  test.each<[string, Fields]>([
    ["behind a shell", shell],
    ["word by word", { command: "npm", args: ["test"] }],
    ["in the workspace by its name", { ...shell, cwd: here }],
  ])("but it runs %s", (_, params) => {
    expect(run(allowed(npmTest), params)).toBe("does it");
  });

  test("the question shows the folder where it really is, the shell and every variable", () => {
    const stage = readyStage().prompt();
    stage.links.set(`${here}/LINK`, "/tmp/outside");
    const variables = [
      { name: "B", value: "x y" },
      { name: "A", value: "1" },
    ];
    run(stage, { ...shell, cwd: "LINK", env: variables });
    expect(stage.ask().question.params).toMatchObject({
      command: "npm test",
      details: [
        { name: "shell", value: "/bin/bash -c" },
        { name: "folder", value: "/tmp/outside" },
        { name: "environment", value: "A=1 'B=x y'" },
      ],
      performedBy: "palaver",
    });
  });

  test("and what a permission did show is covered, variable for variable", () => {
    const rawInput = { command: "npm test", cwd: "sub", env: { CI: "1" } };
    const covered = { ...shell, cwd: "sub", env: [{ name: "CI", value: "1" }] };
    expect(run(allowed({ ...npmTest, rawInput }), covered)).toBe("does it");
    expect(run(allowed({ ...npmTest, rawInput }), shell)).toBe("asks");
    const more = { ...covered, env: [...covered.env, { name: "X", value: "1" }] };
    expect(run(allowed({ ...npmTest, rawInput }), more)).toBe("asks");
  });
});

describe("reading", () => {
  test("inside of the workspace is free, but not what looks like a secret, and not outside", () => {
    verifies("acp.nothing-ungranted");
    const stage = readyStage().prompt();
    expect(read(stage, "src/a.ts")).toBe("does it");
    expect(read(stage, ".env")).toBe("asks");
    expect(read(stage, "/etc/hosts")).toBe("asks");
    expect(stage.ask().question.params).toMatchObject({ title: "read /etc/hosts", danger: "outside the workspace" });
  });

  test("a file that was shown is covered once, and always means this file in this session", () => {
    const stage = allowed({ title: "Read", kind: "read", locations: [{ path: "/etc/hosts" }] });
    expect([read(stage, "/etc/hosts"), read(stage, "/etc/hosts")]).toEqual(["does it", "asks"]);
    stage.answers({ choiceId: "always" }).ends().prompt();
    expect([read(stage, "/etc/hosts"), read(stage, "/etc/passwd")]).toEqual(["does it", "asks"]);
  });

  test("that was refused reads nothing", () => {
    const stage = readyStage().prompt();
    const id = stage.asks("fs/read_text_file", { path: "/etc/shadow" });
    stage.answers({ choiceId: "no" });
    expect(stage.answerTo(id)).toMatchObject({ error: { message: expect.stringContaining("denied by the user") } });
    expect(() => stage.effect("file.read")).toThrow();
  });
});

describe("our own always", () => {
  test("repeats the very same run, in later turns too, and is not offered for a write", () => {
    const stage = readyStage().prompt();
    const params = { command: "npm", args: ["test"], env: [{ name: "CI", value: "1" }] };
    run(stage, params);
    stage.answers({ choiceId: "always" }).ends().prompt();
    expect(run(stage, params)).toBe("does it");
    expect(run(stage, { ...params, env: [] })).toBe("asks");
    expect(run(stage, { ...params, cwd: "sub" })).toBe("asks");
    write(stage, `${here}/a.txt`, "x", null);
    const { choices } = stage.ask().question.params as { choices: { id: string }[] };
    expect(choices.map(({ id }) => id)).toEqual(["once", "no"]);
  });

  test("that was not offered is a no", () => {
    const stage = readyStage().prompt();
    write(stage, `${here}/a.txt`, "x", null);
    stage.answers({ choiceId: "always" });
    expect(() => stage.effect("file.write")).toThrow();
  });
});

describe("a write that changes nothing", () => {
  test("is answered without a question, and nothing is written", () => {
    const stage = readyStage().prompt();
    expect(write(stage, `${here}/a.txt`, "same", "same")).toBe("does it");
    expect(() => stage.effect("file.write")).toThrow();
  });

  test("is asked about where the agent may not know what a file holds", () => {
    expect(write(readyStage().prompt(), `${here}/.env`, "same", "same")).toBe("asks");
    expect(write(readyStage().prompt(), OUTSIDE, "same", "same")).toBe("asks");
  });
});

describe("an agent that is known to show whole files as a path and a content", () => {
  const toolCall = { toolCallId: "t1", title: "Write", kind: "edit" };
  const asking = (rawInput: Fields) => {
    const stage = readyStage({}, { protocolVersion: 1, agentInfo: { name: "kimi-code" } }).prompt();
    stage.asks("session/request_permission", { toolCall: { ...toolCall, rawInput }, options });
    return stage;
  };

  test("is asked with the change that this makes to the file on disk, and a yes covers it", () => {
    const stage = asking({ path: "a.txt", content: "new" });
    stage.inspects("old");
    const change = { path: `${here}/a.txt`, oldText: "old", newText: "new" };
    expect(stage.ask().question.params).toMatchObject({ title: "edit a.txt", changes: [change] });
    stage.answers({ choiceId: "yes-1" });
    expect(write(stage, `${here}/a.txt`, "new", "old")).toBe("does it");
  });

  test("is asked as it is when the input says more, or the file is no text", () => {
    const appends = asking({ path: "a.txt", content: "new", mode: "append" });
    expect(appends.ask().question.params).not.toHaveProperty("changes");
    const odd = asking({ path: "a.txt", content: "new" });
    odd.inspects("\ufffd", { isText: false });
    expect(odd.ask().question.params).not.toHaveProperty("changes");
  });

  test("is not asked any more when the turn was stopped meanwhile", () => {
    const stage = asking({ path: "a.txt", content: "new" });
    stage.wants({ type: "abort" }).inspects("old");
    expect(stage.of("ask.raised")).toEqual([]);
  });
});

test("a command that an agent is known to wrap is shown, covered and compared with what is around it", () => {
  const hello = { protocolVersion: 1, agentInfo: { name: "kimi-code" } };
  const stage = readyStage({}, hello).prompt();
  const toolCall = { toolCallId: "t1", ...npmTest };
  const wrapped = `cd '${here}' && npm test`;
  const env = [
    { name: "NO_COLOR", value: "1" },
    { name: "TERM", value: "dumb" },
    { name: "GIT_TERMINAL_PROMPT", value: "0" },
    { name: "SHELL", value: "/bin/bash" },
  ];
  const params = { command: "/bin/bash", args: ["-c", wrapped], env, cwd: here };
  stage.asks("session/request_permission", { toolCall, options });
  expect(stage.ask().question.params).toMatchObject({
    title: "run npm test",
    command: wrapped,
    details: [{ name: "environment", value: "GIT_TERMINAL_PROMPT=0 NO_COLOR=1 SHELL=/bin/bash TERM=dumb" }],
  });
  stage.answers({ choiceId: "yes-1" });
  expect(run(stage, { ...params, env: env.slice(1) })).toBe("asks");
  expect(run(stage, params)).toBe("does it");
});

test("a question of ours names the tool call it belongs to, when there is only one it can be", () => {
  const stage = readyStage().prompt();
  stage.update({ sessionUpdate: "tool_call", toolCallId: "w", title: "Write", kind: "edit", status: "in_progress" });
  write(stage, `${here}/a.txt`, "x", null);
  expect(stage.ask().question.params).toMatchObject({ toolCallId: "w" });
});

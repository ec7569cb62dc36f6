// The command lines of `palaver prompt` and `palaver ask`, read before anything starts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readAskArguments } from "../../src/cli/prompt/ask-arguments.js";
import { choosePromptAgent, startedAgent } from "../../src/cli/prompt/prompt-agent.js";
import { readPromptArguments } from "../../src/cli/prompt/prompt-arguments.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-arguments-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("palaver prompt", () => {
  test("reads a message, an agent and everything it may be told", () => {
    const context = file("a.txt", "hello");
    const wishes = readPromptArguments([
      ...["fix it", "claude", "--max-turns", "3", "--allowed-tools", "Read,Bash(a,b)", "--allowed-tools", "Edit"],
      ...["--context", context, "--timeout", "1.5", "-o", "json", "--on-ask", "deny", "-q"],
    ]);
    expect(wishes).toMatchObject({
      message: "fix it",
      agent: "claude",
      turnsMax: 3,
      allowedTools: ["Read", "Bash(a,b)", "Edit"],
      context: [{ path: context, text: "hello" }],
      timeoutMs: 1_500,
      idleTimeoutMs: null,
      output: "json",
      notes: "few",
      flags: { "on-ask": "deny" },
      session: "new",
      permissions: "asked",
    });
    expect(readPromptArguments(["x", "--", "my-agent", "--flag"]).commandLine).toEqual(["my-agent", "--flag"]);
  });

  test.each<[string[], string]>([
    [["a", "b", "c"], 'unexpected argument "c"; put the message in quotes, and -- before a command'],
    [["a", "claude", "--", "x"], "name an agent or give a command, not both"],
    [["a", "--"], "no command after --"],
    [["a", "-c", "-r", "x"], "--continue or --resume"],
    [["a", "--answer", "x"], "--answer goes with --resume ID"],
    [["a", "--output", "xml"], '--output is one of text, json, stream-json, not "xml"'],
    [["a", "--timeout", "0"], "greater than 0"],
    [["a", "--max-turns", "0"], "greater than 0"],
    [["a", "--context", "/no/such/file"], "--context /no/such/file cannot be read"],
    [["a", "--answers", file("bad.json", '{"answers":[{}]}')], "answers[0]"],
    [["a", "--json-schema", file("bad.schema", '{"if":{}}')], '"if" is not supported'],
    [["a", "--nonsense"], "--nonsense"],
  ])("%j is bad usage", (args, words) => {
    expect(() => readPromptArguments(args)).toThrow(words);
  });

  test("an agent is chosen by name, by its command, or is the one of the run that goes on", () => {
    const from = { own: {}, preferred: "", before: null };
    const wish = { agent: null, commandLine: [], protocol: null };
    expect(choosePromptAgent(wish, from)).toMatchObject({ name: "palaver", protocol: "lines" });
    expect(choosePromptAgent({ ...wish, agent: "claude" }, from)).toMatchObject({ name: "claude", protocol: "claude" });
    expect(choosePromptAgent(wish, { ...from, preferred: "gemini" })).toMatchObject({
      name: "gemini",
      protocol: "acp",
    });
    expect(choosePromptAgent({ ...wish, commandLine: ["/opt/bin/claude", "--model", "x"] }, from)).toMatchObject({
      name: null,
      protocol: "claude",
    });
    expect(choosePromptAgent({ ...wish, commandLine: ["gemini"] }, from)).toMatchObject({ protocol: "detect" });
    expect(() => choosePromptAgent({ ...wish, agent: "cladue" }, from)).toThrow('did you mean "claude"?');
  });

  test("each agent is told in its own way which session goes on", () => {
    const wishes = {
      turnsMax: 2,
      permissions: "asked",
      allowedTools: [],
      mcpConfigPath: null,
      own: "off",
      presence: "person",
      user: "other",
      session: { resume: "s1" },
      isSession: (named: string) => named === "s1",
    } as const;
    const command = { command: "agent", args: ["agent"] };
    expect(startedAgent({ name: "palaver", command, protocol: "lines" }, wishes)).toEqual({
      command: { command: "agent", args: ["agent", "--stream", "--session-file", "s1"] },
      resume: null,
    });
    const misspelt = { ...wishes, session: { resume: "s2" } } as const;
    expect(() => startedAgent({ name: "palaver", command, protocol: "lines" }, misspelt)).toThrow(
      "there is no session s2; palaver sessions lists them",
    );
    const option = { ...wishes, session: { resume: "--dangerously-skip-permissions" } } as const;
    expect(() => startedAgent({ name: "claude", command, protocol: "claude" }, option)).toThrow("an option, not an id");
    const away = { ...wishes, presence: "away", session: "new" } as const;
    expect(startedAgent({ name: "palaver", command, protocol: "lines" }, away).command.args).toEqual([
      ...["agent", "--stream", "--unattended"],
    ]);
    expect(startedAgent({ name: "x", command, protocol: "acp" }, away).command.args).toEqual(["agent"]);
    expect(startedAgent({ name: "x", command, protocol: "acp" }, wishes)).toMatchObject({ resume: "s1", command });
    expect(startedAgent({ name: "x", command, protocol: "claude" }, wishes).command.args).toEqual([
      ...["agent", "--max-turns", "2", "--resume", "s1"],
    ]);
    const skipped = { ...wishes, permissions: "skipped", session: "new" } as const;
    const argsFor = (user: "root" | "other") =>
      startedAgent({ name: "x", command, protocol: "claude" }, { ...skipped, user }).command.args;
    expect(argsFor("other")).toContain("--dangerously-skip-permissions");
    expect(argsFor("root")).not.toContain("--dangerously-skip-permissions");
    expect(() => startedAgent({ name: null, command, protocol: "rpc" }, wishes)).toThrow("does not support it");
  });
});

describe("palaver ask", () => {
  const read = (args: string[], piped: string | null = null) => readAskArguments(args, async () => piped);

  test("reads a question of every kind", async () => {
    expect((await read(["select", "Which?", "a", "b\tB\tmore", "--multi", "--max", "2"])).question).toEqual({
      kind: "select",
      params: {
        title: "Which?",
        options: [
          { value: "a", label: "a" },
          { value: "b", label: "B", description: "more" },
        ],
        opts: { multiple: true, max: 2 },
      },
    });
    expect((await read(["select", "Which?"], "one\r\ntwo\n\n")).question.params).toMatchObject({
      options: [{ value: "one" }, { value: "two" }],
    });
    expect((await read(["confirm", "Sure?", "--danger", "all gone", "--message", "m"])).question.params).toMatchObject({
      message: "m",
      opts: { danger: "all gone", danger_level: "danger" },
    });
    expect((await read(["input", "Name?", "--secret", "--required"])).question.params).toMatchObject({
      opts: { secret: true, required: true },
    });
    expect((await read(["editor", "Text?"], "begin\n")).question.params).toMatchObject({ prefill: "begin\n" });
    await expect(read(["form", "F", "--field", "port:number=http"])).rejects.toThrow('"http" is not a number');
    const form = await read(["form", "F", "--field", "name!", "--field", "port:number=80", "--field", "e:select(a|b)"]);
    expect(form.question.params).toMatchObject({
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "port", kind: "number", default: 80 },
        { name: "e", kind: "select", options: [{ value: "a" }, { value: "b" }] },
      ],
    });
    const fields = file("fields.json", '[{"name": "n", "label": "N", "kind": "secret"}]');
    expect((await read(["form", "F", "--fields", fields])).question.params).toMatchObject({
      fields: [{ kind: "secret" }],
    });
  });

  test.each<[string[], string]>([
    [[], "ask one of select, confirm"],
    [["sleect", "x"], 'not "sleect"'],
    [["input"], "ask input needs a question"],
    [["input", "x", "y"], 'unexpected argument "y"'],
    [["input", "x", "--multi"], "--multi is for select"],
    [["select", "x"], "ask select needs options"],
    [["select", "x", "a", "--default", "b"], '--default: "b" is not one of the options'],
    [["confirm", "x", "--default", "maybe"], "--default: the answer must be true or false"],
    [["confirm", "x", "--default", "yes"], "--default: the default is never yes"],
    [["confirm", "x", "--default", "allow_once"], "--default: the default is never yes"],
    [["confirm", "x", "--default", "TRUE", "--timeout", "9"], "--default: the default is never yes"],
    [["confirm", "x", "--default", "1", "--danger", "all of it"], "--default: the default is never yes"],
    [["form", "x", "--field", "a:confirm", "--default", '{"a":true}'], "--default: the default is never yes"],
    [["form", "x"], "ask form needs fields"],
    [["form", "x", "--field", "a:select"], "needs options"],
    [["form", "x", "--field", "a", "--field", "a"], 'two fields "a"'],
    [["form", "x", "--field", "a b"], "does not look like"],
    [["form", "x", "--fields", file("f.json", '[{"name": 1}]')], "fields"],
  ])("%j is bad usage", async (args, words) => {
    await expect(read(args)).rejects.toThrow(words);
  });
});

// Mistakes that are likely, and what is said about them: what is wrong, and what would be right.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readArguments } from "../../src/cli/arguments.js";
import { commandTable } from "../../src/cli/command-table.js";
import { UsageError } from "../../src/cli/exit-codes.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-mistakes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const broken = file("broken.json", "{broken");
const list = file("list.json", "[]\n");

test.each<[string, string[], string]>([
  ["run", ["gemni"], 'there is no agent "gemni"; did you mean "palaver run gemini"?'],
  ["run", ["--protocol", "apc", "gemini"], "--protocol is one of lines, acp, claude, pi, codelia, codex, rpc"],
  ["run", ["--resume", "nosuch"], "there is no session nosuch; palaver sessions lists them"],
  ["run", ["--resume", "nosuch", "--continue"], "use --continue or --resume, not both"],
  ["run", ["--protocol", "rpc", "--continue", "--", "true"], "the rpc protocol does not support it"],
  ["run", ["--read-only", "--", "true"], "--read-only is for the built-in agent; true has its own settings"],
  ["run", ["--read-only", "--", "true"], "Flags of true itself: palaver run -- true …"],
  ["run", ["claude", "--yolo"], "A flag of claude itself: palaver run -- claude --yolo"],
  ["run", ["gemini", "claude"], 'A message is two words or more, in quotes: palaver run gemini "fix the test"'],
  ["run", ["--screen", "full", "run", "claude"], "flags come after the command: palaver run --screen full claude"],
  [
    "run",
    ["--model", "openai:gpt-5", "prompt", "fix it"],
    'flags come after the command: palaver prompt --model openai:gpt-5 "fix it"',
  ],
  ["run", ["--screen=full", "state"], "flags come after the command\n  palaver state --help"],
  ["run", ["-r", "abc", "state"], "flags come after the command\n  palaver state --help"],
  ["run", ["--model", "claude-9"], "invalid model: claude-9. Write provider:name, such as anthropic:claude-9,"],
  ["prompt", ["hi", "--model", "nosuch"], "invalid model: nosuch. Write provider:name, with one of"],
  ["prompt", ["hi", "--resume"], "--resume needs an ID; palaver sessions lists them, --continue resumes the last"],
  ["serve", ["palaver", "--resume"], "a daemon resumes its own sessions when it starts"],
  ["sessions", ["nosuch"], "there is no session nosuch; palaver sessions lists them"],
  ["sessions", ["one", "two"], "sessions lists all, or resumes one\n  palaver sessions --help"],
  ["prompt", ["hi", "gemni"], 'there is no agent "gemni"; did you mean "gemini"?'],
  ["prompt", ["hi", "--otput", "json"], "there is no flag --otput; did you mean --output?\n  palaver prompt --help"],
  ["prompt", ["hi", "--timeout"], "--timeout needs a value\n"],
  ["prompt", ["hi", "--timeout", "-5"], "--timeout needs a value; write one that begins with a dash as --timeout=-1"],
  ["prompt", ["hi", "--quiet=yes"], "--quiet takes no value"],
  ["prompt", ["hi", "there", "you"], 'unexpected argument "you"; put the message in quotes, and -- before a command'],
  ["prompt", ["hi", "--answers", broken], `--answers ${broken}: this is not JSON`],
  ["prompt", ["hi", "--answers", list], 'there must be a list "answers"'],
  ["prompt", ["hi", "--answers", "nowhere.json"], "--answers nowhere.json cannot be read"],
  ["prompt", ["hi", "--json-schema", broken], `--json-schema ${broken} is not JSON`],
  ["prompt", ["hi", "--answer", "yes"], "--answer goes with --resume ID"],
  ["ask", [], "ask one of select, confirm, input, editor, form, files, table, spin\n  palaver ask --help"],
  ["ask", ["slect", "Which?"], 'not "slect"; did you mean "ask select"?'],
  ["ask", ["confirm"], 'ask confirm needs a question: palaver ask confirm "…"'],
  ["ask", ["input", "Name?", "--pattern", "["], "--pattern takes a regular expression: "],
  ["ask", ["confirm", "Sure?", "--secret"], "--secret is for input"],
  ["ask", ["select", "Which?", "a", "b", "a"], 'the option "a" is given twice'],
  ["ask", ["select", "Which?", "a", "--default", "c"], '"c" is not one of the options'],
  ["serve", ["--port", "99999"], "--port takes a whole number from 0 to 65535"],
  ["state", ["--url", "nonsense"], '--url takes an address such as http://127.0.0.1:4100, not "nonsense"'],
  ["state", ["Mode"], 'state takes no "Mode"\n  palaver state --help'],
  ["stop", ["~/src/parser"], 'stop takes no "~/src/parser"\n  palaver stop --help'],
  ["action", [], "action needs a key: palaver action Mode production"],
  ["answer", [], "answer needs the id of a question: palaver asks lists them"],
  ["replay", ["nowhere.jsonl"], "there is no file nowhere.jsonl; palaver run --record FILE NAME makes one"],
  ["replay", [folder], `${folder} cannot be read: `],
  ["replay", [list], `${list} is not a Palaver recording`],
  ["config", ["get", "theem"], 'there is no setting "theem"; did you mean theme?'],
  ["config", ["sett"], 'there is no "config sett"; did you mean "config set"?'],
  ["conform", [], "conform needs an agent: palaver conform -- python3 my-agent.py"],
  ["completion", ["csh"], "completion needs one shell: bash, zsh, fish"],
])("palaver %s %j says what is wrong", async (name, args, words) => {
  const command = await commandTable.find((entry) => entry.name === name)?.load();
  const mistake = await command?.run(args).catch((error: unknown) => error);
  expect(mistake).toBeInstanceOf(UsageError);
  expect(String((mistake as Error).message)).toContain(words);
});

test("a flag that is one letter off is guessed, one that is nothing like any is not", () => {
  const message = (flag: string) => {
    try {
      return readArguments("x", [flag], { json: { type: "boolean" }, lines: { type: "string", short: "n" } }).values;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(message("--jsom")).toBe("there is no flag --jsom; did you mean --json?\n  palaver x --help");
  expect(message("--frobnicate")).toBe("there is no flag --frobnicate\n  palaver x --help");
  expect(message("-q")).toBe("there is no flag -q\n  palaver x --help");
  expect(message("-n")).toBe("--lines needs a value\n  palaver x --help");
});

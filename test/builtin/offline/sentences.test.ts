// Sentences as a user would type them who has never seen what the offline agent understands. They were written before
// its patterns were looked at; do not bend one to make it pass.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Agent, freshFolder, startAgent } from "../rig.js";

/** What is called, with the one argument that matters; or what is said. */
type Wanted = readonly [tool: string, about: string] | RegExp;

const GREETING = /^(?:Hello|Good)\b/;
const THANKS = /welcome/i;
const HELP = /^Without a model I can/;
const MODEL = /ANTHROPIC_API_KEY[\s\S]*palaver run/;

const sentences: readonly (readonly [string, Wanted])[] = [
  ["hello", GREETING],
  ["hi there!", GREETING],
  ["good morning", GREETING],
  ["thanks!", THANKS],
  ["thank you very much", THANKS],
  ["what can you do?", HELP],
  ["help me", HELP],
  ["who are you", MODEL],
  ["how do I get a model?", MODEL],
  ["git status", ["bash", "git status"]],
  ["please run git log --oneline -5", ["bash", "git log --oneline -5"]],
  ["run the tests", ["bash", "npm test"]],
  ["can you run npm run build?", ["bash", "npm run build"]],
  ["execute ls -la please", ["bash", "ls -la"]],
  ["rename parser.ts to reader.ts", ["bash", "mv -- parser.ts reader.ts"]],
  ["which files contain join?", ["grep", "join"]],
  ["list files", ["ls", "."]],
  ["what files are here?", ["ls", "."]],
  ["ls src", ["ls", "src"]],
  ["show me the src folder", ["ls", "src"]],
  ["list all typescript files", ["glob", "**/*.ts"]],
  ["find parser.ts", ["glob", "**/parser.ts"]],
  ["where is parser.ts?", ["glob", "**/parser.ts"]],
  ["are there any json files here?", ["glob", "**/*.json"]],
  ["show package.json", ["read", "package.json"]],
  ["Show me the file package.json please", ["read", "package.json"]],
  ["what does package.json contain?", ["read", "package.json"]],
  ["what's in src/parser.ts", ["read", "src/parser.ts"]],
  ["could you open README.md for me?", ["read", "README.md"]],
  ["cat src/parser.ts", ["read", "src/parser.ts"]],
  ["show .env", ["read", ".env"]],
  ["shwo package.json", ["read", "package.json"]],
  ["find TODO", ["grep", "TODO"]],
  ['search for "join" in src', ["grep", "join"]],
  ["where is parseList used?", ["grep", "parseList"]],
  ["grep parseList src/parser.ts", ["grep", "parseList"]],
  ['replace "," with "; " in src/parser.ts', ["edit", "src/parser.ts"]],
  ["change parseList to readList in src/parser.ts", ["edit", "src/parser.ts"]],
  ["rename readList to parseList in src/parser.ts please", ["edit", "src/parser.ts"]],
  ["create notes.txt with hello world", ["write", "notes.txt"]],
  ["make a new file called todo.md containing buy milk", ["write", "todo.md"]],
  ["hey there, what can you do for me?", HELP],
  ["can you show me what's in src/parser.ts", ["read", "src/parser.ts"]],
  ["which files changed since the last commit?", ["bash", "git status --short"]],
  ["git status please", ["bash", "git status"]],
  ["how many lines does parser.ts have", ["bash", "wc -l src/parser.ts"]],
  ["whats in .env", ["read", ".env"]],
  ["search for TODO in the whole project", ["grep", "TODO"]],
  ["where is the function parseList defined?", ["grep", "parseList"]],
  ["shwo me package.json", ["read", "package.json"]],
  ["what folder am I in?", ["bash", "pwd"]],
  ["thank you, that was great", THANKS],
  ["pls run the tests", ["bash", "npm test"]],
  ["make a file notes.txt that says hello world", ["write", "notes.txt"]],
  ["show me the diff", ["bash", "git diff"]],
  ["append a line done to notes.txt", ["bash", "printf '%s\\n' done >> notes.txt"]],
  ["what time is it", ["bash", "date"]],
  ["explain what parser.ts does", MODEL],
  ["add a comment to parser.ts", MODEL],
  ["fix the failing test in parser.ts", MODEL],
  ["explain what this project does", MODEL],
  ["why is the sky blue?", MODEL],
];

function project(): string {
  const folder = freshFolder();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), '{ "scripts": { "test": "node --test" } }\n');
  writeFileSync(join(folder, "README.md"), "# A parser\n");
  writeFileSync(join(folder, ".env"), "KEY=1\n");
  writeFileSync(join(folder, "src/parser.ts"), 'export const parseList = (a) => a.join(",");\n\nTODO\n');
  return folder;
}

/** Every approval is a yes, but no command runs. */
async function played(agent: Agent, sentence: string) {
  const from = agent.events().length;
  const saidBefore = agent.said().length;
  agent.send({ type: "prompt", text: sentence });
  const calls: [tool: string, about: string][] = [];
  const asked: string[] = [];
  for (;;) {
    const frame = await agent.nextFrame(
      (each) => each.type === "ui_request" || (each.type === "event" && each.event.type === "agent_end"),
    );
    if (frame.type !== "ui_request") break;
    const { title, opts } = frame.params;
    asked.push(title);
    agent.answer(frame, { ok: opts?.tool !== "bash" });
    if (opts?.tool === "bash") calls.push(["bash", title.replace(/^bash /, "")]);
  }
  for (const event of agent.events().slice(from)) {
    if (event.type === "tool_execution_start") calls.push([event.tool, aboutOf(event.arguments)]);
  }
  return { said: agent.said().slice(saidBefore).join(""), calls, asked };
}

function aboutOf(input: unknown): string {
  const { pattern, command, path } = input as Record<string, string | undefined>;
  return pattern ?? command ?? path ?? "";
}

test("sentences of a user who has not read the manual are understood, and none gets a list of sixteen lines", async () => {
  const wrong: unknown[] = [];
  const folder = project();
  let agent = await startAgent({ folder });
  for (const [sentence, wanted] of sentences) {
    // The way to a model is told in full once in a conversation.
    if (wanted === MODEL) agent = await startAgent({ folder });
    const done = await played(agent, sentence);
    const isRight =
      wanted instanceof RegExp
        ? wanted.test(done.said) && done.calls.length === 0
        : done.calls.some(([tool, about]) => tool === wanted[0] && about === wanted[1]);
    if (sentence.endsWith(".env")) expect(done.asked).toEqual(["read .env"]);
    if (!isRight) wrong.push([sentence, wanted, done]);
    expect([sentence, done.said + done.calls.join()], "an answer").not.toEqual([sentence, ""]);
    if (wanted === MODEL) expect(done.said.trim().split("\n").filter(Boolean).length).toBeLessThanOrEqual(4);
  }
  expect(wrong).toEqual([]);
});

test("a text too long to be a sentence is answered at once", async () => {
  const agent = await startAgent({ folder: project() });
  const { said } = await played(agent, `replace ${"a with b in c ".repeat(20_000)}`);
  expect(said).toMatch(MODEL);
});

test("the second answer that needs a model is one line", async () => {
  const agent = await startAgent({ folder: project() });
  expect((await played(agent, "why is the sky blue?")).said).toMatch(MODEL);
  const { said } = await played(agent, "explain what this project does");
  expect(said.trim()).toBe(
    "I can't do that offline: it needs a model. `help` lists what I can do, `/model` chooses a model.",
  );
});

// The commands of docs/guides/script-and-ci.md that name an agent, run as they are printed, without a terminal: in pipes, with
// decisions made in advance, and with the question left to the daemon. And the end of a run by SIGTERM, as CI cancels it.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type CaseDesk, FILE, RAN, START_MS } from "./case-steps.js";
import type { RealCase } from "./cases.js";
import type { Scripts } from "./stand-in-model.js";

const STARTED = "started.txt";

export function guideScriptsIn(folder: string): Scripts {
  const command = `touch ${join(folder, STARTED)} && sleep 600`;
  return { slow: [{ text: "This takes long.\n", deed: { do: "shell", command } }, { text: "Done.\n" }] };
}

export const guideCases: readonly RealCase[] = [
  { name: "guide pipes", run: pipes },
  { name: "guide flags", run: flags },
  { name: "guide wait", run: wait },
  { name: "prompt SIGTERM", run: ended },
];

/** The guide's line with these words, for this agent; the stand-in model goes by the name of a script. */
function guideLine({ guide, agent }: CaseDesk, words: string, script: string): string {
  const line = guide.split("\n").find((each) => each.includes(`palaver prompt "${words}"`));
  if (line === undefined) throw new Error(`the guide has no line with "${words}"`);
  return line.replace(/\b(?:claude|gemini)\b/, agent).replace(words, `[[${script}]] ${words}`);
}

async function pipes(desk: CaseDesk): Promise<void> {
  await runs(desk, `git init -q . && ${guideLine(desk, "a commit message for this", "again")} && cat message.txt`, 0);
  const answered = await runs(desk, guideLine(desk, "list the failing tests", "again"), 0);
  if (answered.stdout.trim() !== "This is the second answer.") throw new Error(`printed: ${answered.stdout}`);
}

async function flags(desk: CaseDesk): Promise<void> {
  const fresh = () => [FILE, RAN].map((name) => rmSync(join(desk.folder, name), { force: true }));
  const prompt = (script: string, more: string) => `palaver prompt "[[${script}]] go" ${desk.agent} ${more}`;
  fresh();
  await runs(desk, prompt("work", "--allowed-tools run,edit"), 0);
  if (!existsSync(join(desk.folder, RAN))) throw new Error("--allowed-tools run,edit did not allow both");
  fresh();
  const denied = await runs(desk, prompt("deny", "--on-ask deny"), 0);
  if (!denied.stderr.includes('"outcome":"declined"')) throw new Error(`--on-ask deny: ${denied.stderr}`);
  const failed = await runs(desk, prompt("deny", "--on-ask fail"), 3);
  if (!/"allow":"--allowed-tools (?:edit|run)"/.test(failed.stderr)) throw new Error(`--on-ask fail: ${failed.stderr}`);
  if (existsSync(join(desk.folder, FILE))) throw new Error("the file was written without a yes");
}

async function wait(desk: CaseDesk): Promise<void> {
  rmSync(join(desk.folder, RAN), { force: true });
  const answering = [
    "palaver serve > served.txt &",
    "until palaver state > /dev/null 2>&1; do sleep 0.2; done",
    guideLine(desk, "release it", "work"),
    "run=$!",
    'while kill -0 "$run" 2> /dev/null; do',
    "  for id in $(palaver asks | grep -o '^p[0-9a-f]*'); do palaver answer \"$id\" --yes > /dev/null 2>&1; done",
    "  sleep 0.5",
    "done",
    'wait "$run"; code=$?; palaver stop; exit $code',
  ];
  await runs(desk, answering.join("\n"), 0);
  if (!existsSync(join(desk.folder, RAN))) throw new Error("what was allowed elsewhere was not done");
}

async function ended(desk: CaseDesk): Promise<void> {
  rmSync(join(desk.folder, STARTED), { force: true });
  const session = desk.prompt("[[slow]] run a command", desk.agent, "--allowed-tools", "run", "--no-input");
  await session.until("command", () => existsSync(join(desk.folder, STARTED)), START_MS);
  process.kill(session.pty.pid, "SIGTERM");
  const code = await session.ended;
  if (code !== 143) throw new Error(`palaver prompt ended with ${code}`);
}

async function runs(desk: CaseDesk, script: string, code: number) {
  const result = await desk.shell(script);
  if (result.code !== code) throw new Error(`exit code ${result.code} of: ${script}\n${result.stderr.slice(-400)}`);
  return result;
}

// One prompt to a real agent, streamed, with a dialog over the stream: once the agent asks through Palaver's own server of tools,
// and once over its own wire, for a permission. Both times the answer has to come back to it.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type CaseDesk, nextMinute, pause, QUIET_MS } from "./case-steps.js";
import type { RealCase } from "./cases.js";
import type { Scripts } from "./stand-in-model.js";
import type { UiSession } from "./ui-session.js";

/** From the start of the agent to its first question. */
const FIRST_MS = 90_000;
const STEP_MS = 60_000;

const FILE = "prompted.txt";
const QUESTION = "Enter feature name";
const ANSWER = "checkout 日本 👩‍💻";

export function promptScriptsIn(folder: string): Scripts {
  const write = { do: "write", path: join(folder, FILE), content: "by prompt\n" } as const;
  return {
    status: [
      { text: "One thing first.\n", deed: { do: "report", prompt: QUESTION } },
      { text: "The name is known.\n" },
    ],
    prompted: [{ text: "I write it.\n", deed: write }, { text: "It is written.\n" }],
    // The first attempt ends at the question that nobody answers; whoever goes on tries again.
    resumed: [
      { text: "I write it.\n", deed: write },
      { text: "Once more.\n", deed: write },
      { text: "It is written.\n" },
    ],
  };
}

export const promptCases: readonly RealCase[] = [
  { name: "prompt server", needs: "servers", run: throughServer },
  { name: "prompt permission", run: throughItsWire },
  { name: "prompt resume", run: goingOn },
];

async function throughServer({ prompt, model, agent }: CaseDesk): Promise<void> {
  const session = prompt("[[status]] ask me for the name", agent);
  // An agent may want a permission before it calls a tool, whoever brought it.
  await dialogs(session, async (window) =>
    window.includes(QUESTION) && !/ y {2}allow/.test(window) ? `${ANSWER}\r` : "y",
  );
  await endsWell(session, "The name is known.");
  const told = model.requests.some(({ lastTurn }) => lastTurn.includes(ANSWER));
  if (!told) throw new Error("the answer did not reach the model");
}

async function throughItsWire({ prompt, folder, agent }: CaseDesk): Promise<void> {
  rmSync(join(folder, FILE), { force: true });
  const session = prompt("[[prompted]] write a file", agent);
  let asked = 0;
  await dialogs(session, async () => {
    asked += 1;
    return "y";
  });
  await endsWell(session, "It is written.");
  if (asked === 0) throw new Error("nothing was asked");
  mustBeWritten(folder);
}

// Nobody is there: the run ends at the question, and a later one brings the answer.
async function goingOn({ prompt, folder, agent, comeBack }: CaseDesk): Promise<void> {
  rmSync(join(folder, FILE), { force: true });
  const stopped = prompt("[[resumed]] write a file", agent, "--no-input", "-o", "json");
  if ((await stopped.ended) !== 3) throw new Error("it did not stop at the question");
  if (existsSync(join(folder, FILE))) throw new Error("the file was written without a yes");
  const [, session = ""] = /--resume (\S+) --answer/.exec((await stopped.text()).replaceAll("\n", "")) ?? [];
  if (session === "") throw new Error("it does not say how to go on");
  if (comeBack === "in the next minute") await nextMinute();
  // An agent that forgot its first attempt asks once more than the others; that it may not do.
  const on = prompt("--resume", session, "--answer", "yes", "--no-input", "--on-ask", "deny");
  await endsWell(on, "It is written.");
  mustBeWritten(folder);
}

function mustBeWritten(folder: string): void {
  const path = join(folder, FILE);
  const content = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (content !== "by prompt\n") throw new Error(`the file holds ${JSON.stringify(content)}`);
}

/** Answers dialog after dialog, each with the keys for what its window shows, until the run is over. */
async function dialogs(session: UiSession, keysFor: (window: string) => Promise<string>): Promise<void> {
  let isOver = false;
  void session.ended.then(() => {
    isOver = true;
  });
  // The next one may stand there before anybody has seen the first one go; its question is in the frame, or right under it.
  const asked = async () => {
    const [, inFrame = "", under = ""] =
      /┌(.*)\n(.*)\n[\s\S]*└ .*\besc (?:no|cancel)\b/.exec(await session.window()) ?? [];
    return inFrame === "" ? null : `${inFrame.trim()} ${under.includes("›") ? "" : under.trim()}`;
  };
  for (let limitMs = FIRST_MS; ; limitMs = STEP_MS) {
    await session.until("dialog or end", async () => isOver || (await asked()) !== null, limitMs);
    if (isOver) return;
    const title = await asked();
    await pause(QUIET_MS);
    session.type(await keysFor(await session.window()));
    await pause(QUIET_MS);
    // In these dialogs the letter of a plain question moves to its answer, as in a shell.
    if (!isOver && (await asked()) === title) session.type("\r");
    await session.until("end of the dialog", async () => isOver || (await asked()) !== title, STEP_MS);
  }
}

async function endsWell(session: UiSession, words: string): Promise<void> {
  const code = await session.ended;
  const text = await session.text();
  if (code !== 0) throw new Error(`palaver prompt ended with ${code}`);
  if (!text.includes(words)) throw new Error(`"${words}" was not printed`);
}

// What a person does with an agent on an ordinary day, and on a bad one: allow, deny, stop, see an error, go on, come back.
// Each case is a few keys and what must be true after them; whatever is not so is thrown, in words.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  answerAll,
  type CaseDesk,
  ends,
  FILE,
  isIdle,
  leave,
  mustBe,
  nextMinute,
  opened,
  prompt,
  RAN,
  START_MS,
  STEP_MS,
} from "./case-steps.js";
import { day } from "./day.js";
import type { Scripts } from "./stand-in-model.js";
import type { UiSession } from "./ui-session.js";

export type RealCase = {
  readonly name: string;
  /** What an agent has to be able to do. */
  readonly needs?: "servers" | "a greeting";
  /** Screens to look at afterwards; only those of a failure by default. */
  readonly keeps?: "screens";
  /** Words for the table, if there are any. */
  run(desk: CaseDesk): Promise<unknown>;
};

export function scriptsIn(folder: string): Scripts {
  const write = { do: "write", path: join(folder, FILE), content: "written by an agent\n" } as const;
  return {
    work: [
      { think: "A file is wanted.", text: "I will write the file first.\n", deed: write },
      { text: "Now a command.\n", deed: { do: "shell", command: `cat ${FILE} && echo ran > ${RAN}` } },
      { text: "All of **it** is done.\n" },
    ],
    deny: [
      { text: "I would write now.\n", deed: { ...write, content: "never written\n" } },
      { text: "Then I leave it.\n" },
    ],
    hang: [{ text: "This sentence has no end and", ending: "hang" }],
    refused: [{ status: 401, message: "the key is not known here" }],
    ask: [
      { text: "I have to ask.\n", deed: { do: "ask", title: "Shall I go on?" } },
      { text: "The user has spoken.\n" },
    ],
    again: [{ text: "This is the second answer.\n" }],
    back: [{ text: "I remember everything.\n" }],
  };
}

export const realCases: readonly RealCase[] = [
  { name: "allow", run: allow },
  { name: "deny", run: deny },
  { name: "stop at ask", run: stopAtAsk },
  { name: "stop stream", run: stopStream },
  { name: "model 401", run: modelError },
  { name: "second prompt", run: secondPrompt },
  { name: "resume", run: resume },
  { name: "day", keeps: "screens", run: day },
  { name: "ask tool", needs: "servers", run: askTool },
  { name: "found out", needs: "a greeting", run: foundOut },
];

async function allow(desk: CaseDesk): Promise<void> {
  const session = await opened(desk);
  await prompt(session, "[[work]] write a file and run a command");
  await answerAll(session, "y");
  await ends(session, 1);
  await session.shows("All of it is done.", STEP_MS);
  mustBe("the file holds", contentOf(desk, FILE), "written by an agent\n");
  mustBe("the command wrote", contentOf(desk, RAN), "ran\n");
  if (session.count("ask.raised") === 0) throw new Error("nothing was asked");
  // One question for the file and one for the command: what was allowed is not asked about again.
  if (session.count("ask.raised") > 2) throw new Error(`${session.count("ask.raised")} questions for two effects`);
  await leave(session);
}

async function deny(desk: CaseDesk): Promise<void> {
  const session = await opened(desk);
  await prompt(session, "[[deny]] write a file");
  // The cursor of every approval waits on a "no", and Enter counts once it was moved: away and back again.
  await answerAll(session, "\x1b");
  await ends(session, 1);
  mustBe("the file that was denied", contentOf(desk, FILE), null);
  await leave(session);
}

async function stopAtAsk(desk: CaseDesk): Promise<void> {
  // With a long guard the dialog waits, and Esc is still the composer's: it stops the turn under an open question.
  const session = await opened(desk, "--typing-guard-ms", "10000");
  await prompt(session, "[[work]] write a file and run a command");
  await session.until("question", () => session.count("ask.raised") > 0, STEP_MS);
  session.type("\x1b");
  await ends(session, 1);
  mustBe("the file that nobody allowed", contentOf(desk, FILE), null);
  await noDialog(session);
  await answers(session);
  await leave(session);
}

async function stopStream(desk: CaseDesk): Promise<void> {
  const session = await opened(desk);
  await prompt(session, "[[hang]] say something long");
  await session.shows("This sentence has no end", STEP_MS);
  session.type("\x1b");
  await ends(session, 1);
  await answers(session);
  await leave(session);
}

async function modelError(desk: CaseDesk): Promise<void> {
  const session = await opened(desk);
  await prompt(session, "[[refused]] say something");
  await session.shows(/key is not known here|401|auth/i, STEP_MS);
  if (session.count("prompt.finished") === 0) {
    // An agent may try again for a long time; the user need not wait for it.
    session.type("\x1b");
  }
  await ends(session, 1);
  await answers(session);
  await leave(session);
}

async function secondPrompt(desk: CaseDesk): Promise<void> {
  const session = await opened(desk);
  await prompt(session, "[[back]] say one thing");
  await ends(session, 1);
  await session.shows("I remember everything.", STEP_MS);
  await answers(session);
  const seen = desk.model.requests.at(-1)?.scripts.join(" ") ?? "";
  if (!seen.includes("back again")) throw new Error(`the second prompt did not carry the first: ${seen}`);
  await leave(session);
}

// The tool is one of Palaver's own server; an agent may want a permission before it calls it.
async function askTool(desk: CaseDesk): Promise<void> {
  const session = await opened(desk);
  await prompt(session, "[[ask]] ask me something");
  await answerAll(session, "y");
  await ends(session, 1);
  await session.shows("The user has spoken.", STEP_MS);
  const origins = session.events().flatMap((event) => (event.type === "ask.raised" ? [event.ask.origin.kind] : []));
  if (!origins.includes("mcp")) throw new Error("the question did not come through the server");
  await session.shows(/Shall I go on\? {2}yes/, STEP_MS);
  await leave(session);
}

async function foundOut(desk: CaseDesk): Promise<void> {
  const session = desk.openUnknown();
  await session.until("readiness", () => session.count("agent.readied") > 0, START_MS);
  await answers(session);
  await leave(session);
}

async function resume(desk: CaseDesk): Promise<void> {
  const first = await opened(desk);
  await prompt(first, "[[again]] say one thing");
  await ends(first, 1);
  const id = first.events().findLast(({ sessionId }) => sessionId !== null)?.sessionId ?? null;
  await leave(first);
  if (id === null) throw new Error("the session has no name");
  if (desk.comeBack === "in the next minute") await nextMinute();
  const session = desk.open("--resume", id);
  await session.until("readiness", () => session.count("agent.readied") > 0, START_MS);
  await prompt(session, "[[back]] what did I say?");
  await session.shows("I remember everything.", STEP_MS);
  await session.until("end of the turn", () => isIdle(session), STEP_MS);
  const seen =
    desk.model.requests
      .filter(({ tools }) => tools.length > 0)
      .at(-1)
      ?.scripts.join(" ") ?? "";
  if (!seen.includes("again back")) throw new Error(`the model was told only: ${seen}`);
  await leave(session);
}

/** The agent is still there and takes the next prompt. */
async function answers(session: UiSession): Promise<void> {
  const before = session.count("prompt.finished");
  await prompt(session, "[[again]] and now?");
  await session.shows("This is the second answer.", STEP_MS);
  await ends(session, before + 1);
}

async function noDialog(session: UiSession): Promise<void> {
  await session.until("end of the dialog", async () => !/esc (?:no|cancel)/.test(await session.window()), STEP_MS);
}

function contentOf({ folder }: CaseDesk, name: string): string | null {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

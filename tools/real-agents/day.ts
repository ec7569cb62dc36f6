// A day's work in one terminal: allow, deny with a reason, queue, stop, copy, switch, quit, continue. What Palaver itself leaves in
// the scrollback is counted: a user who reads it again wants the conversation, not the UI.
import { answerAll, type CaseDesk, idle, leave, nextMinute, opened, prompt, START_MS, STEP_MS } from "./case-steps.js";
import type { UiSession } from "./ui-session.js";

/** For the call, its approval and its end. */
const ROWS_PER_CALL_MAX = 3;

export async function day(desk: CaseDesk): Promise<string> {
  const session = await opened(desk);
  await prompt(session, "[[work]] write a file and run a command");
  await answerAll(session, "y");
  await idle(session);
  await deny(desk, session);
  await stopWithAQueue(session);
  session.type("/copy\r");
  await session.shows("copied", STEP_MS);
  const counted = await countRows(session);
  // A switch shows the end of the other session again, so it comes after the count.
  if (desk.sessions === "several") await switchSessions(session);
  await leave(session);
  await continueTomorrow(desk, session);
  return counted;
}

async function countRows(session: UiSession): Promise<string> {
  const rows = ownRows(await session.text());
  const calls = new Set(session.events().flatMap((event) => (event.type === "tool.started" ? [event.toolCallId] : [])));
  const words = `${rows.length} rows for ${calls.size} calls`;
  if (rows.length > ROWS_PER_CALL_MAX * calls.size) throw new Error(`${words}: ${rows.join(" | ")}`);
  return words;
}

async function deny({ denial }: CaseDesk, session: UiSession): Promise<void> {
  await prompt(session, "[[deny]] write a file");
  if (denial === "with a reason") {
    await answerAll(session, "r", "not in this folder", "\r");
    await session.shows("not in this folder", STEP_MS);
  } else await answerAll(session, "n");
  await idle(session);
}

// A stop sends nothing: what was queued is in the composer again, and Enter sends it.
async function stopWithAQueue(session: UiSession): Promise<void> {
  await prompt(session, "[[hang]] say something long");
  await session.shows("This sentence has no end", STEP_MS);
  session.type("[[again]] and then?\r");
  await session.shows(/queued/, STEP_MS);
  session.type("\x1b");
  await session.shows("ℹ stopped", STEP_MS);
  await idle(session);
  await session.shows(/\n› \[\[again\]\] and then\?\n {2}\S/, STEP_MS);
  session.type("\r");
  await session.shows("This is the second answer.", STEP_MS);
  await idle(session);
}

const ALT_UP = "\x1b[1;3A";

async function switchSessions(session: UiSession): Promise<void> {
  session.type("\x1bn");
  await session.shows("session 2", STEP_MS);
  await prompt(session, "[[back]] say one thing");
  await session.shows("I remember everything.", STEP_MS);
  await idle(session);
  session.type(ALT_UP);
  await session.shows(/session 1[\s\S]*This is the second answer\./, STEP_MS);
}

async function continueTomorrow(desk: CaseDesk, session: UiSession): Promise<void> {
  if (!/palaver (?:run \S+ )?--resume \S+/.test(await session.text())) throw new Error("nothing says how to resume");
  if (desk.comeBack === "in the next minute") await nextMinute();
  const next = desk.open("--continue");
  await next.until("readiness", () => next.count("agent.readied") > 0, START_MS);
  await next.shows(/This is the second answer\.|I remember everything\./, STEP_MS);
  await leave(next);
}

/** Rows that Palaver writes about calls, approvals and notices; not the prompts, the prose, the diffs and the outputs. */
export function ownRows(text: string): string[] {
  return text.split("\n").filter((row) => /^[●✕◌▲ℹ?] /.test(row));
}

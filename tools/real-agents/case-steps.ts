// The steps of the cases: open Palaver on the agent, send a prompt, answer what is asked, wait for the end of the turn, quit. A
// step that does not come to its end throws, in words.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AgentKind } from "./agent-kinds.js";
import type { StandInModel } from "./stand-in-model.js";
import type { UiSession } from "./ui-session.js";

export type CaseDesk = {
  readonly folder: string;
  readonly model: StandInModel;
  readonly comeBack: AgentKind["comeBack"];
  readonly sessions: AgentKind["sessions"];
  readonly denial: AgentKind["denial"];
  /** Opens Palaver on the agent, with more arguments. */
  open(...args: string[]): UiSession;
  /** The same by its command alone, of which Palaver knows nothing. */
  openUnknown(): UiSession;
  /** One prompt, streamed: `palaver prompt` with these arguments. */
  prompt(...args: string[]): UiSession;
  /** A shell without a terminal, in which `palaver` is the command. */
  shell(script: string): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** The name of the agent. */
  readonly agent: string;
  /** docs/guides/script-and-ci.md. */
  readonly guide: string;
};

/** Agents take seconds to start, and longer on a busy machine. */
export const START_MS = 90_000;
export const STEP_MS = 60_000;
const QUIT_MS = 15_000;

export const FILE = "made-by-agent.txt";
export const RAN = "ran.txt";

export async function opened(desk: CaseDesk, ...args: string[]): Promise<UiSession> {
  for (const name of [FILE, RAN]) rmSync(join(desk.folder, name), { force: true });
  const session = desk.open(...args);
  await session.until("readiness", () => session.count("agent.readied") > 0, START_MS);
  return session;
}

export async function prompt(session: UiSession, text: string): Promise<void> {
  const started = session.count("prompt.started");
  session.type(`${text}\r`);
  await session.until("start of the turn", () => session.count("prompt.started") > started, STEP_MS);
}

/** A question that has just appeared takes no key; a key that came too early stands in the composer. */
export const QUIET_MS = 2_500;

/** Answers every question of the turn with the same keys, each after a quiet moment. */
export async function answerAll(session: UiSession, ...keys: readonly string[]): Promise<void> {
  const turns = session.count("prompt.started");
  let quietSinceMs = performance.now();
  let seen = "";
  const isOver = async () => {
    if (session.count("prompt.finished") >= turns) return true;
    const asking = /^▌.*\besc (?:no|cancel)\b/m.test(await session.window()) ? `${session.count("ask.raised")}` : "";
    if (asking !== seen) quietSinceMs = performance.now();
    seen = asking;
    if (asking === "" || performance.now() - quietSinceMs < QUIET_MS) return false;
    const isTyped = /\n› .+\n {2}.+$/.test((await session.window()).trimEnd());
    for (const key of isTyped ? ["\x15"] : keys) {
      session.type(key);
      await pause(QUIET_MS);
    }
    quietSinceMs = performance.now();
    return false;
  };
  await session.until("end of the turn", isOver, STEP_MS);
}

export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

export async function idle(session: UiSession): Promise<void> {
  await session.until("end of the turn", () => isIdle(session), STEP_MS);
  await session.until("quiet composer", async () => !/esc stop/.test(await session.window()), STEP_MS);
}

export async function ends(session: UiSession, turns: number): Promise<void> {
  await session.until("end of the turn", () => session.count("prompt.finished") >= turns, STEP_MS);
  await session.until("quiet composer", async () => !/esc stop/.test(await session.window()), STEP_MS);
}

export function isIdle(session: UiSession): boolean {
  return session.count("prompt.finished") >= session.count("prompt.started");
}

export async function leave(session: UiSession): Promise<void> {
  mustBe("the exit code of Palaver", await session.quit(QUIT_MS), 0);
}

export function nextMinute(): Promise<void> {
  return pause(61_000 - (Date.now() % 60_000));
}

export function mustBe(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

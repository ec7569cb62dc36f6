// Every command that can be typed after a slash, in a real terminal on the built-in agent, which answers all of them. One
// talk after the other in one program: what one command leaves behind the next one must live with.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

async function builtIn(...args: string[]): Promise<{ session: PtySession; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "palaver-commands-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const session = new PtySession(process.execPath, [palaver, ...args], { columns: 90, rows: 30, cwd: folder });
  await session.shows("no model");
  return { session, folder };
}

async function obeys(session: PtySession, command: string, words: string | RegExp): Promise<void> {
  session.type(`${command}\r`);
  await session.shows(words);
}

function exported(folder: string, name: string): string {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
}

const onScreen = (session: PtySession) => expect.poll(() => session.window(), { timeout: 20_000, interval: 30 });

test("abort, queue, notifications, save, debug, reset, export, thinking, restart", async () => {
  const { session, folder } = await builtIn();
  await obeys(session, "run sleep 600", "❯ n  no");
  await session.answers("y");
  await onScreen(session).toMatch(/bash sleep 600 {2}\d/);
  session.type("what was that?\r");
  await onScreen(session).toContain("1 queued");
  await obeys(session, "/queue", "Edit which queued message?");
  session.type("\x1b");
  await onScreen(session).not.toContain("Edit which");
  await obeys(session, "/queue clear", "the queue is empty");
  await obeys(session, "/abort", "✕ bash sleep 600  stopped");
  await onScreen(session).toContain("› message");
  await obeys(session, "/save", "saved as");
  await obeys(session, "/debug", "memory bytes");
  await obeys(session, "/notifications", "no notifications yet");
  session.type("/export json talk.json\r/export html talk.html\r");
  await expect.poll(() => exported(folder, "talk.html")).toMatch(/^<!doctype html>[\s\S]*sleep 600/i);
  expect(JSON.stringify(JSON.parse(exported(folder, "talk.json")))).toContain("sleep 600");
  await obeys(session, "/thinking hidden", "thinking is hidden");
  await obeys(session, "/thinking shown", "thinking is shown");
  await obeys(session, "/reset", "conversation cleared");
  session.type("/restart\r");
  await obeys(session, "hello", "Hello!");
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
});

test("new, switch, sessions, model, close, resume, screen", async () => {
  const { session } = await builtIn();
  await obeys(session, "hello", "Hello!");
  await obeys(session, "/new", "session 2");
  await onScreen(session).toMatch(/1 hello {2}2 /);
  await obeys(session, "who are you?", /who are you\?[\s\S]*built-in agent/);
  await obeys(session, "/switch 1", "session 1: hello");
  await obeys(session, "/sessions", "The open sessions");
  session.type("\x1b");
  await onScreen(session).not.toContain("The open sessions");
  await obeys(session, "/model", "Which model?");
  session.type("\x1b");
  await onScreen(session).not.toContain("Which model?");
  session.type("/close 2\r");
  await onScreen(session).not.toContain("2 who are you?");
  await obeys(session, "/resume", "Resume which session?");
  session.type("\x1b");
  await onScreen(session).not.toContain("Resume which");
  session.type("/screen full\r");
  await expect.poll(() => session.window().then(() => session.emulator.screen())).toBe("alternate");
  session.type("/screen inline\r");
  await expect.poll(() => session.window().then(() => session.emulator.screen())).toBe("normal");
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
  const text = await session.text();
  // Once when it was said, and once when its session was shown again.
  expect(text.match(/^Hello!/gm)).toHaveLength(2);
});

test("words in quotes behind the agent are its first message", async () => {
  const { session } = await builtIn("run", "palaver", "how are you");
  await session.shows("› how are you");
  await session.shows("Hello!");
});

// Signals that the showcase agent does not send, and the habits of agents that nobody taught manners, in a real terminal.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const agent = fileURLToPath(new URL("signal-agent.mjs", import.meta.url));

async function opened(env: Readonly<Record<string, string>> = {}): Promise<PtySession> {
  const args = [palaver, "run", "--", process.execPath, agent];
  const session = new PtySession(process.execPath, args, { columns: 80, rows: 24, env });
  await session.shows("test:signals");
  return session;
}

const onScreen = (session: PtySession) => expect.poll(() => session.window(), { timeout: 20_000, interval: 30 });

test("title, widgets above and below and gone again, the text of the composer", async () => {
  const session = await opened();
  session.type("title below\r");
  await onScreen(session).toMatch(/› .*\n┊ a widget below\n/);
  session.type("above\r");
  await onScreen(session).toMatch(/┊ a widget above\n\n› /);
  session.type("none text\r");
  await onScreen(session).toContain("› written by the agent");
  expect(await session.window()).not.toContain("a widget");
  expect(session.emulator.titles.at(-1)).toContain("title");
  expect(session.emulator.clipboardWrites).toEqual([]);
  session.type("\x03\x03");
  expect(await session.ended).toBe(0);
});

test("a question alerts a user who looks elsewhere, says so in the title, and closes by itself when it is withdrawn", async () => {
  const session = await opened({ PALAVER_NOTIFICATIONS: "osc9" });
  let written = "";
  session.pty.onData((data) => {
    written += data;
  });
  session.type("\x1b[O");
  session.type("ask\r");
  await session.shows("❯ n  no");
  await expect.poll(() => session.emulator.titles.at(-1)).toContain("an answer is needed");
  expect(written).toMatch(/\x1b\]9;[^\x07]*asks: Really\?\x07/);
  session.type("\x1b");
  await session.shows("? Really?  no");
  session.type("reconsider\r");
  await onScreen(session).toContain("❯ n  no");
  await session.shows("? Really?  withdrawn");
  await onScreen(session).not.toContain("❯ n  no");
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
});

test("output that is no JSON, unknown events, events without data and results of tools never begun are survived and shown", async () => {
  const session = await opened();
  session.type("chatter strange bare orphan\r");
  await session.shows("this is no JSON");
  await session.shows("an orphan's output");
  session.type("text\r");
  await onScreen(session).toContain("› written by the agent");
  session.type("\x03\x03");
  expect(await session.ended).toBe(0);
});

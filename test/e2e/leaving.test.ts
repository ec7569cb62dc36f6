// Leaving in the middle of an answer, in a real pty: what the user has seen of it is in the scrollback afterwards.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { home, PtySession } from "./pty-session.js";
import { palaver } from "./run-program.js";

const HALFWAY = `
  const say = (frame) => console.log(JSON.stringify(frame));
  const tell = (type, ...data) => say({ type: "event", session_id: "main", event_seq: 0, event: { type, data } });
  say({ type: "ready", protocol_version: "1", active_session_id: "main" });
  tell("agent_start");
  tell("message_update", { role: "assistant", content: [{ type: "text", text: "Let me see.\\n\\nIt is half" }] });
  process.stdin.resume();
`;

async function answering(...options: string[]): Promise<PtySession> {
  const agent = join(home, "halfway.mjs");
  writeFileSync(agent, HALFWAY);
  const session = new PtySession(process.execPath, [palaver, "run", ...options, "--", process.execPath, agent]);
  await session.shows("Let me see.");
  return session;
}

describe("in the middle of an answer", () => {
  test("quitting keeps the partial answer", async () => {
    const session = await answering();
    await session.shows("It is half");
    session.type("/quit\r");
    expect(await session.ended).toBe(0);
    expect((await session.text()).trimEnd()).toBe("Let me see.\n\nIt is half");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s leaves it there, too", async (signal) => {
    const session = await answering();
    await session.shows("It is half");
    process.kill(session.pty.pid, signal);
    await session.ended;
    expect((await session.text()).trimEnd()).toBe("Let me see.\n\nIt is half");
  });

  test("the screen reader has spoken it", async () => {
    const session = await answering("--screen", "reader");
    process.kill(session.pty.pid, "SIGTERM");
    await session.ended;
    expect(await session.text()).toContain("It is half");
  });
});

describe("where too few files may be open", () => {
  test.each([24, 28, 32])(
    "%i: it ends by itself with words, and leaves no answer of the terminal behind",
    async (files) => {
      const agent = join(home, "halfway.mjs");
      writeFileSync(agent, HALFWAY);
      const run = `ulimit -n ${files}; exec "$@"`;
      const session = new PtySession("sh", [
        "-c",
        run,
        "sh",
        process.execPath,
        palaver,
        "run",
        "--",
        process.execPath,
        agent,
      ]);
      expect(await session.ended).toBe(1);
      expect((await session.text()).trimEnd()).toMatch(/^palaver: too many open files.*\(EMFILE\s*\)$/);
    },
  );
});

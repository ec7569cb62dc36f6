// `palaver mcp` in a real terminal: a client that prints nothing asks, a dialog opens over whatever stands there, and afterwards
// the terminal is as it was.
import { describe, expect, test } from "vitest";
import { eras } from "../../server/mcp/mcp-stage.js";
import { childOf, isRunning } from "../processes.js";
import { home, PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

const program = "test/e2e/mcp/mcp-client.mjs";
const server = [process.execPath, palaver, "mcp", "--project", home];

const open = (era: string, tool: string, ...args: object[]) =>
  new PtySession(process.execPath, [
    program,
    era,
    "stdio",
    tool,
    ...args.map((arg) => JSON.stringify(arg)),
    "--",
    ...server,
  ]);

/** Waits until the dialog stands there and takes keys: it says so by naming them. */
async function opens(session: PtySession, words: string): Promise<void> {
  const seen = () => session.emulator.viewport().join("\n");
  await expect.poll(seen, { timeout: 25_000, interval: 20 }).toContain(words);
  await expect.poll(seen, { timeout: 25_000, interval: 20 }).toMatch(/· esc/);
}

describe.each(eras)("palaver mcp in the era of %s", (era) => {
  test("a silent client's questions open one after the other, and its output stays clean", async () => {
    const session = open(
      era,
      "report_status",
      { status: "needs_input", prompt: "Which branch?" },
      { status: "needs_input", prompt: "And the tag?" },
    );
    await opens(session, "Which branch?");
    session.type("topic/ü\r");
    await opens(session, "And the tag?");
    session.type("\x1b");
    expect(await session.ended).toBe(0);
    await session.text();
    const lines = session.emulator.lines().filter((line) => line.trim() !== "");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { response: "topic/ü", outcome: "answered" },
      { response: "", outcome: "cancelled" },
    ]);
  });

  test("a client that is killed closes its dialog and leaves the terminal in order", async () => {
    const session = open(era, "ask_confirm", { title: "Still there?" });
    await opens(session, "Still there?");
    const mcp = await childOf(session.pty.pid);
    process.kill(session.pty.pid, "SIGKILL");
    await expect.poll(() => isRunning(mcp), { timeout: 20_000 }).toBe(false);
    await expect.poll(() => session.emulator.screen(), { timeout: 20_000, interval: 20 }).toBe("normal");
    expect((await session.text()).trim()).toBe("");
    expect(session.emulator.modes()).toMatchObject({ isCursorShown: true });
  });
});

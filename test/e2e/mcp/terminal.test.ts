// `palaver mcp` in a real terminal: a client that prints nothing asks, a dialog opens over whatever stands there, and afterwards
// the terminal is as it was.
import { describe, expect, test } from "vitest";
import { eras } from "../../daemon/mcp/mcp-stage.js";
import { verifies } from "../../verifies.js";
import { childOf } from "../processes.js";
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

// A dialog takes keys only after a quiet moment, and says so until then.
async function ready(session: PtySession): Promise<void> {
  await expect.poll(() => session.text(), { timeout: 30_000, interval: 30 }).not.toContain("one moment");
}

describe.each(eras)("palaver mcp in the era of %s", (era) => {
  test("a silent client's questions open one after the other, and its output stays clean", async () => {
    verifies("prompt.10", "prompt.18");
    const session = open(
      era,
      "report_status",
      { status: "needs_input", prompt: "Which branch?" },
      { status: "needs_input", prompt: "And the tag?" },
    );
    await session.shows("Which branch?");
    await ready(session);
    session.type("topic/ü\r");
    await session.shows("And the tag?");
    await ready(session);
    session.type("\x1b");
    expect(await session.ended).toBe(0);
    const lines = (await session.text()).split("\n").filter(Boolean);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { response: "topic/ü", outcome: "answered" },
      { response: "", outcome: "cancelled" },
    ]);
  });

  test("a client that is killed closes its dialog and leaves the terminal in order", async () => {
    verifies("prompt.8");
    const session = open(era, "ask_confirm", { title: "Still there?" });
    await session.shows("Still there?");
    expect(await childOf(session.pty.pid)).toBeGreaterThan(0);
    session.pty.kill("SIGKILL");
    await expect.poll(() => session.text(), { timeout: 20_000, interval: 30 }).not.toContain("Still there?");
    expect(session.emulator.modes()).toMatchObject({ isCursorShown: true });
  });
});

// Everything the terminal UI can ask and show, once, in a real pty with the showcase agent: a question of each kind, each
// signal, each command that has something to show.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { home, PtySession } from "./pty-session.js";
import { palaver, projectRoot } from "./run-program.js";

const agent = join(projectRoot, "examples", "showcase", "agent.mjs");

async function showcase(...flags: string[]): Promise<PtySession> {
  const args = [palaver, "run", ...flags, "--", process.execPath, agent];
  const session = new PtySession(process.execPath, args, {
    columns: 90,
    rows: 40,
    cwd: home,
    env: { SHOWCASE_PACE_MS: "1" },
  });
  await session.shows("showcase:script-1");
  return session;
}

async function left(session: PtySession): Promise<string> {
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
  return session.text();
}

describe("questions", () => {
  test("a permission: its diff, the rule, and a no with a reason", async () => {
    const session = await showcase();
    session.type("fix the failing test\r");
    await session.shows("▌   a  always allow edit");
    await session.shows('the agent says "always" means: edit(src/**), this project');
    const asked = await session.text();
    expect(asked).toContain("● read test/parser.test.ts  214 lines");
    expect(asked).toMatch(/-41 {3}return out\.join\(","\);\n▌ \+41 {3}return out\.join\(", "\);/);
    await session.answers("r");
    await session.shows("enter send");
    session.type("not on a Friday\r");
    await session.shows("Not then: not on a Friday");
    expect(await left(session)).toContain("✕ edit src/parser.ts  denied\nnot on a Friday");
  });

  test("a permission that is given: one row and the diff, once", async () => {
    const session = await showcase();
    session.type("fix the failing test\r");
    await session.shows("❯ n  no");
    await session.answers("y");
    await session.shows("All 212 tests pass.");
    const text = await left(session);
    expect(text.match(/\+41 {3}return/g)).toHaveLength(1);
    expect(text).toContain("● edit src/parser.ts  +1 −1  allowed once");
  });

  test("select, several of a list, a secret", async () => {
    const session = await showcase();
    session.type("set it up\r");
    await session.shows("❯ npm");
    session.type("pn\r");
    await session.shows("[x] types");
    await session.moves("\x1b[B", "❯ [ ] lint");
    session.type(" \r");
    await session.shows("The key of the registry");
    session.type("hunter2\r");
    await session.shows("pnpm, 3 checks, a key.");
    const text = await left(session);
    expect(text).not.toContain("hunter2");
    expect(text).toContain("? Which checks?  types, lint, tests");
  });

  test("a form and an editor", async () => {
    const session = await showcase();
    session.type("make a release\r");
    await session.shows("Tell everyone");
    session.type("\x15one");
    session.type("\x13");
    await expect.poll(() => session.text(), { timeout: 20_000 }).toMatch(/Version \*.*one/);
    session.type("\x152.0.0\x13");
    await session.shows("ctrl+g editor");
    session.type("\x1b[200~- and more\x1b[201~\r");
    await session.shows("Released with");
    await left(session);
  });

  test("esc is a cancel, as a value", async () => {
    const session = await showcase();
    session.type("make a release\r");
    await session.shows("Tell everyone");
    session.type("\x1b");
    await session.shows("No release then.");
    await left(session);
  });
});

describe("signals", () => {
  test("status, widget, working message, notices and the title", async () => {
    const session = await showcase();
    session.type("work\r");
    await session.shows("1 read the code");
    await session.shows("careful");
    await session.shows("✕ one mirror did not answer");
    const text = await left(session);
    expect(text).toMatch(/ℹ 4 steps[\s\S]*● done[\s\S]*▲ the cache was cold/);
    expect(text).not.toContain("1 read the code");
  });

  test("thinking is dim, and hidden where no one wants it", async () => {
    const shown = await showcase();
    shown.type("think\r");
    await shown.shows("One place, one line");
    expect(await left(shown)).toContain("∴ The list is joined");
    const hidden = await showcase("--thinking", "hidden");
    hidden.type("think\r");
    await hidden.shows("One place, one line");
    expect(await left(hidden)).not.toContain("joined in one place");
  });
});

describe("commands", () => {
  test("help, keys, stats, ping, notifications, queue, an unknown one", async () => {
    const session = await showcase();
    for (const [command, words] of [
      ["/help", "/export [md | json | html] [file]"],
      ["/keys", "search history"],
      ["/stats", "total tokens  12,400"],
      ["/ping", "the agent responds"],
      ["/notifications", "no notifications yet"],
      ["/queue", "nothing is queued"],
      ["/stts", "did you mean /stats?"],
    ] as const) {
      session.type(`${command}\r`);
      await session.shows(words);
    }
    await left(session);
  });

  test("copy, export, search and clear", async () => {
    const session = await showcase();
    session.type("help\r");
    await session.shows("I only show things.");
    // What it cost is told at the end of a turn: only now there is a whole message.
    await session.shows("$0.04");
    session.type("/copy\r");
    await session.shows("copied the last reply");
    session.type("/export md talk.md\r");
    await session.shows("written to");
    expect(readFileSync(join(home, "talk.md"), "utf8")).toContain("I only show things.");
    session.type("/search only\r");
    await expect.poll(() => session.window(), { timeout: 20_000 }).toContain("n next");
    session.type("q");
    await expect.poll(() => session.window().then(() => session.emulator.screen()), { timeout: 20_000 }).toBe("normal");
    session.type("/clear\r");
    expect(await left(session)).toContain("I only show things.");
  });

  test("theme and settings hold at once and the next time", async () => {
    const session = await showcase();
    session.type("/theme ember\r");
    await session.shows("theme is ember");
    await left(session);
    const again = await showcase();
    again.type("/settings\r");
    await again.shows("theme = ember");
    again.type("\x1b");
    await expect.poll(() => again.window(), { timeout: 20_000 }).not.toContain("theme = ember");
    again.type("/theme auto\r");
    await again.shows("theme is auto");
    await left(again);
  });

  test("!command runs in the shell; a recording plays again", async () => {
    const session = await showcase("--record", join(home, "talk.jsonl"));
    session.type("!echo from $((6 * 7))\r");
    await session.shows("from 42");
    session.type("help\r");
    await session.shows("I only show things.");
    await left(session);
    expect(readdirSync(home)).toContain("talk.jsonl");
    const replay = new PtySession(process.execPath, [palaver, "replay", join(home, "talk.jsonl"), "--speed", "0"]);
    await replay.shows("I only show things.");
    await left(replay);
  });
});

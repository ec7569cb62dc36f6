// The terminal UI in a real terminal: a pty with an emulator behind it, the built command, and real agents.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { childOf, childrenOf, isRunning } from "./processes.js";
import { home, PtySession } from "./pty-session.js";
import { palaver } from "./run-program.js";

const folder = home;

const run = (...agent: string[]) => new PtySession(process.execPath, [palaver, "run", "--", ...agent]);

function agentFile(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

describe("palaver run", () => {
  test("walks through a question of every kind with an agent in POSIX shell, and gives the terminal back", async () => {
    const session = run("sh", "examples/ask-everything/agent.sh");
    await session.shows("› message, / for commands");
    session.type("hello\r");
    await session.shows("▌ ❯ Red");
    session.type("gr\r");
    await session.shows("▌ ❯ n  no");
    await session.answers("y");
    await session.shows("▌ enter send · esc cancel");
    session.type("Ada\r");
    await session.shows("Once upon a time");
    session.type(" there was\r");
    await session.shows("? Your story?  Once upon a time there was");
    session.type("/quit\r");
    expect(await session.ended).toBe(0);
    const text = await session.text();
    expect(text).toContain("? Which colour?  Green\n? Are you sure?  yes\n? Your name?  Ada\n");
    expect(text).not.toMatch(/▌|esc stop/);
    expect(session.emulator.modes()).toMatchObject({ isCursorShown: true });
  });

  test("shows what an agent wrote to stderr when it fails, keeps the transcript, and starts it again", async () => {
    const crashing = agentFile(
      "crash.mjs",
      'console.log(JSON.stringify({type:"ready",protocol_version:"1"})); process.stdin.once("data", () => { console.error("MODEL_KEY is not set"); process.exit(3); });',
    );
    const session = run(process.execPath, crashing);
    await session.shows("crash.mjs ended with code 3");
    await session.shows("MODEL_KEY is not set");
    session.type("/restart\r");
    await expect
      .poll(async () => (await session.text()).split("ended with code 3").length, { timeout: 20_000 })
      .toBe(3);
    session.type("\x03\x03");
    expect(await session.ended).toBe(0);
  });

  test("starts an agent that exits with code 75 again, without a word", async () => {
    const again = agentFile(
      "again.mjs",
      `import { existsSync, writeFileSync } from "node:fs";
       const mark = ${JSON.stringify(join(folder, "mark"))};
       console.log(JSON.stringify({ type: "ready", protocol_version: "1" }));
       if (existsSync(mark)) { console.log(JSON.stringify({ type: "ui_notify", params: { message: "second life" } })); process.stdin.resume(); }
       else { writeFileSync(mark, ""); process.exit(75); }`,
    );
    const session = run(process.execPath, again);
    await session.shows("second life");
    expect(await session.text()).not.toContain("ended with code");
    session.type("\x03\x03");
    expect(await session.ended).toBe(0);
  });

  test("leaves no agent behind when it is killed by a signal, and the terminal in order", async () => {
    const session = run("sh", "examples/ask-everything/agent.sh");
    await session.shows("› message");
    const agent = await childOf(session.pty.pid);
    process.kill(session.pty.pid, "SIGTERM");
    await session.ended;
    await expect.poll(() => isRunning(agent)).toBe(false);
    await session.text();
    expect(session.emulator.modes()).toMatchObject({ isCursorShown: true });
  });

  test.skipIf(!existsSync("/bin/bash"))("after kill -9 the terminal is in order: modes, echo, cursor", async () => {
    const session = new PtySession("/bin/bash", ["--norc", "--noprofile"]);
    session.type(`PS1='$ '; ${process.execPath} ${palaver} run -- sh examples/ask-everything/agent.sh\r`);
    await session.shows("› message");
    session.type("hello\r");
    await session.shows("▌ ❯ Red");
    expect(session.emulator.modes()).toMatchObject({ bracketedPasteMode: true, wraparoundMode: false });
    const killed = await childOf(session.pty.pid);
    const watchdogs = childrenOf(killed);
    process.kill(killed, "SIGKILL");
    await session.shows("Killed");
    await expect.poll(() => session.emulator.modes().wraparoundMode, { timeout: 20_000 }).toBe(true);
    await expect.poll(() => watchdogs.filter(isRunning), { timeout: 20_000 }).toEqual([]);
    // The shell echoes by itself at its prompt: with the terminal's own echo the line would be there twice.
    session.type("echo on''ce\r");
    await session.shows("\nonce\n");
    expect((await session.text()).split("echo on''ce")).toHaveLength(2);
    session.type("stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e -icanon -e -echo; echo checked\r");
    await session.shows("\nchecked");
    const text = await session.text();
    expect(text).toContain("\nicanon\necho\n");
    expect(session.emulator.modes()).toMatchObject({ isCursorShown: true, wraparoundMode: true });
    session.type("exit\r");
    await session.ended;
  });

  test("an agent that cannot be started is told, with what to do", async () => {
    const session = run("/no/such/agent");
    await session.shows("agent could not be started: there is no program /no/such/agent");
    session.type("/quit\r");
    expect(await session.ended).toBe(0);
  });
});

test("npm start opens the UI on the built-in agent", async () => {
  const session = new PtySession("npm", ["start", "--silent"]);
  await session.shows("› message, / for commands");
  session.type("what is in this folder?\r");
  await session.shows(/● ls .*\n[\s\S]*package\.json/);
  session.type("\x04");
  expect(await session.ended).toBe(0);
});

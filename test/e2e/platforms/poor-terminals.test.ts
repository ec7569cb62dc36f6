// Terminals that can do little: the built command in ptys that call themselves dumb, have 16 colours, a locale without UTF-8 or
// hardly any cells. Everything stays readable, and no byte is written that such a terminal does not understand.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { type PromptTerminal, type TerminalOptions, Workplace } from "../prompt/prompt-terminal.js";
import { projectRoot } from "../run-program.js";

const agent = join(projectRoot, "tools/faults/faulty-agent.mjs");
const run = ["run", "--", process.execPath, agent];
const ask = ["ask", "select", "Deploy?", "today", "tomorrow"];
const work = new Workplace();
/** The daemon outlives the tests, whose terminals end with each of them. */
const daemonsPlace = new Workplace();
let daemon: PromptTerminal;

beforeAll(async () => {
  daemon = daemonsPlace.palaver(["serve", "--project", work.folder], { env: { HOME: work.folder } });
  await new Promise<void>((resolve) => {
    daemon.pty.onData(() => {
      if (daemon.bytes.includes("The daemon of")) resolve();
    });
  });
});
afterEach(() => work.endAll());
afterAll(async () => {
  daemon.type("\x03");
  await daemon.ended;
  work.remove();
  daemonsPlace.remove();
});

const kinds = {
  dumb: { env: { TERM: "dumb" } },
  sixteen: { env: { TERM: "xterm" } },
  ascii: { env: { LC_ALL: "C", LANG: "C" } },
  tiny: { columns: 10, rows: 3 },
} satisfies Record<string, TerminalOptions>;

/** Until the words are anywhere, also in the scrollback. */
async function said(terminal: PromptTerminal, words: string): Promise<void> {
  await expect.poll(() => terminal.text(), { timeout: 20_000, interval: 25 }).toContain(words);
}

/** A question takes keys only after a quiet moment, and a poor terminal has no room to say so. */
async function typedUntil(terminal: PromptTerminal, keys: string, words: string): Promise<void> {
  const look = async () => {
    const text = await terminal.text();
    if (!text.includes(words)) terminal.type(keys);
    return text;
  };
  await expect.poll(look, { timeout: 20_000, interval: 1_500 }).toContain(words);
}

describe("a dumb terminal", () => {
  test("hears the conversation and its questions in plain lines, without one escape sequence", async () => {
    verifies("terminal.poor-ones-served");
    const terminal = work.palaver(run, kinds.dumb);
    await said(terminal, "Ready.");
    terminal.type("ask\r");
    await said(terminal, "Question: Go on?");
    // The composer has the keys until the question is no longer new.
    await typedUntil(terminal, "\r", "Question: Go on? 1 yes. 2 no. Type a number and press Enter.\nQuestion");
    terminal.type("2\r");
    await said(terminal, "like a paste");
    await typedUntil(terminal, "\r", "Answered: Go on? no.");
    expect(terminal.bytes).not.toContain("\x1b");
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("is asked in a line and answers in one", async () => {
    const terminal = work.palaver(ask, kinds.dumb);
    await said(terminal, "Deploy?");
    await terminal.shows("\n>");
    terminal.type("2\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toMatch(/tomorrow$/);
    expect(terminal.bytes).not.toContain("\x1b");
  });

  test("is told what to use instead of the attached view", async () => {
    const terminal = work.palaver(["attach"], kinds.dumb);
    expect(await terminal.ended).toBe(2);
    expect(await terminal.text()).toMatch(/needs a terminal[\s\S]*palaver state/);
  });
});

describe("each of these shows the conversation, the dialog and the attached view", () => {
  async function shown(options: TerminalOptions, words: { select: string; bar: string }): Promise<string> {
    const talk = work.palaver(run, options);
    await talk.shows("message");
    talk.type("ask\r");
    await talk.shows(`${words.bar} ${words.select} n  no`);
    const dialog = work.palaver(ask, options);
    await dialog.shows(`${words.select} today`);
    const attached = work.palaver(["attach"], options);
    await attached.shows("DAEMON");
    await attached.shows(words.select);
    await dialog.shows("esc");
    await typedUntil(talk, "\x1b", "? Go on?");
    for (const [terminal, keys] of [
      [talk, "/quit\r"],
      [dialog, "\x1b"],
      [attached, "\x03"],
    ] as const) {
      terminal.type(keys);
      await terminal.ended;
      await terminal.expectGivenBack();
    }
    return talk.bytes + dialog.bytes + attached.bytes;
  }

  test("a terminal of 16 colours gets no others", async () => {
    const bytes = await shown(kinds.sixteen, { select: "❯", bar: "▌" });
    expect(bytes).toMatch(/\x1b\[[\d;]*3[1-7]/);
    expect(bytes).not.toMatch(/\x1b\[[\d;]*[34]8;[25];/);
  });

  test("a locale without UTF-8 gets no byte beyond ASCII", async () => {
    const bytes = await shown(kinds.ascii, { select: ">", bar: "|" });
    expect(bytes).not.toMatch(/[^\x00-\x7f]/);
  });
});

describe("a window of 10 by 3", () => {
  test("shows the question and its answer, and everything once it is larger", async () => {
    const terminal = work.palaver(run, kinds.tiny);
    await terminal.shows("›");
    terminal.type("ask\r");
    await terminal.shows("▌ Go on?\n▌ ❯ n  no");
    terminal.resize(60, 16);
    await terminal.shows("esc no");
    terminal.type("\x03");
    await terminal.shows("› message");
    terminal.type("\x03\x03");
    await terminal.ended;
    await terminal.expectGivenBack();
  });

  test("shows the small dialog and the attached view", async () => {
    const dialog = work.palaver(ask, kinds.tiny);
    await dialog.shows("▌ Deploy?\n▌ ❯ today");
    dialog.type("t");
    // Enter counts once the question is no longer new.
    await typedUntil(dialog, "\r", "? Deploy?");
    expect(await dialog.ended).toBe(0);
    const attached = work.palaver(["attach"], kinds.tiny);
    await attached.shows("❯ Daemon");
    attached.type("\x03");
    expect(await attached.ended).toBe(0);
    await attached.expectGivenBack();
  });
});

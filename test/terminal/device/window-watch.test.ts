// Asking tmux how large its window really is, with answers that come late, come about another window, or never come.
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { OwnedTerminal } from "../../../src/terminal/device/owned-terminal.js";
import type { Size } from "../../../src/terminal/painter/frame.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

const QUESTION = "\x1b[6n\x1b7\x1b[999;999H\x1b[6n\x1b8";
const TMUX_ANSWERS = "\x1bP>|tmux 3.3a\x1b\\\x1b[>84;0;0c\x1b[?1;2c";
const XTERM_ANSWERS = "\x1b[>41;379;0c\x1b[?64c";

class Input extends EventEmitter {
  setEncoding(): void {}
  resume(): void {}
  pause(): void {}
}

class Output extends EventEmitter {
  columns = 80;
  rows = 24;
  questions = 0;
  write(bytes: string): boolean {
    this.questions += bytes.split(QUESTION).length - 1;
    return true;
  }
}

function started(answers: string) {
  const input = new Input();
  const output = new Output();
  const clock = new ManualClock();
  const sizes: Size[] = [];
  const columns: number[] = [];
  let keys = "";
  const terminal = new OwnedTerminal(
    { input, output, environment: {}, timers: clock },
    {
      onKeyboard: () => undefined,
      onResize: (size) => sizes.push(size),
      onCursorColumn: (column) => columns.push(column),
      onProfile: () => undefined,
      onDrained: () => undefined,
      onInputClosed: () => undefined,
    },
  );
  terminal.start();
  terminal.onInput((chunk) => {
    keys += chunk;
  });
  const say = (...chunks: readonly string[]) => {
    for (const chunk of chunks) input.emit("data", chunk);
  };
  say(answers);
  const resize = (width: number, height: number) => {
    Object.assign(output, { columns: width, rows: height });
    output.emit("resize");
  };
  const letPass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5) clock.advance(5);
  };
  return { say, output, terminal, sizes, columns, resize, letPass, typed: () => keys };
}

/** What tmux says to one question: where the cursor is, and where the last cell is. */
function reports(columns: number, rows: number, cursorColumn = 1): string {
  return `\x1b[2;${cursorColumn}R\x1b[${rows};${columns}R`;
}

describe("tmux, which keeps the news of a resize back", () => {
  test("is asked for its window after each news, until none can be on its way, and what it says is news", () => {
    const { say, output, terminal, sizes, resize, letPass } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(15);
    expect(output.questions).toBe(1);
    say(reports(70, 20));
    letPass(15);
    say(reports(30, 4));
    expect(sizes).toEqual([
      { columns: 70, rows: 20 },
      { columns: 30, rows: 4 },
    ]);
    expect(terminal.size).toEqual({ columns: 30, rows: 4 });
    for (let nth = 0; nth < 40; nth++) {
      const before = output.questions;
      letPass(15);
      if (output.questions > before) say(reports(30, 4));
    }
    expect(sizes).toHaveLength(2);
    expect(output.questions).toBe(2 + 300 / 15);
  });

  test("is believed until the system says otherwise", () => {
    const { say, terminal, resize, letPass } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(15);
    say(reports(30, 4));
    resize(44, 12);
    expect(terminal.size).toEqual({ columns: 44, rows: 12 });
  });

  test("answers about a window of before when it was asked before the news", () => {
    const { say, sizes, resize, letPass } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(15);
    resize(60, 20);
    say(reports(70, 20));
    expect(sizes).toEqual([
      { columns: 70, rows: 20 },
      { columns: 60, rows: 20 },
    ]);
  });

  test("is not asked again before it has answered, nor after we have gone", () => {
    const { output, terminal, resize, letPass } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(300);
    expect(output.questions).toBe(1);
    resize(60, 20);
    terminal.stop();
    letPass(600);
    expect(output.questions).toBe(1);
  });

  test("is the only one that is asked", () => {
    const { output, resize, letPass } = started(XTERM_ANSWERS);
    resize(70, 20);
    letPass(600);
    expect(output.questions).toBe(0);
  });
});

describe("its cursor", () => {
  test("is looked for with each question", () => {
    const { say, columns, resize, letPass } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(15);
    say(reports(70, 20, 44));
    letPass(15);
    say(reports(70, 20, 1));
    expect(columns).toEqual([43, 0]);
  });

  test("may be elsewhere by now when something was written since, or the window has changed again", () => {
    const { say, terminal, columns, resize, letPass } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(15);
    terminal.write("a frame");
    say(reports(70, 20, 44));
    letPass(15);
    resize(60, 20);
    say(reports(70, 20, 44));
    expect(columns).toEqual([]);
  });
});

describe("its answer", () => {
  test("is taken out of the keys in whatever pieces and however late it comes", () => {
    const { say, resize, letPass, typed } = started(TMUX_ANSWERS);
    resize(70, 20);
    letPass(60_000);
    say("a\x1b", "[2", ";1", "R\x1b[20", ";7", "0Rb");
    expect(typed()).toBe("ab");
  });

  test("is a key when no one has asked: shift+F3 looks the same", () => {
    const { say, resize, letPass, typed } = started(TMUX_ANSWERS);
    say("\x1b[1;2R");
    expect(typed()).toBe("\x1b[1;2R");
    resize(70, 20);
    letPass(600);
    say(reports(70, 20), "\x1b[1;2R");
    expect(typed()).toBe("\x1b[1;2R\x1b[1;2R");
  });
});

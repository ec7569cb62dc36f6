// Asking a terminal what it is: a real emulator answers, or nobody does; either way it is given back as it was.
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import {
  ANSWER_MS_MAX,
  type TerminalSurvey,
  TerminalSurveyor,
  widthDifferences,
  widthProbes,
} from "../../../src/cli/doctor/terminal-survey.js";
import { textWidth } from "../../../src/text/width.js";
import { Emulator } from "../../rigs/emulator.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

class FakeInput extends EventEmitter {
  raw = false;
  flowing = false;
  setRawMode(mode: boolean): void {
    this.raw = mode;
  }
  setEncoding(): void {}
  resume(): void {
    this.flowing = true;
  }
  pause(): void {
    this.flowing = false;
  }
}

function fixture(columns = 80) {
  const input = new FakeInput();
  const clock = new ManualClock();
  const output = {
    columns,
    rows: 24,
    written: "",
    onWrite: (_: string): void => undefined,
    write(bytes: string): boolean {
      output.written += bytes;
      output.onWrite(bytes);
      return true;
    },
  };
  const surveyor = new TerminalSurveyor({ input, output, timers: clock });
  return { input, output, clock, surveyor };
}

/** An emulator at the other end of the line; `answers` may cut its replies in pieces. */
function wired(emulator: Emulator, pieces: (reply: string) => string[] = (reply) => [reply]) {
  const parts = fixture(emulator.columns);
  let reading: Promise<void> = Promise.resolve();
  parts.output.onWrite = (bytes) => {
    reading = reading.then(async () => {
      await emulator.write(bytes);
      for (const reply of emulator.replies.splice(0)) {
        for (const piece of pieces(reply)) parts.input.emit("data", piece);
      }
    });
  };
  return { ...parts, whenRead: () => reading };
}

const KITTY_SAYS =
  "\x1b[?5u\x1b[1;1R\x1bP>|kitty(0.40)\x1b\\\x1b[>1;4000;40c\x1b[?2026;2$y\x1b]11;rgb:ffff/ffff/ffff\x07";

describe("a terminal that answers", () => {
  test("is measured, nothing stays on its screen, and every mode is what it was", async () => {
    const emulator = new Emulator({ columns: 80, rows: 24 });
    await emulator.write("$ palaver doctor\r\n");
    const before = emulator.modes();
    const { input, surveyor, whenRead } = wired(emulator);
    const survey = await surveyor.survey();
    await whenRead();
    expect(survey).toMatchObject({ answered: "yes", columns: 80, rows: 24, secondaryAttributes: "0;276;0" });
    expect(survey?.widths).toHaveLength(widthProbes.length);
    expect(emulator.allRows().filter((row) => row !== "")).toEqual(["$ palaver doctor"]);
    expect(emulator.cursor()).toEqual({ row: 1, column: 0 });
    expect(emulator.modes()).toEqual(before);
    expect(input).toMatchObject({ raw: false, flowing: false });
    expect(input.listenerCount("data")).toBe(0);
  });

  test("says the same when its answers come one byte at a time", async () => {
    const whole = await wired(new Emulator({ columns: 80, rows: 24 })).surveyor.survey();
    const cut = await wired(new Emulator({ columns: 80, rows: 24 }), (reply) => [...reply]).surveyor.survey();
    expect(cut).toEqual(whole);
    expect(cut?.answered).toBe("yes");
  });

  test("keeps the row that somebody had begun", async () => {
    const emulator = new Emulator({ columns: 80, rows: 24 });
    await emulator.write("half a line");
    const { surveyor, whenRead } = wired(emulator);
    await surveyor.survey();
    await whenRead();
    expect(emulator.allRows().filter((row) => row !== "")).toEqual(["half a line"]);
    expect(emulator.cursor()).toEqual({ row: 1, column: 0 });
  });

  test("is not measured where a character that is taken apart would reach the next row", async () => {
    const { surveyor, output } = wired(new Emulator({ columns: 12, rows: 6 }));
    expect(await surveyor.survey()).toMatchObject({ answered: "yes", widths: null });
    expect(output.written).not.toContain("漢");
  });

  test("tells its name, keys, updates and background", async () => {
    const { input, output, surveyor } = fixture();
    output.onWrite = (bytes) => {
      if (bytes.includes("\x1b[>0q")) input.emit("data", `${KITTY_SAYS}\x1b[?62;52c`);
      else if (bytes.endsWith("\x1b[c")) input.emit("data", "\x1b[?62;52c");
    };
    expect(await surveyor.survey()).toEqual({
      answered: "yes",
      columns: 80,
      rows: 24,
      version: "kitty(0.40)",
      attributes: "62;52",
      secondaryAttributes: "1;4000;40",
      synchronizedUpdates: 2,
      keyboard: "kitty",
      ground: { background: "rgb:ffff/ffff/ffff" },
      widths: null,
    } satisfies TerminalSurvey);
  });

  test("without the kitty protocol is asked for the older one", async () => {
    const { input, output, surveyor } = fixture();
    output.onWrite = (bytes) => {
      if (bytes.includes("\x1b[?4m")) input.emit("data", "\x1b[>4;2m");
      if (bytes.endsWith("\x1b[c")) input.emit("data", "\x1b[?1;2c");
    };
    expect((await surveyor.survey())?.keyboard).toBe("modify-other-keys");
    expect(output.written.lastIndexOf("\x1b[>4m")).toBeGreaterThan(output.written.lastIndexOf("\x1b[>4;2m"));
  });
});

describe("a terminal that says nothing", () => {
  test("is waited for no longer than the limit, and not asked a second time", async () => {
    const { input, output, clock, surveyor } = fixture();
    const survey = surveyor.survey();
    clock.advance(ANSWER_MS_MAX);
    expect(await survey).toMatchObject({ answered: "no", keyboard: "unsaid", widths: null, version: null });
    expect(output.written).not.toContain("漢");
    expect(output.written.endsWith("\x1b[?2004l")).toBe(true);
    expect(input.raw).toBe(false);
  });

  test("and goes away is not waited for at all", async () => {
    const { input, surveyor } = fixture();
    const survey = surveyor.survey();
    input.emit("end");
    expect((await survey)?.answered).toBe("no");
  });
});

test("ctrl+c ends the questions, after the answers that are on their way", async () => {
  const { input, output, surveyor } = fixture();
  output.onWrite = (bytes) => {
    if (bytes.includes("\x1b[>0q")) input.emit("data", `\x03${KITTY_SAYS}\x1b[?62c`);
  };
  expect(await surveyor.survey()).toBe(null);
  expect(output.written).not.toContain("漢");
  expect(input.raw).toBe(false);
});

test("a terminal that agrees with us differs nowhere, and one that does not is named", () => {
  const agreed = widthProbes.map(({ text }) => textWidth(text));
  expect(widthDifferences(agreed)).toEqual([]);
  expect(widthDifferences([2, ...agreed.slice(1)])).toEqual([
    { kind: "plain", name: "é", text: "é", expectedCells: 1, measuredCells: 2 },
  ]);
});

// Taking a terminal, learning what it is, and giving it back, with streams made by hand.
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { ExitGuard } from "../../../src/terminal/device/exit-guard.js";
import { OwnedTerminal } from "../../../src/terminal/device/owned-terminal.js";
import type { Profile } from "../../../src/terminal/painter/profile.js";
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

class FakeOutput extends EventEmitter {
  columns = 80;
  rows = 24;
  /** How wide the window is already, as the system knows. */
  columnsSoon = 80;
  hasRoom = true;
  written = "";
  write(bytes: string): boolean {
    this.written += bytes;
    return this.hasRoom;
  }
  _refreshSize(): void {
    if (this.columns === this.columnsSoon) return;
    this.columns = this.columnsSoon;
    this.emit("resize");
  }
}

function fixture(environment: Record<string, string> = {}, windowEvents?: EventEmitter) {
  const input = new FakeInput();
  const output = new FakeOutput();
  const clock = new ManualClock();
  const seen = {
    profiles: [] as Profile["name"][],
    keyboards: [] as string[],
    keys: "",
    closed: 0,
    drained: 0,
    sizes: [] as number[],
  };
  const terminal = new OwnedTerminal(
    { input, output, environment, timers: clock, ...(windowEvents && { windowEvents }) },
    {
      onKeyboard: (protocol) => seen.keyboards.push(protocol),
      onResize: ({ columns }) => seen.sizes.push(columns),
      onProfile: ({ name }) => seen.profiles.push(name),
      onDrained: () => {
        seen.drained += 1;
      },
      onInputClosed: () => {
        seen.closed += 1;
      },
    },
  );
  const listen = () =>
    terminal.onInput((chunk) => {
      seen.keys += chunk;
    });
  return { input, output, clock, seen, terminal, listen };
}

describe("a terminal of our own", () => {
  test("is asked what it is and answers among the keys", () => {
    const { input, output, seen, terminal, listen } = fixture();
    terminal.start();
    listen();
    expect(input.raw).toBe(true);
    expect(output.written).toContain("\x1b[?2004h");
    expect(terminal.firstProfile.name).toBe("generic");
    input.emit("data", "h\x1b[?0u\x1b[>0;276;0c\x1b[?2026;2$y");
    input.emit("data", "\x1b[?1;2ci");
    expect(seen).toMatchObject({ profiles: ["xterm.js"], keyboards: ["legacy"], keys: "hi" });
    expect(output.written.endsWith("\x1b[>4;2m")).toBe(true);
  });

  test("speaks the kitty protocol where the terminal does", () => {
    const { input, output, seen, terminal } = fixture();
    terminal.start();
    input.emit("data", "\x1b[?5u\x1bP>|kitty(0.40)\x1b\\\x1b[?62c");
    expect(seen).toMatchObject({ profiles: ["kitty"], keyboards: ["kitty"] });
    expect(output.written).not.toContain("\x1b[>4;2m");
  });

  test("that says nothing is a generic one after half a second, once", () => {
    const { input, clock, seen, terminal } = fixture();
    terminal.start();
    clock.advance(499);
    expect(seen.profiles).toEqual([]);
    clock.advance(1);
    input.emit("data", "\x1b[>0;276;0c\x1b[?1;2c");
    clock.advance(1000);
    expect(seen.profiles).toEqual(["generic"]);
    expect(seen.keys).toBe("");
  });

  test.each([
    { from: "the signal", windowEvents: new EventEmitter() },
    { from: "the stream", windowEvents: undefined },
  ])("looks at the window before the news of it comes from $from", ({ windowEvents }) => {
    const { output, seen, terminal } = fixture({}, windowEvents);
    terminal.start();
    terminal.measure();
    expect(seen.sizes).toEqual([]);
    output.columnsSoon = 60;
    terminal.measure();
    terminal.measure();
    expect(seen.sizes).toEqual([60]);
  });

  test("can be waited for, so that its answers do not reach the shell", async () => {
    const { input, seen, terminal } = fixture();
    await terminal.whenAnswered();
    terminal.start();
    const waiting = terminal.whenAnswered().then(() => seen.profiles.length);
    input.emit("data", "\x1b[?62c");
    expect(await waiting).toBe(1);
  });

  test("keeps what is typed before anybody listens, and holds no key for long", () => {
    const { input, clock, seen, terminal, listen } = fixture();
    terminal.start();
    input.emit("data", "ab\x1b");
    listen();
    expect(seen.keys).toBe("ab");
    clock.advance(25);
    expect(seen.keys).toBe("ab\x1b");
  });

  test("tells its size, its changes, its fullness and its end", () => {
    const { input, output, seen, terminal } = fixture();
    terminal.start();
    output.columns = 100;
    output.emit("resize");
    output.hasRoom = false;
    expect(terminal.write("x")).toBe("full");
    output.emit("drain");
    input.emit("end");
    expect(seen).toMatchObject({ sizes: [100], drained: 1, closed: 1 });
    output.columns = 0;
    output.rows = 0;
    expect(terminal.size).toEqual({ columns: 80, rows: 24 });
  });

  test("is given back with every mode reset, however often that is asked for", () => {
    const { input, output, terminal } = fixture();
    terminal.start();
    output.written = "";
    terminal.stop();
    terminal.stop();
    expect(output.written).toBe("\x1b7\x1b[<u\x1b[>4m\x1b[?1004l\x1b[?2031l\x1b[?2004l");
    expect({ raw: input.raw, flowing: input.flowing }).toEqual({ raw: false, flowing: false });
    expect([input.listenerCount("data"), output.listenerCount("resize")]).toEqual([0, 0]);
  });
});

class FakeProcess extends EventEmitter {
  readonly pid = 4242;
  readonly killed: string[] = [];
  kill(_: number, signal: string): void {
    this.killed.push(signal);
  }
}

function guarded() {
  const events = new FakeProcess();
  const log: string[] = [];
  const guard = new ExitGuard(events, {
    giveBack: () => log.push("back"),
    takeAgain: () => log.push("again"),
    timers: new ManualClock(),
  });
  guard.arm();
  return { events, log, guard };
}

describe("however the program ends", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s gives the terminal back and then ends it as usual",
    (signal) => {
      const { events, log } = guarded();
      events.emit(signal);
      events.emit("exit");
      expect(log).toEqual(["back"]);
      expect(events.killed).toEqual([signal]);
      expect(events.listenerCount(signal)).toBe(0);
    },
  );

  test.each(["exit", "uncaughtExceptionMonitor"])("%s gives it back once", (event) => {
    const { events, log } = guarded();
    events.emit(event);
    events.emit("exit");
    expect(log).toEqual(["back"]);
  });

  test("a stop gives it back and the continuation takes it again", () => {
    const { events, log } = guarded();
    events.emit("SIGTSTP");
    expect(events.killed).toEqual(["SIGSTOP"]);
    events.emit("SIGTSTP");
    events.emit("SIGCONT");
    expect(log).toEqual(["back", "again"]);
    events.emit("exit");
    expect(log).toEqual(["back", "again", "back"]);
  });

  test("after a stop that no one could catch it is taken again: the shell had it meanwhile", () => {
    const { events, log } = guarded();
    events.emit("SIGCONT");
    expect(log).toEqual(["back", "again"]);
    events.emit("exit");
    events.emit("SIGCONT");
    expect(log).toEqual(["back", "again", "back"]);
  });

  test("a program that has ended while stopped owes nothing more", () => {
    const { events, log } = guarded();
    events.emit("SIGTSTP");
    events.emit("exit");
    expect(log).toEqual(["back"]);
  });
});

// Questions as plain lines, for terminals that cannot be drawn on: what is said, what a line answers, and what is hidden.
import { describe, expect, test } from "vitest";
import type { Ask, AskOutcome } from "../../../src/contract/asks.js";
import { type LineTerminalHandlers, LineView } from "../../../src/views/mini/line-view.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";
import { askOf, nameQuestion, ShownAsks } from "./rig.js";

class LineRig {
  readonly clock = new ManualClock();
  readonly news: string[] = [];
  said = "";
  readonly asks: ShownAsks;
  private terminal: LineTerminalHandlers | null = null;

  constructor() {
    const openTerminal = (handlers: LineTerminalHandlers) => {
      this.terminal = handlers;
      return {
        write: (text: string) => {
          this.said += text;
        },
        setEcho: (echo: string) => void this.news.push(echo),
        close: () => void this.news.push("closed"),
      };
    };
    const parts = { clock: this.clock, typingGuardMs: 800, openTerminal };
    this.asks = new ShownAsks(this.clock, (ports) => new LineView(parts, ports));
  }

  get outcomes(): readonly AskOutcome[] {
    return this.asks.outcomes;
  }

  ask(question: Ask["question"], id = "q1"): this {
    this.asks.ask(askOf(question, id));
    this.clock.advance(800);
    return this;
  }

  type(text: string): this {
    this.terminal?.onText(text);
    return this;
  }

  interrupt(): "taken" | "left" | undefined {
    return this.terminal?.onInterrupt();
  }

  end(): void {
    this.terminal?.onGone();
  }
}

const options = ["npm", "pnpm"].map((value) => ({ value, label: value }));

describe("a question in plain lines", () => {
  test("is said, and answered by a line", async () => {
    const rig = new LineRig().ask({ kind: "select", params: { title: "Which?", options } });
    expect(rig.said).toBe("Question: Which? 1 npm. 2 pnpm. Type a number and press Enter, 0 cancels.\n> ");
    rig.type("7\n").type("2\n");
    expect(rig.said).toContain("Type a number from 1 to 2.\n> ");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: "pnpm" }]);
  });

  test("what was typed before the mark answers nothing, is not echoed, and is refused in words", () => {
    const rig = new LineRig();
    rig.asks.ask(askOf({ kind: "confirm", params: { title: "rm -rf build?" } }));
    expect(rig.said).toContain("rm -rf build?");
    expect(rig.news).toEqual(["hidden"]);
    rig.type("1\n");
    rig.clock.advance(799);
    rig.type("1\r");
    rig.clock.advance(799);
    expect(rig.said).not.toContain("> ");
    rig.clock.advance(1);
    expect(rig.said).toMatch(/\nWhat you typed before this was not used\.\n> $/);
    expect(rig.news.at(-1)).toBe("shown");
    expect(rig.outcomes).toEqual([]);
    rig.type("2\n");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: false }]);
  });

  test("a line behind an answer is not an answer to the next question", () => {
    const rig = new LineRig().ask({ kind: "confirm", params: { title: "First?" } }, "a");
    rig.asks.ask(askOf({ kind: "confirm", params: { title: "Second?" } }, "b"));
    rig.type("2\n1\n");
    rig.clock.advance(800);
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: false }]);
    expect(rig.said).toMatch(/Second\?.*\nWhat you typed before this was not used\.\n> $/s);
  });

  test("a secret is typed unseen, with every key by itself", () => {
    const rig = new LineRig().ask({ kind: "input", params: { title: "Token?", opts: { secret: true } } });
    expect(new Set(rig.news)).toEqual(new Set(["hidden"]));
    rig.type("hunterX").type("\x7f").type("2").type("\r");
    expect(rig.outcomes).toMatchObject([{ kind: "answered", value: "hunter2" }]);
    expect(rig.said).not.toContain("hunter");
  });

  test("Ctrl+D and Ctrl+C cancel, on a line of their own, and also before a line would answer", () => {
    const ended = new LineRig().ask(nameQuestion);
    ended.end();
    expect(ended.outcomes).toEqual([{ kind: "cancelled", by: "terminal" }]);
    expect(ended.said).toMatch(/> \n$/);
    const early = new LineRig();
    early.asks.ask(askOf(nameQuestion));
    early.type("\x03");
    expect(early.outcomes).toEqual([{ kind: "cancelled", by: "terminal" }]);
    const interrupted = new LineRig().ask(nameQuestion);
    expect(interrupted.interrupt()).toBe("taken");
    expect(interrupted.outcomes).toEqual([{ kind: "cancelled", by: "terminal" }]);
    expect(interrupted.said).toMatch(/> \n$/);
    const secret = new LineRig().ask({ kind: "input", params: { title: "Token?", opts: { secret: true } } });
    secret.type("\x03");
    expect(secret.outcomes).toEqual([{ kind: "cancelled", by: "terminal" }]);
  });

  test("the next one is said after the first is answered, and the terminal is closed after the last", async () => {
    const rig = new LineRig().ask(nameQuestion, "a");
    rig.asks.ask(askOf({ kind: "input", params: { title: "And?" } }, "b"));
    rig.type("one\n");
    rig.clock.advance(800);
    expect(rig.said).toContain("Question: And?");
    rig.type("two\n");
    await Promise.resolve();
    expect(rig.outcomes).toMatchObject([{ value: "one" }, { value: "two" }]);
    expect(rig.news.at(-1)).toBe("closed");
  });

  test("one that is taken back says so", () => {
    const rig = new LineRig().ask(nameQuestion);
    rig.asks.withdraw("q1", "agent_cancelled");
    expect(rig.said).toMatch(/The question was withdrawn\.\n$/);
    expect(rig.outcomes).toEqual([{ kind: "withdrawn", reason: "agent_cancelled" }]);
  });
});

// The two modes of prompt mode: what is printed when, in which order, and when the agent has to wait.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cliMode,
  HELD_UNITS_MAX,
  type PromptModeEffect,
  type PromptModeInput,
  type PromptModeState,
  reducePromptMode,
} from "../../src/session/prompt-mode.js";

function play(...inputs: PromptModeInput[]): { state: PromptModeState; effects: PromptModeEffect[] } {
  let state: PromptModeState = cliMode;
  const effects: PromptModeEffect[] = [];
  for (const input of inputs) {
    const step = reducePromptMode(state, input);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const out = (text: string): PromptModeInput => ({ type: "print", piece: { stream: "out", text } });
const err = (text: string): PromptModeInput => ({ type: "print", piece: { stream: "err", text } });
const opened: PromptModeInput = { type: "dialog.opened" };
const closed: PromptModeInput = { type: "dialog.closed" };

describe("the modes of a prompt", () => {
  test("in cli mode everything is written as it comes", () => {
    expect(play(out("a"), err("b"))).toEqual({
      state: { mode: "cli" },
      effects: [
        { type: "write", pieces: [{ stream: "out", text: "a" }] },
        { type: "write", pieces: [{ stream: "err", text: "b" }] },
      ],
    });
  });

  test("behind a dialog everything waits, and then comes in order", () => {
    const { state, effects } = play(out("a"), opened, out("b"), err("c"), out("d"), closed);
    expect(state.mode).toBe("cli");
    expect(effects.slice(1)).toEqual([
      { type: "mode-changed", mode: "mini-tui" },
      { type: "mode-changed", mode: "cli" },
      {
        type: "write",
        pieces: [
          { stream: "out", text: "b" },
          { stream: "err", text: "c" },
          { stream: "out", text: "d" },
        ],
      },
    ]);
  });

  test("opening or closing twice changes nothing", () => {
    expect(play(closed).effects).toEqual([]);
    expect(play(opened, opened, closed, closed).effects.map(({ type }) => type)).toEqual([
      "mode-changed",
      "mode-changed",
    ]);
  });

  test("when too much is held the agent is paused once, and goes on when the dialog is gone", () => {
    const big = out("x".repeat(HELD_UNITS_MAX));
    const { effects } = play(opened, big, out("more"), closed, out("after"));
    expect(effects.map(({ type }) => type)).toEqual([
      "mode-changed",
      "pause-agent",
      "mode-changed",
      "write",
      "resume-agent",
      "write",
    ]);
  });

  test("whatever happens, every piece is written once and in order", () => {
    const input = fc.oneof(
      fc.constant(opened),
      fc.constant(closed),
      fc.string({ maxLength: 3 }).map(out),
      fc.string({ maxLength: 3 }).map(err),
    );
    fc.assert(
      fc.property(fc.array(input), (inputs) => {
        const { effects } = play(...inputs, closed);
        const written = effects.flatMap((effect) => (effect.type === "write" ? effect.pieces : []));
        expect(written).toEqual(inputs.flatMap((each) => (each.type === "print" ? [each.piece] : [])));
      }),
    );
  });
});

// The simulation against screens that are broken on purpose, each in one place. A mutation that passes would mean that
// nobody watches that place.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as TypingGuard from "../../src/session/typing-guard.js";
import type * as Handover from "../../src/terminal/painter/handover.js";
import type * as Patch from "../../src/terminal/painter/patch.js";
import type * as Profile from "../../src/terminal/painter/profile.js";
import type * as RowChange from "../../src/terminal/painter/row-change.js";
import type * as Sequences from "../../src/terminal/painter/sequences.js";

const TICKS = 3000;

const MUTATIONS: readonly { readonly name: string; readonly rules: RegExp; readonly apply: () => void }[] = [
  {
    name: "loses a line of a long insertion",
    rules: /transcript/,
    apply: () =>
      vi.doMock("../../src/terminal/painter/row-change.js", async (original) => {
        const { settledText, ...rest } = await original<typeof RowChange>();
        return {
          ...rest,
          settledText: (all: string[], columns: number) => settledText(all.length > 2 ? all.slice(1) : all, columns),
        };
      }),
  },
  {
    name: "does not erase the rows that are left below",
    rules: /live area|transcript/,
    apply: () =>
      vi.doMock("../../src/terminal/painter/sequences.js", async (original) => ({
        ...(await original<typeof Sequences>()),
        ERASE_BELOW: "",
      })),
  },
  {
    name: "erases the whole screen",
    rules: /forbidden bytes/,
    apply: () =>
      vi.doMock("../../src/terminal/painter/sequences.js", async (original) => ({
        ...(await original<typeof Sequences>()),
        ERASE_BELOW: "\x1b[2J",
      })),
  },
  {
    name: "does not join its rows into a group on xterm.js",
    rules: /transcript|live area|cursor/,
    apply: () =>
      vi.doMock("../../src/terminal/painter/profile.js", async (original) => {
        const { profileFor, ...rest } = await original<typeof Profile>();
        const separate: typeof profileFor = (...args) => ({ ...profileFor(...args), rows: "separate" });
        return { ...rest, profileFor: separate };
      }),
  },
  {
    name: "draws again although nothing changed",
    rules: /idle/,
    apply: () =>
      vi.doMock("../../src/terminal/painter/patch.js", async (original) => {
        const { patch, ...rest } = await original<typeof Patch>();
        const restless: typeof patch = (before, request) => patch({ ...before, profile: null }, request);
        return { ...rest, patch: restless };
      }),
  },
  {
    name: "leaves autowrap off when it goes",
    rules: /modes/,
    apply: () =>
      vi.doMock("../../src/terminal/painter/handover.js", async (original) => {
        const { giveBackBytes, ...rest } = await original<typeof Handover>();
        const stingy: typeof giveBackBytes = (...args) => giveBackBytes(...args).replace("\x1b[?7h", "");
        return { ...rest, giveBackBytes: stingy };
      }),
  },
  {
    name: "lets a dialog take the keys while the user is still typing",
    rules: /asks/,
    apply: () =>
      vi.doMock("../../src/session/typing-guard.js", async (original) => {
        const { reduceTypingGuard, ...rest } = await original<typeof TypingGuard>();
        const deaf: typeof reduceTypingGuard = (state, input) =>
          reduceTypingGuard({ ...state, lastTypedAtMs: Number.NEGATIVE_INFINITY }, input);
        return { ...rest, reduceTypingGuard: deaf };
      }),
  },
];

describe("a screen that", () => {
  beforeEach(() => {
    vi.resetModules();
  });
  afterEach(() => {
    // The next file in this worker gets the real ones.
    vi.resetModules();
    vi.doUnmock("../../src/terminal/painter/row-change.js");
    vi.doUnmock("../../src/terminal/painter/sequences.js");
    vi.doUnmock("../../src/terminal/painter/profile.js");
    vi.doUnmock("../../src/terminal/painter/patch.js");
    vi.doUnmock("../../src/terminal/painter/handover.js");
    vi.doUnmock("../../src/session/typing-guard.js");
  });

  test.each(MUTATIONS)("$name is found out", { timeout: 60_000 }, async ({ apply, rules }) => {
    apply();
    const { simulate } = await import("../rigs/simulator/simulation.js");
    const { failure } = simulate({ seed: 1, ticks: TICKS, profile: "xterm.js" });
    expect(failure?.fault.rule).toMatch(rules);
  });
});

// Whatever keys a user presses around what an agent suggests, no word of the agent is ever sent as a command.
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostTui } from "../../../src/terminal/component-host.js";
import { unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import type { AppLook } from "../../../src/views/inline/app-look.js";
import { Composer, type Written } from "../../../src/views/inline/composer.js";
import { colourless } from "../../terminal/painter/visible.js";
import { verifies } from "../../verifies.js";

const look: AppLook = {
  style: colourless,
  glyphs: unicodeGlyphs,
  wrap: "words",
  thinking: "shown",
  motion: "full",
  outputLinesMax: 5,
};

/** Letters that only the agent uses. */
const AGENT = /[æøå]/;
const KEYS = {
  ...{ home: "\x1b[H", end: "\x1b[F", left: "\x1b[D", right: "\x1b[C", up: "\x1b[A", down: "\x1b[B" },
  ...{ delete: "\x1b[3~", backspace: "\x7f", "ctrl+k": "\x0b", "ctrl+u": "\x15", "ctrl+w": "\x17", "alt+d": "\x1bd" },
  ...{ yank: "\x19", "alt+y": "\x1by", undo: "\x1f", enter: "\r", newline: "\x1b\r", paste: "\x1b[200~!ls\x1b[201~" },
};

type Step = { key: string } | { suggest: string | null } | { editor: "opens" | "closes" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.values(KEYS)).map((key) => ({ key })) },
  { weight: 4, arbitrary: fc.constantFrom(..."!/ ab").map((key) => ({ key })) },
  { weight: 2, arbitrary: fc.constantFrom("!æ ø", "æ !ø", "æ\n!ø\nå", "/ø", "å").map((suggest) => ({ suggest })) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(KEYS["ctrl+u"], KEYS.undo, KEYS.yank, KEYS.up, KEYS.down).map((key) => ({ key })),
  },
  { weight: 1, arbitrary: fc.constant({ suggest: null }) },
  { weight: 1, arbitrary: fc.constantFrom({ editor: "opens" as const }, { editor: "closes" as const }) },
);

const viStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: step },
  { weight: 2, arbitrary: fc.constantFrom("!æ", "!ø å").map((suggest) => ({ suggest })) },
  { weight: 12, arbitrary: fc.constantFrom("\x1b", ..."dddpppwxcui", KEYS.enter).map((key) => ({ key })) },
);

function sentAfter(steps: readonly Step[], editing: "emacs" | "vi"): Written[] {
  const sent: Written[] = [];
  let nowMs = 0;
  let inEditor: Written | null = null;
  const past = ["/quit", "an older prompt"];
  const composer: Composer = new Composer({
    tui: hostTui({ size: () => ({ columns: 80, rows: 24 }), onRenderWanted: () => composer.refresh() }),
    look: { ...look, editing },
    folder: "/nowhere",
    history: { load: () => past, append: (text) => past.unshift(text) },
    files: async () => [],
    nowMs: () => nowMs,
    quietMs: 800,
    onSubmit: (written) => sent.push(written),
    onTaken: () => undefined,
  });
  for (const one of [...steps, { key: KEYS.enter }]) {
    nowMs += 900;
    if ("key" in one) composer.key(one.key);
    else if ("suggest" in one) composer.suggest(one.suggest);
    else if (one.editor === "opens") inEditor = composer.written;
    else if (inEditor !== null) composer.draft = inEditor;
  }
  return sent;
}

test.each([
  ["emacs", step, 12],
  ["vi", viStep, 16],
] as const)(
  "words of an agent are never sent as typed by the user where they could be a command, with the keys of %s",
  (editing, any, maxLength) => {
    verifies("composer.suggestion-is-no-command");
    fc.assert(
      fc.property(fc.array(any, { minLength: 3, maxLength }), (steps) => {
        for (const { text, as } of sentAfter(steps, editing)) {
          if (/^\s*[!/]/.test(text) && AGENT.test(text)) expect(as).toBe("prompt");
        }
      }),
      { numRuns: 3_000 },
    );
  },
);

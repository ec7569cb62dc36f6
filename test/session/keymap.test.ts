// Keys and what they do: defaults, bindings of one's own, and what cannot be.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalKey, createKeymap, keyActionNames, keyActions, keyRows } from "../../src/session/keymap.js";

describe("the defaults", () => {
  test("have one action for each key, and no problems", () => {
    const keys = keyActionNames.flatMap((action) => keyActions[action].keys);
    expect(new Set(keys).size).toBe(keys.length);
    expect(createKeymap({}).problems).toEqual([]);
  });

  test("are found by every spelling of a key", () => {
    const { keymap } = createKeymap({});
    expect(keymap.actionFor("ctrl+o")).toBe("open-viewer");
    expect(keymap.actionFor("Ctrl+O")).toBe("open-viewer");
    expect(keymap.actionFor("esc")).toBe("abort");
    expect(keymap.actionFor("ctrl+shift+tab")).toBe("previous-session");
    expect(keymap.actionFor("a")).toBeNull();
    expect(keymap.actionFor("")).toBeNull();
  });

  test("are spelt as the keyboard decoder spells them", () => {
    for (const action of keyActionNames) {
      for (const key of keyActions[action].keys) expect(canonicalKey(key)).toBe(key);
    }
  });
});

describe("one's own keys", () => {
  test("take the place of the default ones", () => {
    const { keymap, problems } = createKeymap({ "open-viewer": ["ctrl+y", "F5"] });
    expect(problems).toEqual([]);
    expect(keymap.actionFor("ctrl+y")).toBe("open-viewer");
    expect(keymap.actionFor("f5")).toBe("open-viewer");
    expect(keymap.actionFor("ctrl+o")).toBeNull();
    expect(keymap.keysFor("open-viewer")).toEqual(["ctrl+y", "f5"]);
  });

  test("take a key from a default action, and it is said when that has none left", () => {
    const { keymap, problems } = createKeymap({ abort: ["ctrl+o"] });
    expect(keymap.actionFor("ctrl+o")).toBe("abort");
    expect(problems).toEqual([{ action: "open-viewer", words: "has no key left: other actions use them all" }]);
  });

  test("may be none at all", () => {
    const { keymap, problems } = createKeymap({ suspend: [] });
    expect([keymap.actionFor("ctrl+z"), problems]).toEqual([null, []]);
  });
});

describe("what cannot be", () => {
  test.each([
    [{ abrot: ["ctrl+x"] }, "is not an action; did you mean abort?"],
    [{ abort: ["ctrl+"] }, '"ctrl+" is not a key; keys are written as ctrl+x, alt+up, shift+enter, f5'],
    [{ abort: ["hyper+x"] }, '"hyper+x" is not a key; keys are written as ctrl+x, alt+up, shift+enter, f5'],
    [{ abort: ["x"] }, "x types text; add ctrl or alt"],
    [{ abort: ["shift+x"] }, "shift+x types text; add ctrl or alt"],
    [{ abort: ["ctrl+m"] }, "most terminals cannot tell ctrl+m from enter"],
    [{ abort: ["ctrl+c"] }, "ctrl+c always means cancel"],
    [{ abort: ["ctrl+x"], redraw: ["ctrl+x"] }, "ctrl+x is already bound to abort"],
    [{ submit: [] }, "needs a key, and keeps enter"],
    [{ cancel: [] }, "needs a key, and keeps ctrl+c"],
  ])("%j is told", (bindings: Record<string, string[]>, words) => {
    expect(createKeymap(bindings).problems.map((problem) => problem.words)).toContain(words);
  });

  test("a binding that cannot be leaves the default key", () => {
    expect(createKeymap({ abort: ["ctrl+m"] }).keymap.actionFor("escape")).toBe("abort");
  });

  test("whatever is bound, ctrl+c cancels and something sends", () => {
    const anyKey = fc.oneof(fc.constantFrom("ctrl+c", "enter", "escape", "ctrl+o", "alt+x", "x", ""), fc.string());
    const anyAction = fc.oneof(fc.constantFrom<string>(...keyActionNames), fc.string());
    fc.assert(
      fc.property(fc.dictionary(anyAction, fc.array(anyKey, { maxLength: 3 })), (bindings) => {
        const { keymap } = createKeymap(bindings);
        expect(keymap.actionFor("ctrl+c")).toBe("cancel");
        expect(keymap.keysFor("cancel")).toContain("ctrl+c");
      }),
    );
  });
});

describe("the list of keys", () => {
  test("has every action with its keys and words, those without a key last", () => {
    const rows = keyRows(createKeymap({ submit: ["ctrl+s"], redraw: [] }).keymap);
    expect(rows[0]).toEqual({ action: "submit", keys: "ctrl+s", words: "send" });
    expect(rows.at(-1)).toEqual({ action: "redraw", keys: "", words: "redraw the screen" });
    expect(rows).toHaveLength(keyActionNames.length);
  });
});

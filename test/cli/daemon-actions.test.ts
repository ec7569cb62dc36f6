// The words of `palaver action` for a key that cannot be used as it was written.
import { expect, test } from "vitest";
import { missingValue, unknownAction } from "../../src/cli/commands/daemon-commands.js";
import type { StateEntry } from "../../src/contract/daemon.js";
import { handlerTypes } from "../../src/contract/handler-types.js";

const entry = (shortcut: string, kind: keyof typeof handlerTypes, value = ""): StateEntry => ({
  tab_title: "BUILD",
  handler_name: shortcut,
  handler_color: "#fff",
  handler_type: handlerTypes[kind],
  label: shortcut,
  value,
  shortcut,
  shortcuts: [{ p: "production" }],
});
const state = [entry("Mode", "edit", "development"), entry("Rebuild", "execution"), entry("New", "interactive")];

test("a field is not emptied because its value was forgotten", () => {
  expect(missingValue(state, "Mode")).toBe(
    'Mode is a field and needs a value: palaver action Mode VALUE ("" empties it); it is now "development"',
  );
  expect(missingValue(state, "BUILD/Mode")).toContain("BUILD/Mode is a field and needs a value");
  for (const key of ["p", "Rebuild", "New", "quit"]) expect(missingValue(state, key)).toBeNull();
});

test("a misspelt key is guessed", () => {
  expect(unknownAction([state], "mod")).toBe('the daemon has no action "mod"; did you mean "Mode"?');
  expect(unknownAction([state], "Watch")).toBe('the daemon has no action "Watch"; palaver state lists its actions');
  expect(unknownAction([state, null], "x")).toBe('no daemon has an action "x"; palaver state lists all actions');
});

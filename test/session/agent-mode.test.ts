// A mode in which the agent never asks is recognised by its name, however the agent writes it.
import { expect, test } from "vitest";
import { neverAsks } from "../../src/session/agent-mode.js";

test.each([
  ...[
    "YOLO",
    "bypassPermissions",
    "full access",
    "danger-full-access",
    "never, workspace write",
    "dontAsk",
    "don’t ask",
  ],
  ...[
    "auto-approve",
    "autopilot",
    "accept all",
    "approve everything",
    "trust-all",
    "no confirmation",
    "without asking",
  ],
  ...["unrestricted", "Y\u200bO\u2060LO", "by\u00adpass"],
])("%s never asks", (label) => {
  expect(neverAsks({ value: "m1", label })).toBe(true);
  expect(neverAsks({ value: label, label: "normal" })).toBe(true);
});

test.each([
  "ask",
  "plan only",
  "accept edits",
  "auto",
  "auto_edit",
  "read only",
  "default",
  "smart approve",
  "notebook",
])("%s may ask", (label) => expect(neverAsks({ value: label, label })).toBe(false));

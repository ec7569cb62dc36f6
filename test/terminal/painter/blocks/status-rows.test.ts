// The quiet lines around the composer: what moves while the agent works, and what is known of it.
import { expect, test } from "vitest";
import { type FactsInput, reduceFacts, startingFacts } from "../../../../src/session/session-facts.js";
import { unicodeGlyphs } from "../../../../src/terminal/painter/blocks/glyphs.js";
import { statusRow, workingRows } from "../../../../src/terminal/painter/blocks/status-rows.js";
import type { Look } from "../../../../src/text/look.js";
import { plainText } from "../../../../src/text/row.js";
import { colourless } from "../visible.js";

const look = { style: colourless, glyphs: unicodeGlyphs };
const place = { agent: "claude", folder: "", branch: "main", session: "" };

function after(...inputs: FactsInput[]) {
  return inputs.reduce((state, input) => reduceFacts(state, input, 0).state, startingFacts);
}

const readied: FactsInput = { type: "agent.readied", sessionId: null, ui: true, protocolVersion: "1" };

test("a spinner turns while the agent works, and is gone when it rests", () => {
  const working = after(readied, { type: "prompt.started", sessionId: null });
  const row = (tick: number) => workingRows(working, { nowMs: 12_000, tick }, look).map(plainText);
  expect(row(0)).toEqual([`  ${unicodeGlyphs.spinner[0]} working  12 s · esc stop`]);
  expect(row(1)).toEqual([`  ${unicodeGlyphs.spinner[1]} working  12 s · esc stop`]);
  const rested = after(
    readied,
    { type: "prompt.started", sessionId: null },
    { type: "prompt.finished", sessionId: null },
  );
  expect(workingRows(rested, { nowMs: 12_000, tick: 0 }, look)).toEqual([]);
});

test("the status says how full the context is, once the agent has said it", () => {
  expect(plainText(statusRow(after(readied), place, 60, look))).toBe("  claude · main");
  const told = after(readied, { type: "usage.changed", sessionId: null, context: { used: 92_000, size: 200_000 } });
  expect(plainText(statusRow(told, place, 60, look))).toBe("  claude · main · context 46 %");
  expect(plainText(statusRow(told, place, 20, look))).toBe("  claude · main");
});

test("no tokens, and a cost and a context that round to nothing, are left out", () => {
  const none = after(readied, { type: "usage.changed", sessionId: null, usage: { total_tokens: 0 } } as FactsInput);
  expect(plainText(statusRow(none, place, 60, look))).toBe("  claude · main");
  const usage = { total_tokens: 900, cost: { total: 0.0001 } };
  const told = after(readied, {
    ...{ type: "usage.changed", sessionId: null, usage },
    context: { used: 900, size: 1_000_000 },
  } as FactsInput);
  expect(plainText(statusRow(told, place, 60, look))).toBe("  claude · main · 900 tok");
});

test("how many prompts wait is said however narrow it is; the other details give way to it", () => {
  const queued = after(
    readied,
    { type: "prompt.started", sessionId: null },
    { type: "status.changed", sessionId: null, key: "mode", text: "careful" },
    { type: "prompt.submitted", text: "and then this" },
  );
  const at = (widthCells: number) => plainText(statusRow(queued, place, widthCells, look));
  expect(at(60)).toBe("  claude · main · careful · 1 queued");
  expect(at(30)).toBe("  claude · main · 1 queued");
  expect(at(20)).toBe("  claude · 1 queued");
});

test("a built-in agent whose commands run without a sandbox says so in the colour of a warning", () => {
  const painted = {
    ...look,
    style: { ...colourless, paint: (role: Look, text: string) => `<${String(role)}>${text}` },
  };
  const row = (text: string) =>
    statusRow(after(readied, { type: "status.changed", sessionId: null, key: "sandbox", text }), place, 60, painted);
  expect(row("sandbox")).toBe("<dim>  claude · main · sandbox");
  expect(row("no sandbox")).toContain("<warn>no sandbox");
});

function inMode(value: string, label: string): FactsInput {
  const options = [{ value, label }];
  return {
    type: "settings.changed",
    sessionId: null,
    settings: [{ key: "mode", label: "Mode", kind: "mode", value, options }],
  };
}

test("agent, model, mode, folder, branch and session stand there; the details on the right go first", () => {
  const facts = after({ ...readied, model: "sonnet-5" } as FactsInput, inMode("plan", "plan"), {
    type: "usage.changed",
    sessionId: null,
    usage: { total_tokens: 12_400 },
  });
  const where = {
    agent: "claude",
    folder: "~/src/parser",
    branch: "main",
    session: "fix the failing test in parser.ts",
  };
  const at = (widthCells: number) => plainText(statusRow(facts, where, widthCells, look));
  expect(at(90)).toBe("  claude · sonnet-5 · plan · ~/src/parser · main · 12.4 k tok · fix the failing tes…");
  expect(at(70)).toBe("  claude · sonnet-5 · plan · ~/src/parser · main · 12.4 k tok");
  expect(at(40)).toBe("  claude · sonnet-5 · plan");
  expect(at(12)).toBe("  claude");
});

test("a mode that never asks has the colour of a warning, and stays however narrow it is", () => {
  const painted = {
    ...look,
    style: { ...colourless, paint: (role: Look, text: string) => `<${String(role)}>${text}` },
  };
  const row = (value: string, label: string, widthCells = 90) =>
    statusRow(after(readied, inMode(value, label)), place, widthCells, painted);
  for (const [value, label] of [
    ["yolo", "YOLO"],
    ["bypassPermissions", "bypassPermissions"],
    ["full-access", "Full Access"],
    ["never", "never"],
  ] as const) {
    expect(row(value, label)).toContain(`<warn>${label}`);
    expect(statusRow(after(readied, inMode(value, label)), place, 30, look)).toContain(label);
  }
  expect(row("default", "Default")).not.toContain("<warn>");
  expect(row("acceptEdits", "accept edits")).not.toContain("<warn>");
});

// What a question keeps in a small window: right-hand details go first, then the hints, then the status; never the question,
// never the answer.
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { liveRowsMax } from "../../../src/terminal/painter/frame.js";
import { DOWN, Stage } from "./stage.js";

const COLUMNS = [20, 30, 40, 60, 80, 140] as const;
const ROWS = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 24, 36, 50] as const;
const STATUS = "  agent.py";

const options = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    label: `choice${at}`,
    value: `${at}`,
    description: `what choice ${at} means`,
  }));

const questions: Readonly<Record<string, Ask["question"]>> = {
  "a list of three": { kind: "select", params: { title: "Which?", options: options(3) } },
  "a list of six with a message": {
    kind: "select",
    params: { title: "Which?", message: "One of them is right.", options: options(6) },
  },
  "a list of forty": { kind: "select", params: { title: "Which?", options: options(40) } },
  "a yes or no": { kind: "confirm", params: { title: "Which?", message: "Think about it." } },
  "a line of text": { kind: "input", params: { title: "Which?", message: "A word will do." } },
  "a longer text": { kind: "editor", params: { title: "Which?", prefill: "one\ntwo\nthree\nfour\nfive\nsix" } },
  "a form": {
    kind: "form",
    params: {
      title: "Which?",
      fields: ["one", "two", "three", "four"].map((name) => ({ name, kind: "text" as const, label: `Field ${name}` })),
    },
  },
};

interface Seen {
  readonly rows: readonly string[];
  readonly size: string;
  readonly room: number;
}

async function atEverySize(stage: Stage, look: (seen: Seen) => void): Promise<void> {
  for (const columns of COLUMNS)
    for (const rows of ROWS) {
      await stage.resize(columns, rows);
      stage.wait(2_000);
      look({
        rows: (await stage.screen()).split("\n"),
        size: `${columns}x${rows}`,
        room: liveRowsMax({ columns, rows }),
      });
    }
}

function check({ rows, size, room }: Seen): void {
  const screen = rows.join("\n");
  const asked = rows.filter((row) => row.startsWith("▌"));
  expect(asked[0], size).toContain("Which?");
  expect(
    asked.some((row) => /^▌ (❯|›)/.test(row) || /› | {2}six/.test(row)),
    `${size} shows no answer:\n${screen}`,
  ).toBe(true);
  const hasHints = asked.some((row) => row.includes("esc "));
  if (rows.some((row) => row.startsWith(STATUS))) return;
  expect(asked.length, `${size} has room for the status:\n${screen}`).toBe(room);
  expect(hasHints, `${size} names keys without a status:\n${screen}`).toBe(false);
}

describe("in a window of any size", () => {
  test.each(Object.entries(questions))("%s keeps question, answer and status before the hints", async (_, question) => {
    const stage = new Stage(80, 24).ready();
    stage.hear({
      type: "ask.raised",
      sessionId: null,
      ask: { id: "q", sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null },
    });
    stage.wait(2_000);
    await atEverySize(stage, check);
  });

  test("every answer of a short list is shown before the keys are named", async () => {
    const stage = new Stage(80, 24).ready();
    stage.hear({
      type: "ask.raised",
      sessionId: null,
      ask: {
        id: "q",
        sessionId: null,
        turnId: null,
        origin: { kind: "agent" },
        question: { kind: "select", params: { title: "Which?", options: options(5) } },
        deadlineMs: null,
      },
    });
    stage.wait(2_000);
    await atEverySize(stage, ({ rows, size, room }) => {
      const shown = rows.filter((row) => /choice\d/.test(row)).length;
      if (room >= 7) expect(shown, `${size}\n${rows.join("\n")}`).toBeGreaterThanOrEqual(5);
    });
  });
});

test("a menu of settings keeps the status at 60x14", async () => {
  const stage = new Stage(60, 14).ready();
  stage.type("/settings", "\r");
  stage.type(DOWN);
  expect((await stage.screen()).split("\n").at(-1)).toContain(STATUS);
});

test("beside a draft, a window without hints says in place of the status how to answer", async () => {
  const stage = new Stage(40, 10);
  stage.ready();
  stage.type("what I write");
  const params: Extract<Ask["question"], { kind: "permission" }>["params"] = {
    title: "bash make",
    tool: "bash",
    command: "make",
    choices: [
      { id: "y", label: "allow once", choice: "allow_once" },
      { id: "a", label: "always", choice: "allow_always" },
      { id: "n", label: "no", choice: "reject_once" },
    ],
  };
  const ask = { id: "q1", sessionId: null, turnId: null, origin: { kind: "agent" as const }, deadlineMs: null };
  stage.hear({ type: "ask.raised", sessionId: null, ask: { ...ask, question: { kind: "permission", params } } });
  stage.wait(3_000);
  expect(await stage.screen()).toMatch(/› what I write\n {2}ctrl\+x to answer$/);
  stage.type("\x18");
  expect(await stage.screen()).not.toContain("ctrl+x to answer");
});

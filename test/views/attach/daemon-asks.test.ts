// Questions of the daemon in the attached view: when they take keys, where all other keys go, and when they go away.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { AttachStage, ENTER, RIGHT } from "./attach-stage.js";

describe("questions of the daemon", () => {
  const ask: Ask = {
    id: "q1",
    sessionId: null,
    turnId: null,
    origin: { kind: "mcp", name: "editor" },
    question: { kind: "confirm", params: { title: "Deploy now?" } },
    deadlineMs: null,
  };

  test("a question waits until no one types, takes the keys, and its answer goes to the daemon", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 14 }).connect();
    await stage.type(RIGHT);
    stage.openAsks = [ask];
    await stage.news({ type: "asks" });
    expect(await stage.screen()).toContain("▌ Deploy now?");
    await stage.wait(1_000);
    expect(await stage.screen()).toContain("from editor");
    await stage.type(ENTER, "x", "q");
    await stage.wait(1_000);
    expect(stage.answers).toEqual([]);
    expect(stage.shownAsks).toEqual(["q1"]);
    expect(stage.left).toBe("no");
    await stage.type("y");
    await stage.wait(1_000);
    expect(stage.answers).toMatchObject([{ askId: "q1", outcome: { kind: "answered" } }]);
    expect(await stage.screen()).not.toContain("Deploy now?");
  });

  test.each([1, 2, 3, 4, 5, 8])(
    "in a window of %i rows nothing can be approved that is not on the screen",
    async (rows) => {
      const question = { kind: "confirm", params: { title: "Deploy now?", opts: { command: "make deploy" } } } as const;
      const stage = await new AttachStage({ columns: 60, rows }).connect();
      stage.openAsks = [{ ...ask, question }];
      await stage.news({ type: "asks" });
      await stage.wait(2_000);
      const isShown = (await stage.screen()).includes("make deploy");
      await stage.type("y");
      await stage.wait(2_000);
      expect(stage.answers.length).toBe(isShown ? 1 : 0);
      expect(isShown).toBe(rows > 3);
    },
  );

  test("no reason is offered that no agent would get, and no stop of an agent that is not here", async () => {
    const opts = { tool: "bash", command: "make deploy" };
    const stage = await new AttachStage({ columns: 60, rows: 14 }).connect();
    stage.openAsks = [{ ...ask, question: { kind: "confirm", params: { title: "Deploy now?", opts } } }];
    await stage.news({ type: "asks" });
    await stage.wait(2_000);
    const screen = await stage.screen();
    expect(screen).toContain("esc no");
    expect(screen).not.toContain("stop");
    expect(screen).not.toContain("reason");
    await stage.type("r");
    await stage.wait(2_000);
    expect(await stage.screen()).not.toContain("reason");
    expect(stage.answers).toEqual([]);
  });

  test("while the daemon is gone no question is shown, and afterwards those that are still open", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 14 }).connect();
    stage.openAsks = [ask];
    await stage.news({ type: "asks" });
    await stage.wait(1_000);
    await stage.news({ type: "disconnected", retryInMs: 250 });
    expect(await stage.screen()).not.toContain("Deploy now?");
    await stage.type(ENTER);
    expect(stage.answers).toEqual([]);
  });

  test("one that was answered elsewhere goes away", async () => {
    const stage = await new AttachStage({ columns: 60, rows: 14 }).connect();
    stage.openAsks = [ask];
    await stage.news({ type: "asks" });
    await stage.wait(1_000);
    stage.openAsks = [];
    await stage.news({ type: "asks" });
    expect(await stage.screen()).not.toContain("Deploy now?");
    expect(stage.answers).toEqual([]);
  });

  test("beside a search that is being typed every key belongs to the search", async () => {
    for (const keys of [["1"], ["\x1b[A", ENTER]]) {
      const stage = await new AttachStage({ columns: 60, rows: 14 }).connect();
      await stage.type("/", "e", "r", "r");
      stage.openAsks = [ask];
      await stage.news({ type: "asks" });
      await stage.wait(2_000);
      for (const key of keys) {
        await stage.type(key);
        await stage.wait(400);
      }
      await stage.wait(2_000);
      expect(stage.answers).toEqual([]);
    }
  });

  test("typed text answers nothing and runs no shortcut of the view", async () => {
    const char = fc.constantFrom(..."123456789yanrd qr");
    const stroke = fc.record({ char, afterMs: fc.constantFrom(20, 60, 100, 200, 400) });
    await fc.assert(
      fc.asyncProperty(fc.array(stroke, { minLength: 2, maxLength: 8 }), async (strokes) => {
        const stage = await new AttachStage({ columns: 60, rows: 14 }).connect();
        stage.openAsks = [ask];
        await stage.news({ type: "asks" });
        await stage.wait(1_000);
        const acted = stage.actions.length;
        for (const { char: typed, afterMs } of strokes) {
          await stage.type(typed);
          await stage.wait(afterMs);
        }
        await stage.wait(400 - (strokes.at(-1)?.afterMs ?? 0));
        expect(stage.answers).toEqual([]);
        expect(stage.actions).toHaveLength(acted);
        expect(stage.left).toBe("no");
      }),
      { numRuns: 15 },
    );
  });
});

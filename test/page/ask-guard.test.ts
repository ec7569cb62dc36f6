// When a question on the page takes a tap or a key.
import { describe, expect, test } from "vitest";
import { AskGuard } from "../../src/page/state/ask-guard.js";
import { NetStage } from "./net-stage.js";

function guardOn(stage: NetStage) {
  const answered: string[] = [];
  const guard = new AskGuard("a", stage.ports, (key) => answered.push(key));
  return { guard, answered };
}

describe("the guard of a question", () => {
  test("opens after all of it was in sight and a quiet moment", async () => {
    const stage = new NetStage();
    const { guard } = guardOn(stage);
    await stage.advance(5_000);
    expect(guard.phase.value).toBe("reading");
    guard.drawn();
    await stage.advance(700);
    expect(guard.phase.value).toBe("settling");
    await stage.advance(200);
    expect(guard.phase.value).toBe("open");
    guard.stop();
    expect(stage.timerCount).toBe(0);
  });

  test("closes for a quiet moment when something else is tapped or scrolled", async () => {
    const stage = new NetStage();
    const { guard } = guardOn(stage);
    guard.drawn();
    await stage.advance(1_000);
    guard.busy();
    expect(guard.phase.value).toBe("settling");
    await stage.advance(1_000);
    expect(guard.phase.value).toBe("open");
    guard.stop();
  });

  test("takes an answer key that stands alone, and no word that begins with one", async () => {
    const stage = new NetStage();
    const { guard, answered } = guardOn(stage);
    guard.drawn();
    await stage.advance(1_000);
    guard.key("y", "answer");
    guard.key("e", "other");
    guard.key("s", "other");
    await stage.advance(3_000);
    expect(answered).toEqual([]);
    guard.key("y", "answer");
    await stage.advance(1_100);
    expect(answered).toEqual(["y"]);
    guard.stop();
  });

  test("takes nothing while its answers are out of sight, also a key that was held before", async () => {
    const stage = new NetStage();
    const { guard, answered } = guardOn(stage);
    guard.drawn();
    await stage.advance(1_000);
    guard.key("y", "answer");
    guard.hidden();
    await stage.advance(5_000);
    guard.key("y", "answer");
    await stage.advance(5_000);
    expect([guard.phase.value, answered]).toEqual(["reading", []]);
    guard.drawn();
    await stage.advance(700);
    expect(guard.phase.value).toBe("settling");
    await stage.advance(200);
    expect(guard.phase.value).toBe("open");
    guard.stop();
    expect(stage.timerCount).toBe(0);
  });

  test("counts a frozen page as busy", async () => {
    const stage = new NetStage();
    const { guard, answered } = guardOn(stage);
    guard.drawn();
    await stage.advance(1_000);
    stage.sleep(10_000);
    guard.key("y", "answer");
    await stage.advance(500);
    expect(answered).toEqual([]);
    guard.stop();
  });
});

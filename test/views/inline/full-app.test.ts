// The whole app on the full screen: the same conversation, questions and viewer as on the inline screen, and the same lines
// in the scrollback at the end.
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { ImageQueue } from "../../../src/terminal/pictures/image-queue.js";
import { somePng } from "../../terminal/painter/pictures/some-png.js";
import { verifies } from "../../verifies.js";
import { CTRL_X } from "../talk-stage.js";
import { Stage } from "./stage.js";
import { PAGE_UP } from "./surface-rig.js";

const sessionId = null;
const says = (text: string): SessionEvent => ({
  type: "message.finished",
  sessionId,
  message: { role: "assistant", content: [{ type: "text", text }] },
});
const ask: SessionEvent = {
  type: "ask.raised",
  sessionId,
  ask: {
    id: "a",
    sessionId,
    turnId: null,
    origin: { kind: "agent" },
    question: { kind: "confirm", params: { title: "Delete it?" } },
    deadlineMs: null,
  },
};

function fullStage(): Stage {
  return new Stage(60, 12, { screen: "full" }).ready();
}

describe("the app on the full screen", () => {
  test("shows a conversation, and leaves it in the scrollback", async () => {
    const stage = fullStage();
    stage.type(..."hello", "\r");
    stage.hear(says("First.\n\nSecond."));
    stage.hear({ type: "prompt.finished", sessionId });
    stage.wait(100);
    const shown = await stage.screen();
    expect(stage.emulator.screen()).toBe("alternate");
    expect(shown).toMatch(/^› hello\n\nFirst\.\n\nSecond\.\n/);
    stage.renderer.close();
    await stage.screen();
    expect(stage.emulator.screen()).toBe("normal");
    expect(
      stage.emulator
        .allRows()
        .map((row) => row.trimEnd())
        .join("\n")
        .trimEnd(),
    ).toBe("› hello\n\nFirst.\n\nSecond.");
  });

  test("typing never approves: a question takes keys after it was drawn and a quiet moment", async () => {
    const stage = fullStage();
    stage.type("y");
    stage.hear(ask);
    stage.type("y", "y");
    stage.wait(300);
    expect(await stage.screen()).toContain("▌ Delete it?  waiting for you to finish typing");
    stage.type("y");
    stage.wait(1_700);
    expect(stage.sent).toEqual([]);
    expect(await stage.screen()).toContain("❯ n  no");
    stage.type(CTRL_X);
    stage.wait(300);
    stage.choose(PAGE_UP);
    expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("the viewer opens over it and leads back to it", async () => {
    const stage = fullStage();
    for (let at = 0; at < 20; at += 1) stage.hear(says(`Paragraph ${at}.`));
    stage.wait(100);
    stage.type("\x0f");
    expect(await stage.screen()).toMatch(/q close.*$/);
    stage.hear(says("Meanwhile."));
    stage.type("q");
    stage.wait(100);
    expect(await stage.screen()).toContain("\nMeanwhile.\n");
    expect(stage.emulator.screen()).toBe("alternate");
    expect(stage.emulator.modes()).toMatchObject({ mouseTrackingMode: "vt200" });
  });

  test("the mouse is given to the terminal while everything stays on screen, and taken again", async () => {
    const stage = fullStage();
    stage.look.mouse = "off";
    stage.renderer.restyle();
    await stage.screen();
    expect(stage.emulator.modes()).toMatchObject({ mouseTrackingMode: "none" });
    stage.look.mouse = "wheel";
    stage.renderer.restyle();
    await stage.screen();
    expect(stage.emulator.modes()).toMatchObject({ mouseTrackingMode: "vt200" });
    stage.renderer.close();
    await stage.screen();
    expect(stage.emulator.modes()).toMatchObject({ mouseTrackingMode: "none" });
  });

  test("leaving prints every line once, also those that came while it was scrolled away", async () => {
    verifies("screen.full-leaves-the-transcript");
    const stage = fullStage();
    for (let at = 0; at < 30; at += 1) stage.hear(says(`Paragraph ${at}.`));
    stage.wait(100);
    stage.type(PAGE_UP);
    for (let at = 30; at < 40; at += 1) stage.hear(says(`Paragraph ${at}.`));
    stage.wait(100);
    expect(await stage.screen()).toContain("lines below");
    stage.renderer.close();
    await stage.screen();
    const lines = stage.emulator.lines().filter((line) => line.startsWith("Paragraph"));
    expect(lines).toEqual(Array.from({ length: 40 }, (_, at) => `Paragraph ${at}.`));
  });

  test("a user who sends a message while scrolled up sees its answer", async () => {
    const stage = fullStage();
    for (let at = 0; at < 30; at += 1) stage.hear(says(`Paragraph ${at}.`));
    stage.wait(100);
    stage.type(PAGE_UP, PAGE_UP);
    expect(await stage.screen()).toContain("lines below");
    stage.type("and now?", "\r");
    stage.wait(100);
    expect(await stage.screen()).toMatch(/Paragraph 29\.\n\n› and now\?\n/);
  });

  test("a picture is words here, without its room, and is drawn when the screen is left", async () => {
    const pictures = new ImageQueue({ way: "kitty", firstId: 9, size: () => ({ columns: 60, rows: 12 }) });
    const stage = new Stage(60, 12, { screen: "full", pictures }).ready();
    const content = [{ type: "image" as const, mime_type: "image/png", data: somePng(40, 80).toString("base64") }];
    stage.hear({ type: "message.finished", sessionId, message: { role: "assistant", content } }, says("Below it."));
    stage.wait(100);
    expect(await stage.screen()).toMatch(/^ℹ picture, image\/png, 40 × 80, 1 kB\n\nBelow it\.\n/);
    expect(stage.written).not.toContain("\x1b_G");
    stage.renderer.close();
    await stage.screen();
    expect(stage.written.match(/a=p,i=9,c=4,r=4/g)).toHaveLength(1);
    expect(stage.emulator.lines().slice(0, 7)).toEqual([
      "ℹ picture, image/png, 40 × 80, 1 kB",
      ...["", "", "", ""],
      "",
      "Below it.",
    ]);
  });
});

// The whole app on the full screen: the same conversation, questions and viewer as on the inline screen, and the same lines
// in the scrollback at the end.
import { describe, expect, test } from "vitest";
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { createKeymap } from "../../../src/core/keymap.js";
import { unicodeGlyphs } from "../../../src/screen/blocks/glyphs.js";
import { InlineScreen } from "../../../src/screen/inline-screen.js";
import { Emulator } from "../../../src/testing/emulator.js";
import { ScreenFace } from "../../../src/tui/app/screen-face.js";
import { TerminalApp } from "../../../src/tui/app/terminal-app.js";
import { ManualClock, XTERM_JS } from "../../screen/rig.js";
import { colourless } from "../../screen/visible.js";
import { verifies } from "../../verifies.js";
import { PAGE_UP } from "./face-rig.js";

const size = { columns: 60, rows: 12 };
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

class FullStage {
  readonly clock = new ManualClock();
  readonly emulator = new Emulator(size);
  readonly sent: LinesCommand[] = [];
  readonly face: ScreenFace;
  readonly app: TerminalApp;
  private unread = "";

  constructor() {
    const { clock } = this;
    const write = (bytes: string) => {
      this.unread += bytes;
      return "drained" as const;
    };
    const look = {
      style: colourless,
      glyphs: unicodeGlyphs,
      wrap: "words",
      thinking: "shown",
      motion: "full",
      outputLinesMax: 5,
    } as const;
    const inline = new InlineScreen({ apply: write, clock, size, profile: XTERM_JS, onViolation: "throw" });
    this.face = new ScreenFace({ inline, apply: write, clock, look, mouse: "wheel" });
    this.app = new TerminalApp(
      {
        agent: "agent.py",
        folder: "/",
        look: { ...look },
        keymap: createKeymap({}).keymap,
        history: { load: () => [], append: () => undefined },
        draft: { recover: () => null, changed: () => undefined, end: () => undefined },
        shell: "sh",
        typingGuardMs: 400,
      },
      {
        clock,
        terminal: { write },
        face: this.face,
        attention: { update: () => undefined },
        send: (command) => this.sent.push(command),
        leave: () => undefined,
        restart: () => undefined,
        edit: (text) => Promise.resolve({ text }),
        exportTranscript: () => "",
        settings: () => [],
        change: () => null,
      },
    );
    this.face.setMode("full");
    this.app.hear({ type: "agent.readied", sessionId, ui: true, protocolVersion: "1" });
  }

  type(...keys: string[]): void {
    for (const key of keys) this.app.key(key);
  }

  wait(ms: number): void {
    for (let passed = 0; passed < ms; passed += 20) this.clock.advance(20);
  }

  async screen(): Promise<string[]> {
    const bytes = this.unread;
    this.unread = "";
    await this.emulator.write(bytes);
    const rows = this.emulator.viewport().map((row) => row.trimEnd());
    while (rows.at(-1) === "") rows.pop();
    return rows;
  }
}

describe("the app on the full screen", () => {
  test("shows a conversation, and leaves it in the scrollback", async () => {
    const stage = new FullStage();
    stage.type(..."hello", "\r");
    stage.app.hear(says("First.\n\nSecond."));
    stage.app.hear({ type: "prompt.finished", sessionId });
    stage.wait(100);
    const shown = await stage.screen();
    expect(stage.emulator.screen()).toBe("alternate");
    expect(shown.slice(0, 5)).toEqual(["› hello", "", "First.", "", "Second."]);
    stage.app.close();
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
    verifies("screen.14", "screen.15");
    const stage = new FullStage();
    stage.type("1");
    stage.app.hear(ask);
    stage.type("1", "1");
    stage.wait(300);
    expect(await stage.screen()).toContain("▌ Delete it?  waiting for you to finish typing");
    stage.type("1");
    stage.wait(1_000);
    expect(stage.sent).toEqual([]);
    expect((await stage.screen()).join("\n")).toContain("❯ 2  no");
    stage.type(PAGE_UP, "1");
    expect(stage.sent).toEqual([{ type: "ui_response", id: "a", result: true, error: null }]);
  });

  test("the viewer opens over it and leads back to it", async () => {
    const stage = new FullStage();
    for (let at = 0; at < 20; at += 1) stage.app.hear(says(`Paragraph ${at}.`));
    stage.wait(100);
    stage.type("\x0f");
    expect((await stage.screen()).at(-1)).toContain("q close");
    stage.app.hear(says("Meanwhile."));
    stage.type("q");
    stage.wait(100);
    const rows = await stage.screen();
    expect(rows).toContain("Meanwhile.");
    expect(stage.emulator.screen()).toBe("alternate");
    expect(stage.emulator.modes()).toMatchObject({ mouseTrackingMode: "vt200" });
  });
});

// Pictures in the terminal UI: what a terminal that can show them is sent, once, and what others see instead.
import { describe, expect, test } from "vitest";
import { ImageQueue, PICTURE_BYTES_MAX } from "../../../src/terminal/pictures/image-queue.js";
import { type PictureWay, pictureWayFor } from "../../../src/terminal/pictures/picture-way.js";
import { Stage } from "../../views/inline/stage.js";
import { somePng } from "../painter/pictures/some-png.js";

const png = somePng(100, 60);

function queueFor(way: Exclude<PictureWay, "none">, size = { columns: 60, rows: 20 }): ImageQueue {
  return new ImageQueue({ way, firstId: 5, size: () => size });
}

function written(pictures: ImageQueue, base64: string): string {
  return pictures.placed(pictures.linesFor(base64, 59).join("\r\n"));
}

describe("which terminals get pictures", () => {
  test.each<[Record<string, string>, PictureWay]>([
    [{ TERM: "xterm-kitty" }, "kitty-fixed"],
    [{ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, "kitty-fixed"],
    [{ TERM: "xterm-ghostty" }, "kitty"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "kitty"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "iterm"],
    [{ TERM: "xterm-256color" }, "none"],
    [{ TERM: "tmux-256color", KITTY_WINDOW_ID: "1" }, "none"],
    [{ TERM: "xterm-kitty", TMUX: "/tmp/tmux" }, "none"],
    [{ TERM: "screen-256color", TERM_PROGRAM: "iTerm.app", STY: "1.pts" }, "none"],
    [{ TERM: "xterm-ghostty", ZELLIJ: "0" }, "none"],
  ])("%j: %s", (environment, way) => {
    expect(pictureWayFor(environment)).toBe(way);
  });
});

describe("what is sent", () => {
  test("kitty: the pixels in pieces before the frame, one placement in it, no question that would be answered", () => {
    const bytes = written(queueFor("kitty"), somePng(400, 300).toString("base64"));
    const [upload = "", place = ""] = bytes.split("\x1b\\").filter((part) => part.includes("\x1b_G"));
    expect(upload).toMatch(/^\x1b_Ga=t,f=100,t=d,i=5,q=2,m=0;[A-Za-z0-9+/=]+$/);
    expect(place).toMatch(/\x1b7\r\x1b\[9A\x1b_Ga=p,i=5,c=27,r=10,C=1,q=2$/);
    expect(bytes.endsWith("\x1b8")).toBe(true);
  });

  test("a large one goes in pieces of at most 4,096", () => {
    const random = randomPng(120, 120);
    const pieces = written(queueFor("kitty"), random.toString("base64")).match(/\x1b_G[^\x1b]*\x1b\\/g) ?? [];
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.split(";")[1]?.length ?? 0).toBeLessThanOrEqual(4_098);
    expect(pieces.at(-2)).toMatch(/^\x1b_Gm=0;/);
  });

  test("iTerm2: all of it in one sequence, also a JPEG", () => {
    expect(written(queueFor("iterm"), png.toString("base64"))).toMatch(
      /\x1b\]1337;File=inline=1;size=\d+;width=10;height=3;preserveAspectRatio=1:[A-Za-z0-9+/=]+\x07\x1b8$/,
    );
    const jpeg = Buffer.from("ffd8ffc0001108012c01900301220002110103110100", "hex").toString("base64");
    expect(written(queueFor("iterm"), jpeg)).toContain("1337;File=");
    expect(written(queueFor("kitty"), jpeg)).toBe("");
  });

  test("never what is no picture, is damaged, too large or too heavy", () => {
    const pictures = queueFor("kitty");
    const hostile = `${png.toString("base64").slice(0, 60)}\x1b\\\x1b]0;owned\x07`;
    for (const base64 of [
      "",
      hostile,
      Buffer.from("\x1b[31m not a picture").toString("base64"),
      somePng(9_000, 1).toString("base64"),
      "A".repeat(PICTURE_BYTES_MAX * 2),
    ]) {
      expect(pictures.linesFor(base64, 59)).toEqual([]);
    }
  });

  test("each once: a line that is written again brings no second picture", () => {
    const pictures = queueFor("kitty");
    const lines = pictures.linesFor(png.toString("base64"), 59).join("\r\n");
    expect(pictures.placed(lines)).toContain("a=p");
    expect(pictures.placed(lines)).not.toContain("a=p");
  });

  test("where a resize would lay them over words they are taken away with the next frame", () => {
    let size = { columns: 60, rows: 20 };
    const pictures = new ImageQueue({ way: "kitty-fixed", firstId: 5, size: () => size });
    pictures.placed(pictures.linesFor(png.toString("base64"), 59).join("\r\n"));
    expect(pictures.placed("a frame")).toBe("a frame");
    size = { columns: 50, rows: 20 };
    expect(pictures.placed("a frame")).toBe("\x1b_Ga=d,d=I,i=5,q=2\x1b\\a frame");
    expect(pictures.placed("a frame")).toBe("a frame");
  });

  test("what waits too long behind another screen gives up its pixels, and keeps its words", () => {
    const pictures = queueFor("kitty");
    const heavy = randomPng(1_700, 1_700).toString("base64");
    const lines = Array.from({ length: 9 }, () => pictures.linesFor(heavy, 59).join("\r\n"));
    const shown = lines.filter((line) => pictures.placed(line).includes("a=p"));
    expect(shown.length).toBe(6);
  });
});

describe("in the transcript", () => {
  const message = (data: string) => ({
    role: "assistant" as const,
    content: [{ type: "image" as const, mime_type: "image/png", data }],
  });

  async function shown(images: "auto" | "off"): Promise<{ screen: string; bytes: string }> {
    const stage = new Stage(60, 20, { pictures: queueFor("kitty") });
    stage.look.images = images;
    stage.ready();
    stage.renderer.restyle();
    stage.hear({ type: "message.finished", sessionId: null, message: message(png.toString("base64")) });
    stage.hear({ type: "notice.shown", sessionId: null, level: "info", message: "after it" });
    stage.wait(60);
    const bytes = stage.written;
    return { screen: await stage.screen(), bytes };
  }

  test("the words stand above its rows, and what follows below them", async () => {
    const { screen, bytes } = await shown("auto");
    expect(bytes.match(/a=p,i=5/g)).toHaveLength(1);
    expect(screen).toMatch(/^ℹ picture, image\/png, 100 × 60, 1 kB\n\n\n\n\nℹ after it\n/);
  });

  test("an agent that writes the mark of a picture gets no picture for it", async () => {
    const pictures = queueFor("kitty");
    const stage = new Stage(60, 20, { pictures }).ready();
    const [mark = ""] = pictures.linesFor(somePng(10, 10).toString("base64"), 59);
    expect(mark).toContain("\x1b_");
    const content = [{ type: "text" as const, text: `look: ${mark}!` }];
    stage.hear({ type: "message.finished", sessionId: null, message: { role: "assistant", content } });
    stage.hear({ type: "notice.shown", sessionId: null, level: "info", message: mark });
    stage.wait(60);
    await stage.screen();
    expect(stage.written).not.toContain("\x1b_");
  });

  test("switched off there are only the words", async () => {
    const { screen, bytes } = await shown("off");
    expect(bytes).not.toContain("\x1b_G");
    expect(screen).toMatch(/^ℹ picture, image\/png, 100 × 60, 1 kB\n\nℹ after it\n/);
  });
});

// Pixels that do not pack.
function randomPng(widthPx: number, heightPx: number): Buffer {
  let state = 1;
  return somePng(widthPx, heightPx, [], () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

// What a picture is taken for, how much room it gets, and what of it is sent on.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstBytes, pictureFacts, pictureWords } from "../../../../src/terminal/painter/pictures/picture-facts.js";
import {
  pictureArea,
  pictureLines,
  placedPictures,
  withoutPictures,
} from "../../../../src/terminal/painter/pictures/picture-mark.js";
import { plainPng } from "../../../../src/terminal/pictures/image-queue.js";
import { rowWidth } from "../../../../src/text/row.js";
import { chunk, header, SIGNATURE, somePng } from "./some-png.js";

const jpeg = Buffer.from(
  "ffd8ffe000104a46494600010100000100010000ffc0001108012c0190030122000211010311 01".replace(" ", ""),
  "hex",
);

describe("what it is", () => {
  test.each([
    ["a PNG", somePng(640, 480), { type: "png", widthPx: 640, heightPx: 480 }],
    ["a JPEG, behind its notes", jpeg, { type: "jpeg", widthPx: 400, heightPx: 300 }],
    ["a GIF", Buffer.from("GIF89a\x20\x01\x10\x00", "latin1"), { type: "gif", widthPx: 288, heightPx: 16 }],
    ["text", Buffer.from("\x1b]52;c;AAAA\x07"), null],
    ["a PNG without a width", somePng(0, 5), null],
    ["a PNG that ends in its header", somePng(9, 9).subarray(0, 20), null],
    ["nothing", Buffer.alloc(0), null],
  ])("%s", (_, bytes, facts) => {
    expect(pictureFacts(bytes)).toEqual(facts);
  });

  test("the beginning of any base64 is what its bytes begin with", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 90 }), fc.integer({ min: 0, max: 99 }), (bytes, most) => {
        const base64 = Buffer.from(bytes).toString("base64");
        expect([...firstBytes(base64, most)]).toEqual([...bytes.subarray(0, most)]);
      }),
    );
  });

  test("its own bytes are believed, not the agent's word for it", () => {
    const base64 = somePng(1_024, 8).toString("base64");
    expect(pictureWords({ mimeType: "image/\x1b[31mjpeg", base64 })).toBe("picture, image/png, 1,024 × 8, 1 kB");
    expect(pictureWords({ mimeType: "image/svg+xml\x07", base64: "!" })).toBe("picture, image/svg+xml, 1 kB");
  });
});

describe("its room", () => {
  const cell = { widthPx: 10, heightPx: 20 };

  test("it is never enlarged, and made smaller as a whole", () => {
    expect(pictureArea({ widthPx: 100, heightPx: 100 }, cell, { columns: 80, rows: 24 })).toEqual({
      columns: 10,
      rows: 5,
    });
    expect(pictureArea({ widthPx: 1_600, heightPx: 800 }, cell, { columns: 80, rows: 10 })).toEqual({
      columns: 40,
      rows: 10,
    });
    expect(pictureArea({ widthPx: 5_000, heightPx: 1 }, cell, { columns: 0, rows: 0 })).toEqual({
      columns: 1,
      rows: 1,
    });
  });

  test("its lines have no text and no width; on a screen without pictures they are not there", () => {
    const lines = pictureLines(7, { columns: 4, rows: 3 });
    expect(lines.map(rowWidth)).toEqual([0, 0, 0]);
    expect(withoutPictures(["before", "", ...lines, "after"])).toEqual(["before", "", "after"]);
  });

  test("the mark becomes the picture, drawn upwards, and the cursor comes back", () => {
    const bytes = pictureLines(7, { columns: 4, rows: 3 }).join("\r\n");
    const seen: unknown[] = [];
    const placed = placedPictures(bytes, (id, area) => {
      seen.push(id, area);
      return "PIXELS";
    });
    expect(seen).toEqual([7, { columns: 4, rows: 3 }]);
    expect(placed).toBe("\r\n\r\n\x1b7\r\x1b[2APIXELS\x1b8");
    expect(placedPictures(bytes, () => "")).toBe("\r\n\r\n");
  });
});

describe("what of a PNG is sent on", () => {
  test("only what makes the picture: no texts, no profiles, nothing behind its end", () => {
    const text = chunk("tEXt", Buffer.from("Comment\0\x1b]0;owned\x07"));
    const given = Buffer.concat([somePng(3, 2, [text, chunk("iCCP")]), Buffer.from("behind")]);
    expect(Buffer.from(plainPng(given) ?? [])).toEqual(somePng(3, 2));
  });

  test.each([
    ["is cut off", somePng(3, 2).subarray(0, -1)],
    ["has a checksum that does not hold", damaged(somePng(3, 2), 20)],
    ["has no pixels", Buffer.concat([SIGNATURE, header(3, 2), chunk("IEND")])],
    ["begins with something else", Buffer.concat([SIGNATURE, chunk("tEXt"), header(3, 2), chunk("IEND")])],
    ["claims a chunk of four gigabytes", damaged(somePng(3, 2), 33)],
    ["is no PNG", Buffer.from("hello")],
  ])("nothing when it %s", (_, bytes) => {
    expect(plainPng(bytes)).toBe(null);
  });

  test("whatever bytes come, what goes out is what came in or less", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(255), (at, value) => {
        const bytes = somePng(3, 2);
        if (at < bytes.length) bytes[at] = value;
        expect(plainPng(bytes)?.length ?? 0).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

// JSON that may reach a terminal: no format control of any kind leaves as itself, and the value stays what it was.
import { expect, test } from "vitest";
import { jsonLine, jsonPage } from "../../../src/views/mini/json-line.js";

const FORMAT = /[\p{Cf}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

function everyFormatControl(): string[] {
  const found: string[] = [];
  for (let code = 0x80; code <= 0xe0fff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (FORMAT.test(character)) found.push(character);
  }
  return found;
}

test("every format control is escaped, and read back as itself", () => {
  const controls = everyFormatControl();
  expect(controls).toEqual(expect.arrayContaining(["\u061c", "\u2060", "\u202e", "\u{e0041}"]));
  for (const print of [jsonLine, jsonPage]) {
    const printed = print({ [controls.join("")]: controls });
    expect(printed.replaceAll("\n", "")).not.toMatch(FORMAT);
    expect(JSON.parse(printed)).toEqual({ [controls.join("")]: controls });
  }
});

test("what is seen stays as it is", () => {
  expect(jsonLine("naïve 漢字 ✌️")).toBe('"naïve 漢字 ✌️"\n');
});

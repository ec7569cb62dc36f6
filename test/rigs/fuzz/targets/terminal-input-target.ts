// What a terminal types: answers to our questions are picked out, and what is left becomes keys. Any cut gives the same
// answers and the same keys, no key is made up, and none is lost.
import { AnswerFilter, type TerminalReport } from "../../../../src/terminal/device/answers.js";
import { KeyStream } from "../../../../src/terminal/device/key-stream.js";
import { cutsOf } from "../any-cut.js";
import { broken, expectSame, type FuzzTarget } from "../fuzz-target.js";

export const terminalInputTarget: FuzzTarget = { name: "terminal-input", shape: "text", check };

function check(bytes: Uint8Array): void {
  const [whole = { answers: [], keys: "" }, ...others] = cutsOf(bytes).map(sift);
  for (const other of others) expectSame("another cut", whole, other);
  const typed = new TextDecoder().decode(bytes);
  if (whole.keys.length > typed.length) broken("keys that nobody typed");
  if (whole.answers.length === 0 && whole.keys !== typed) broken("keys were lost");
  const read: string[] = [];
  const keys = new KeyStream((key) => read.push(key));
  keys.read(whole.keys);
  keys.close();
  // Brackets of pastes are put around every paste, so only what is between them can be counted.
  const bare = (text: string) => text.replaceAll(/\x1b\[20[01]~/g, "");
  if (bare(read.join("")).length > whole.keys.length) broken("more keys than were typed");
}

function sift(cut: readonly Uint8Array[]): { answers: TerminalReport[]; keys: string } {
  const filter = new AnswerFilter();
  const decoder = new TextDecoder();
  const answers: TerminalReport[] = [];
  let keys = "";
  for (const chunk of cut) {
    const sifted = filter.feed(decoder.decode(chunk, { stream: true }), "answers");
    answers.push(...sifted.answers);
    keys += sifted.keys;
  }
  const last = filter.feed(decoder.decode(), "answers");
  return { answers: [...answers, ...last.answers], keys: keys + last.keys + filter.release() };
}

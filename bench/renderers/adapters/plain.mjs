// The floor: text is written once, as it comes, and typed characters are echoed. There is no live area and no dialog.
import { drained, STATUS_MARK } from "../marks.mjs";

export const meta = { name: "plain", markdown: false };

const BACKSPACE = "\x7f";

export async function create() {
  const print = (text) => process.stdout.write(text.replaceAll("\n", "\r\n"));
  return {
    caps: { chrome: { status: 1, borders: 0 } },
    async start() {
      process.stdin.setRawMode(true);
      process.stdin.on("data", (keys) => process.stdout.write(keys.toString() === BACKSPACE ? "\b \b" : keys));
      print(`${STATUS_MARK}\n`);
    },
    commit: (lines) => print(`${lines.join("\n")}\n`),
    append: print,
    request: () => {},
    flush: drained,
  };
}

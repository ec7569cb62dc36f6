// Readers of text that others wrote: config files, diffs, Markdown and command lines. None of them throws or loses what it
// was given, however broken it is.
import { parse } from "smol-toml";
import { withoutTomlValue, withTomlValue } from "../../../../src/cli/config/persist-setting.js";
import { lineOfPath, scanToml } from "../../../../src/cli/config/toml-lines.js";
import { splitCommand } from "../../../../src/session/permission/command-parts.js";
import { commandsIn } from "../../../../src/session/permission/loose-commands.js";
import { createMarkdownStream, markdownRows } from "../../../../src/terminal/painter/markdown/markdown-stream.js";
import { createStyle } from "../../../../src/terminal/painter/style/style.js";
import { parseUnifiedDiff } from "../../../../src/text/diff/unified-diff.js";
import { plainText } from "../../../../src/text/row.js";
import { cutsOf } from "../any-cut.js";
import { broken, expectSame, type FuzzTarget } from "../fuzz-target.js";

const style = createStyle({ theme: "harbour", depth: "none" });
const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

export const textTargets: readonly FuzzTarget[] = [
  { name: "toml", shape: "text", check: (bytes) => checkToml(text(bytes)) },
  { name: "diff", shape: "text", check: (bytes) => checkDiff(text(bytes)) },
  { name: "markdown", shape: "text", check: (bytes) => checkMarkdown(bytes) },
  { name: "command", shape: "text", check: (bytes) => checkCommand(text(bytes)) },
];

// Whatever is written into a file, taking it out again leaves the bytes that were there; what was there stays as it was.
function checkToml(before: string): void {
  scanToml(before);
  lineOfPath(before, ["permissions", "allow"]);
  if (!isToml(before)) return;
  for (const path of [["theme"], ["permissions", "allow"], ["a b", "c"]]) {
    const value = "fuzzed # \"value\" '''";
    let after: string;
    try {
      after = withTomlValue(before, path, value);
    } catch {
      // A table stands where the value should go; the file is left alone, which is all that is promised.
      continue;
    }
    if (!isToml(after)) broken(`the file cannot be read after ${path.join(".")} was set`);
    for (const line of commentsOf(before)) if (!after.includes(line)) broken(`a comment is lost: ${line}`);
    expectSame("the value", read(parse(after), path), value);
    const removed = withoutTomlValue(after, path);
    if (!isToml(removed)) broken(`the file cannot be read after ${path.join(".")} was taken out`);
    if (read(parse(removed), path) !== undefined) broken(`${path.join(".")} is still there`);
  }
}

function isToml(source: string): boolean {
  try {
    parse(source);
    return true;
  } catch {
    return false;
  }
}

function commentsOf(source: string): string[] {
  return source.split(/\r?\n/).filter((line) => /^[ \t]*#/.test(line));
}

function read(table: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    table,
  );
}

function checkDiff(source: string): void {
  const lines = source.split(/\r?\n/);
  const shown = parseUnifiedDiff(source).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  if (shown.length > lines.length) broken("lines that are not in the diff");
  const left = new Map<string, number>();
  for (const line of lines) left.set(line, (left.get(line) ?? 0) + 1);
  for (const line of shown) {
    const mark = line.kind === "add" ? "+" : line.kind === "remove" ? "-" : " ";
    const source = [mark + line.text, line.text].find((one) => (left.get(one) ?? 0) > 0);
    if (source === undefined) broken(`a line that is not in the diff: ${line.kind} ${line.text}`);
    left.set(source, (left.get(source) ?? 0) - 1);
  }
}

function checkMarkdown(bytes: Uint8Array): void {
  const source = text(bytes);
  const options = { style, wrap: "words" as const };
  const whole = markdownRows(source, 40, options);
  for (const row of whole) if (/[\x00-\x1f\x7f-\x9f]/.test(plainText(row))) broken("a control character comes through");
  for (const cut of cutsOf(bytes)) expectSame("another cut", streamed(cut, options), whole);
}

function streamed(cut: readonly Uint8Array[], options: Parameters<typeof createMarkdownStream>[0]): string[] {
  const stream = createMarkdownStream(options);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const rows: string[] = [];
  for (const chunk of cut) {
    stream.append(decoder.decode(chunk, { stream: true }));
    rows.push(...stream.takeSettled(40));
    if (cut.length < 400) stream.liveRows(40);
  }
  stream.append(decoder.decode());
  stream.finish();
  return [...rows, ...stream.takeSettled(40)];
}

// Nothing is made up: with quotes and backslashes taken away, the words are in the command, in their order.
function checkCommand(command: string): void {
  commandsIn(command);
  const split = splitCommand(command);
  if (split.kind === "unclear") return;
  let at = 0;
  for (const { words, text: part } of split.parts) {
    if (!command.includes(part)) broken(`a part that is not in the command: ${part}`);
    for (const character of words.join("")) {
      at = command.indexOf(character, at) + 1;
      if (at === 0) broken(`a word that is not in the command: ${words.join(" ")}`);
    }
  }
}

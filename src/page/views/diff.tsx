// A diff, unified or side by side, with the colours of its language and marks on the words that changed.
//
//    41   const out = [];                 41 const out = [];         41 const out = [];
//   −42   return out.join(",");           42 return out.join(",");   42 return out.join(", ");
//   +42   return out.join(", ");
import { useMemo, useState } from "preact/hooks";
import type { Run } from "../../text/code/grammar-run.js";
import { type Language, languageOfPath } from "../../text/code/languages.js";
import { changedWords, hunkRuns, withMarks } from "../../text/diff/diff-marks.js";
import { type DiffFile, type DiffLine, type Hunk, parseUnifiedDiff } from "../../text/diff/unified-diff.js";
import { humanLines } from "../../text/humanize.js";
import { safeLine, safeReveal } from "../../text/safe.js";
import { classOf } from "../blocks/element.js";
import { highlight, loadHighlighter } from "../blocks/highlighter.js";

interface DiffProps {
  readonly text: string;
  /** The path, when the diff does not say. */
  readonly path?: string;
  /** "reveal" spells out what cannot be seen, for approvals. */
  readonly letters: "safe" | "reveal";
  /** With more lines, the rest is behind a button. */
  readonly linesMax?: number;
}

export function Diff({ text, path = "", letters, linesMax = Number.POSITIVE_INFINITY }: DiffProps) {
  const [isSplit, setSplit] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const files = useMemo(() => parseUnifiedDiff(text), [text]);
  const total = files.reduce((sum, file) => sum + lineCount(file), 0);
  if (files.length === 0) return <pre class="plain">{text.split("\n").map(lettersOf(letters)).join("\n")}</pre>;
  const shown = isWhole || total <= linesMax ? files : cutTo(files, linesMax);
  const hidden = total - shown.reduce((sum, file) => sum + lineCount(file), 0);
  return (
    <div class={`diff ${isSplit ? "split" : ""}`}>
      <button type="button" class="quiet split-switch" onClick={() => setSplit(!isSplit)}>
        {isSplit ? "unified" : "side by side"}
      </button>
      {shown.map((file, at) => (
        <File key={at} file={file} path={path} letters={letters} isSplit={isSplit} isOnly={files.length === 1} />
      ))}
      {hidden > 0 && (
        <button type="button" class="quiet more" onClick={() => setWhole(true)}>
          … {humanLines(hidden, "more ")}
        </button>
      )}
    </div>
  );
}

function lineCount({ hunks }: DiffFile): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}

function cutTo(files: readonly DiffFile[], linesMax: number): DiffFile[] {
  let left = linesMax;
  return files.flatMap((file) => {
    const hunks = file.hunks.flatMap((hunk) => {
      const lines = hunk.lines.slice(0, Math.max(0, left));
      left -= lines.length;
      return lines.length === 0 ? [] : [{ ...hunk, lines }];
    });
    return hunks.length === 0 && file.hunks.length > 0 ? [] : [{ ...file, hunks }];
  });
}

function lettersOf(letters: DiffProps["letters"]): (line: string) => string {
  return letters === "reveal" ? safeReveal : safeLine;
}

interface FileProps {
  readonly file: DiffFile;
  readonly path: string;
  readonly letters: DiffProps["letters"];
  readonly isSplit: boolean;
  readonly isOnly: boolean;
}

function File({ file, path, letters, isSplit, isOnly }: FileProps) {
  const language = languageOfPath(file.path) ?? languageOfPath(path);
  const name = lettersOf(letters)(file.path || path);
  return (
    <div class="diff-file">
      {file.before.length > 0 && <pre class="plain">{file.before.map(lettersOf(letters)).join("\n")}</pre>}
      {(!isOnly || file.notes.length > 0) && (
        <p class="diff-name">
          <b>{name}</b> <span class="dim">{file.notes.map(safeLine).join(", ")}</span>
        </p>
      )}
      {file.hunks.map((hunk, at) => (
        <HunkLines key={at} hunk={hunk} isFirst={at === 0} language={language} letters={letters} isSplit={isSplit} />
      ))}
    </div>
  );
}

interface HunkProps {
  readonly hunk: Hunk;
  readonly isFirst: boolean;
  readonly language: Language | undefined;
  readonly letters: DiffProps["letters"];
  readonly isSplit: boolean;
}

interface DrawnLine extends DiffLine {
  readonly runs: readonly Run[];
}

function HunkLines({ hunk, isFirst, language, letters, isSplit }: HunkProps) {
  const module = highlight.value;
  if (language !== undefined) loadHighlighter();
  const lines = useMemo(() => {
    const safe = hunk.lines.map((line) => ({ ...line, text: lettersOf(letters)(line.text) }));
    const marks = changedWords(safe);
    const runs = hunkRuns(safe, (side) =>
      module === null ? side.map((text) => [{ text, look: undefined }]) : module.highlightRuns(side, language),
    );
    return safe.map((line, at): DrawnLine => {
      const own = runs[at] ?? [];
      const kind = line.kind;
      return { ...line, runs: kind === "context" ? own : withMarks(own, marks.get(at) ?? [], kind) };
    });
  }, [hunk, language, letters, module]);
  return (
    <div class="hunk">
      {!isFirst && <p class="hunk-gap dim">⋯ {safeLine(hunk.section)}</p>}
      {isSplit ? <SplitLines lines={lines} /> : lines.map((line, at) => <Line key={at} line={line} />)}
    </div>
  );
}

const SIGNS = { context: " ", add: "+", remove: "−" } as const;

function Line({ line }: { line: DrawnLine | null }) {
  if (line === null) return <div class="line void" />;
  return (
    <div class={`line ${line.kind}`}>
      <span class="number" data-number={line.number ?? ""} />
      <span class="sign">{SIGNS[line.kind]}</span>
      <span class="code-text">
        {line.runs.map(({ text, look }, at) => (
          <span key={at} class={classOf(look)}>
            {text}
          </span>
        ))}
        {line.isWithoutNewline === true && <span class="dim"> no newline at the end</span>}
      </span>
    </div>
  );
}

function SplitLines({ lines }: { lines: readonly DrawnLine[] }) {
  return (
    <>
      {pairs(lines).map(([left, right], at) => (
        <div key={at} class="diff-pair">
          <Line line={left} />
          <Line line={right} />
        </div>
      ))}
    </>
  );
}

/** Removed lines beside the added ones in their place. */
function pairs(lines: readonly DrawnLine[]): [DrawnLine | null, DrawnLine | null][] {
  const found: [DrawnLine | null, DrawnLine | null][] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.kind === "context") {
      found.push([line, line]);
      at += 1;
      continue;
    }
    const removed = runOf(lines, at, "remove");
    const added = runOf(lines, at + removed.length, "add");
    const rows = Math.max(removed.length, added.length);
    for (let row = 0; row < rows; row++) found.push([removed[row] ?? null, added[row] ?? null]);
    at += removed.length + added.length;
  }
  return found;
}

function runOf(lines: readonly DrawnLine[], start: number, kind: DiffLine["kind"]): DrawnLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(start, end);
}

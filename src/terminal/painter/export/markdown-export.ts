// A transcript as Markdown. What the agent wrote is Markdown already and stays as it is; everything else is put into
// quotes and fences that it cannot break out of.
import type { ExportMeta } from "./export-meta.js";
import type { ExportPart } from "./export-part.js";

export function markdownExport(parts: readonly ExportPart[], meta: ExportMeta): string {
  const head = [`# ${plainInline(meta.title)}`, `${meta.details.map(plainInline).join(" · ")}`];
  return `${[...head, ...parts.map(partText)].filter((text) => text !== "").join("\n\n")}\n`;
}

function partText({ from, mood, head, body, form }: ExportPart): string {
  switch (from) {
    case "person":
      return `## You\n\n${quoted(body)}`;
    case "agent":
      return withClosedFence(body);
    case "thinking":
      return quoted(`*thinking*\n\n${body}`);
    case "notice":
      return quoted([moodWord(mood), plainInline(head), body].filter(Boolean).join(" "));
    case "question":
      return `**?** ${plainInline(head)}`;
    case "picture":
      return `*${plainInline(head)}*`;
    case "tool":
    case "log": {
      const title = head === "" ? "" : `${mood === "bad" ? "✕" : "●"} ${codeSpan(head)}`;
      return [title, body === "" ? "" : fenced(body, form === "diff" ? "diff" : "")].filter(Boolean).join("\n\n");
    }
  }
}

function moodWord(mood: ExportPart["mood"]): string {
  return mood === "bad" ? "**error**" : mood === "warning" ? "**warning**" : "";
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const ticks = "`".repeat(longestRun(text) + 1);
  const space = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${space}${text}${space}${ticks}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function plainInline(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, "\\$&");
}

// A fence that was never closed would swallow everything after it.
function withClosedFence(text: string): string {
  let open = "";
  for (const line of text.split("\n")) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null) continue;
    const [, marks = "", rest = ""] = fence;
    if (open === "") open = marks;
    else if (marks.startsWith(open) && rest.trim() === "") open = "";
  }
  return open === "" ? text : `${text}\n${open}`;
}

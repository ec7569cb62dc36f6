// A transcript as plain text for a terminal or a pipe: the same signs as on the screen, no colours, nothing that moves.
import type { ExportPart } from "./export-part.js";

const SIGNS: Readonly<Record<ExportPart["from"], string>> = {
  person: "› ",
  agent: "",
  thinking: "∴ ",
  tool: "● ",
  notice: "ℹ ",
  question: "? ",
  log: "",
  picture: "ℹ ",
};

export function textExport(parts: readonly ExportPart[]): string {
  const texts = parts.map((part) => {
    const sign = part.head === "" && part.from === "tool" ? "" : signOf(part);
    const first = part.head === "" ? part.body : part.head;
    const rest = part.head === "" ? "" : part.body;
    const indent = part.from === "person" ? "  " : "";
    return [sign + first.split("\n").join(`\n${indent}`), rest].filter(Boolean).join("\n");
  });
  return texts.length === 0 ? "" : `${texts.filter(Boolean).join("\n\n")}\n`;
}

function signOf({ from, mood }: ExportPart): string {
  if (mood === "bad") return "✕ ";
  return from === "notice" && mood === "warning" ? "▲ " : SIGNS[from];
}

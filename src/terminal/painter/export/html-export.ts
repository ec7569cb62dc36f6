// A transcript as one HTML file: no scripts, nothing loaded from anywhere, light or dark as the reader's system is. All
// that comes from outside is escaped, and a policy in the head forbids whatever might have been forgotten.
import { THEMES } from "../style/themes.js";
import type { ExportMeta } from "./export-meta.js";
import type { ExportPart } from "./export-part.js";
import { escapeHtml, markdownToHtml, preformatted } from "./html-markdown.js";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** Formats that are pixels and nothing else: an SVG is a document that can act. */
const PIXELS = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function htmlExport(parts: readonly ExportPart[], meta: ExportMeta): string {
  const title = escapeHtml(meta.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${styleSheet()}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="details">${meta.details.map(escapeHtml).join(" · ")}</p>
${parts.map(section).join("\n")}
</main>
</body>
</html>
`;
}

function section(part: ExportPart): string {
  const head = part.head === "" ? "" : `<p class="head">${sign(part)}${escapeHtml(part.head)}</p>\n`;
  return `<section class="${part.from} ${part.mood}">\n${head}${body(part)}</section>`;
}

function sign({ from, mood }: ExportPart): string {
  if (mood === "bad") return "✕ ";
  return from === "tool" ? "● " : from === "question" ? "? " : "";
}

function body(part: ExportPart): string {
  if (part.picture !== undefined) return picture(part.picture);
  if (part.body === "") return "";
  if (part.form === "markdown") return `${markdownToHtml(part.body)}\n`;
  if (part.form === "diff") return `<pre>${part.body.split("\n").map(diffLine).join("\n")}</pre>\n`;
  return part.form === "output" ? `${preformatted(part.body)}\n` : `<p class="words">${escapeHtml(part.body)}</p>\n`;
}

function picture({ mimeType, base64 }: NonNullable<ExportPart["picture"]>): string {
  if (!PIXELS.test(mimeType) || !BASE64.test(base64)) return "";
  return `<img src="data:${mimeType};base64,${base64}" alt="">\n`;
}

function diffLine(line: string): string {
  const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "remove" : "";
  return kind === "" ? escapeHtml(line) : `<span class="${kind}">${escapeHtml(line)}</span>`;
}

function styleSheet(): string {
  return `:root { color-scheme: light dark; ${variables("paper")} }
@media (prefers-color-scheme: dark) { :root { ${variables("harbour")} } }
body { background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; margin: 0; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.4rem; } h2, h3, h4, h5, h6 { font-size: 1.05rem; }
.details, .thinking, .log, .picture .head { color: var(--dim); }
.thinking { font-style: italic; }
section { margin: 0 0 1.1rem; overflow-wrap: anywhere; }
.person .words { color: var(--user); border-left: 3px solid var(--user); padding-left: .7rem; }
.words { white-space: pre-wrap; margin: 0; }
.head { font-family: ui-monospace, monospace; font-size: .9rem; margin: 0 0 .3rem; }
.good .head { color: var(--ok); } .warning, .warning .head { color: var(--warn); } .bad, .bad .head { color: var(--danger); }
pre { background: var(--select); padding: .6rem .8rem; overflow-x: auto; font: .85rem/1.45 ui-monospace, monospace; border-radius: 4px; }
.bad pre, .warning pre { color: var(--text); }
code { font: .9em ui-monospace, monospace; }
.add { color: var(--add); } .remove { color: var(--remove); }
a { color: var(--accent); } img { max-width: 100%; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--dim); padding: .2rem .5rem; text-align: left; }
li p { margin: .2rem 0; }
blockquote { border-left: 3px solid var(--dim); margin-left: 0; padding-left: .8rem; }
`;
}

function variables(name: "paper" | "harbour"): string {
  const { background, colours, tints } = THEMES[name];
  const all = { ...colours, ground: background, select: name === "paper" ? "#f3f5f7" : tints.add };
  return Object.entries(all)
    .map(([role, hex]) => `--${role}: ${hex};`)
    .join(" ");
}

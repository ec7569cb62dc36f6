// A transcript as one HTML file: no scripts, nothing loaded from anywhere, light or dark as the reader's system is. All
// that comes from outside is escaped, and a policy in the head forbids whatever might have been forgotten.
import { type BlockMaker, BlockReader, type LineKind } from "../../../text/markdown/block-reader.js";
import type { Align } from "../../../text/markdown/block-starts.js";
import { type Container, NO_PREFIX, type Place } from "../../../text/markdown/container.js";
import { InlineReader, type Spans } from "../../../text/markdown/inline-reader.js";
import { THEMES } from "../../../text/themes.js";
import { CodeBlock, ProseBlock } from "../markdown/row-blocks.js";
import type { RowReader } from "../markdown/row-spans.js";
import { TableBlock } from "../markdown/table-block.js";
import { createStyle } from "../style/style.js";
import type { ExportMeta, ExportPart } from "./export-part.js";

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

// Markdown as HTML that cannot do anything: the same reader as for the screen, and every tag that comes out is written
// here. HTML inside the text is shown as text, links go to web and mail addresses only, pictures are links.
export function markdownToHtml(text: string): string {
  const reader = new BlockReader(new HtmlBlocks());
  for (const line of text.split(/\r\n|[\r\n]/)) reader.addLine(line);
  reader.finish();
  let open: readonly OpenTag[] = [];
  const blocks = reader.takeClosed().map(({ block, path }) => {
    const before = open;
    open = tagsOf(path);
    return tagsBetween(before, open) + block.html();
  });
  return blocks.join("\n") + tagsBetween(open, []);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function preformatted(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}

interface HtmlBlock {
  html(): string;
}

class HtmlBlocks implements BlockMaker<HtmlBlock> {
  readonly inline = new InlineReader(SPANS);

  // The page has its own first heading.
  heading(level: number): HtmlProse {
    return new HtmlProse(this.inline, { tag: `h${Math.min(6, level + 1)}`, kind: "heading" });
  }

  paragraph({ task }: Place): HtmlProse {
    const box = task === undefined ? "" : task === "done" ? "☑ " : "☐ ";
    return new HtmlProse(this.inline, { tag: "p", kind: "paragraph", box });
  }

  code(): HtmlCode {
    return new HtmlCode({ take: escapeHtml, peek: escapeHtml });
  }

  table(header: string, aligns: readonly Align[]): HtmlTable {
    return new HtmlTable({ header, aligns, inline: this.inline, style: PLAIN, prefix: NO_PREFIX });
  }

  line(kind: LineKind, _: Place, text = "", href = ""): HtmlBlock {
    const html = kind === "rule" ? "<hr>" : kind === "marker" ? "" : `<p>${link(href, escapeHtml(text))}</p>`;
    return { html: () => html };
  }
}

const PLAIN = createStyle({ theme: "terminal", depth: "none" });

class HtmlProse extends ProseBlock implements HtmlBlock {
  private readonly tag: string;
  private readonly box: string;

  constructor(inline: RowReader, { tag, kind, box = "" }: HtmlProseOptions) {
    super({ inline, kind, wrap: "terminal", prefix: NO_PREFIX, looks: [] });
    this.tag = tag;
    this.box = box;
  }

  html(): string {
    return `<${this.tag}>${this.box}${this.take(1).join("<br>")}</${this.tag}>`;
  }
}

interface HtmlProseOptions {
  readonly tag: string;
  readonly kind: "paragraph" | "heading";
  readonly box?: string;
}

class HtmlCode extends CodeBlock implements HtmlBlock {
  html(): string {
    return `<pre>${this.take().join("\n")}</pre>`;
  }
}

class HtmlTable extends TableBlock implements HtmlBlock {
  html(): string {
    const body = this.rows.map((cells) => tableRow(cells, "td")).join("");
    return `<table><thead>${tableRow(this.header, "th")}</thead><tbody>${body}</tbody></table>`;
  }
}

function tableRow(cells: readonly string[], tag: "th" | "td"): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell.replaceAll("\n", "<br>")}</${tag}>`).join("")}</tr>`;
}

const TAGS = { bold: "strong", italic: "em", strike: "del" } as const;

const SPANS: Spans<string> = {
  text: escapeHtml,
  marked: (mark, inner) => `<${TAGS[mark]}>${inner}</${TAGS[mark]}>`,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  link: ({ href, inner }) => link(href, inner),
  image: (href, name) => link(href, `[${escapeHtml(name || "picture")}]`),
  lineBreak: "\n",
  joined: (parts) => parts.join(""),
};

// Browsers forgive white space and control characters inside a scheme; an address with any of them is no address.
function link(href: string, label: string): string {
  if (href === "") return label;
  if (/^(?:https?:\/\/|mailto:)[^\s\p{Cc}\p{Cf}]+$/iu.test(href))
    return `<a href="${escapeHtml(href)}" rel="noopener noreferrer nofollow">${label}</a>`;
  return `${label} (${escapeHtml(href)})`;
}

interface OpenTag {
  /** The list, item or quote. */
  readonly of: unknown;
  readonly name: "blockquote" | "ul" | "ol" | "li";
  readonly open: string;
}

/** Closes and opens what lies between one block and the next. */
function tagsBetween(before: readonly OpenTag[], after: readonly OpenTag[]): string {
  let common = 0;
  while (common < before.length && before[common]?.of === after[common]?.of) common++;
  const closed = before.slice(common).map(({ name }) => `</${name}>`);
  const opened = after.slice(common).map(({ open }) => open);
  return [...closed.reverse(), ...opened].join("");
}

function tagsOf(path: readonly Container[]): OpenTag[] {
  return path.flatMap((container): OpenTag[] => {
    if (container.kind === "quote") return [{ of: container, name: "blockquote", open: "<blockquote>" }];
    const name = container.of.kind === "ordered" ? "ol" : "ul";
    const first = Number.parseInt(container.marker, 10);
    const start = name === "ol" && first !== 1 ? ` start="${first}"` : "";
    return [
      { of: container.of, name, open: `<${name}${start}>` },
      { of: container, name: "li", open: "<li>" },
    ];
  });
}

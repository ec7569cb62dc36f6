// Markdown as HTML that cannot do anything: the same reader as for the screen, and every tag that comes out is written
// here. HTML inside the text is shown as text, links go to web and mail addresses only, pictures are links.
import { NO_PREFIX } from "../markdown/block.js";
import { type BlockMaker, BlockReader, type LineKind } from "../markdown/block-reader.js";
import type { Container, Place } from "../markdown/container.js";
import { InlineReader, type Spans } from "../markdown/inline-row.js";
import { CodeBlock, ProseBlock } from "../markdown/row-blocks.js";
import { type Align, TableBlock } from "../markdown/table-block.js";
import { createStyle } from "../style/style.js";

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

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

export function preformatted(text: string): string {
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

  constructor(inline: InlineReader, { tag, kind, box = "" }: HtmlProseOptions) {
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

const SPANS: Spans = {
  text: escapeHtml,
  marked: (mark, inner) => `<${TAGS[mark]}>${inner}</${TAGS[mark]}>`,
  code: (text) => `<code>${escapeHtml(text)}</code>`,
  link: ({ href, inner }) => link(href, inner),
  image: (href, name) => link(href, `[${escapeHtml(name || "picture")}]`),
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

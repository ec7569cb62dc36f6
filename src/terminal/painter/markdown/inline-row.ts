// Reads inline Markdown: emphasis, code, links, images, character references. How it is written is for the `Spans`:
// styled rows here, HTML in the export. A newline in the result is a hard line break.
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { linkBytes } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";
import type { Attribute, Look, Role } from "../style/look.js";
import type { Style } from "../style/style.js";

export type Looks = readonly (Role | Attribute)[];

/** Every text is safe for a terminal and on one line. `looks` are those of all marks around it. */
export interface Spans {
  text(text: string, looks: Looks): string;
  marked(mark: "bold" | "italic" | "strike", inner: string): string;
  code(text: string, looks: Looks): string;
  /** `target` is empty when the text of the link already says it. */
  link(link: { href: string; target: string; inner: string }, looks: Looks): string;
  image(href: string, name: string, looks: Looks): string;
}

/** Text without these has no markup. */
const MARKUP = /[\\`*_~[\]<&!:@]|www\./;
/** The one tag that is not shown as text: models use it in table cells. */
const LINE_BREAK_TAG = /^<br\s*\/?>$/i;
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/;
const MARKS = { strong: "bold", em: "italic", del: "strike" } as const;

// "~5 minutes, ~6 at most" is not a strikethrough, and more common than ~this~.
class TwoTildes extends Tokenizer {
  override del(...[source, ...rest]: Parameters<Tokenizer["del"]>): ReturnType<Tokenizer["del"]> {
    return source.startsWith("~~") ? super.del(source, ...rest) : undefined;
  }
}

export class InlineReader {
  private readonly spans: Spans;
  private readonly lexer = new Lexer({ gfm: true, tokenizer: new TwoTildes() });

  constructor(spans: Spans) {
    this.spans = spans;
  }

  /** A reference link finds only what was defined before its use. The first definition counts. */
  define(label: string, href: string, title: string): void {
    this.lexer.tokens.links[label] ??= { href, title };
  }

  read(source: string, base: Looks): string {
    if (!MARKUP.test(source)) return this.spans.text(safeLine(collapse(source)), base);
    // Escape sequences are removed first: markup inside one would leave half of it visible.
    const clean = CONTROL.test(source) ? source.split("\n").map(safeLine).join("\n") : source;
    return this.walk(this.lexer.inlineTokens(clean), base);
  }

  private walk(tokens: readonly Token[], looks: Looks): string {
    let row = "";
    for (const token of tokens) row += this.token(token as Tokens.Generic, looks);
    return row;
  }

  private token(token: Tokens.Generic, looks: Looks): string {
    switch (token.type) {
      case "strong":
      case "em":
      case "del": {
        const mark = MARKS[token.type];
        return this.spans.marked(mark, this.walk(token.tokens ?? [], [...looks, mark]));
      }
      case "codespan":
        return this.spans.code(safeLine(textOf(token)), looks);
      case "br":
        return "\n";
      case "link":
        return this.link(token, looks);
      case "image": {
        const href = String(token["href"] ?? "");
        const name = safeLine(decodeEntities(textOf(token))).trim() || safeLine(href);
        return this.spans.image(href, collapse(name), looks);
      }
      case "escape":
        return this.spans.text(safeLine(textOf(token)), looks);
      case "html":
        return LINE_BREAK_TAG.test(token.raw) ? "\n" : this.prose(token.raw, looks);
      default:
        return token.tokens === undefined ? this.prose(textOf(token), looks) : this.walk(token.tokens, looks);
    }
  }

  private prose(text: string, looks: Looks): string {
    return this.spans.text(safeLine(collapse(decodeEntities(text))), looks);
  }

  private link(token: Tokens.Generic, looks: Looks): string {
    const href = decodeEntities(String(token["href"] ?? ""));
    const inner = this.walk(token.tokens ?? [], [...looks, "info", "underline"]);
    const target = safeLine(href).trim();
    const isSaid = bare(target) === bare(decodeEntities(textOf(token)));
    return this.spans.link({ href, target: isSaid ? "" : target, inner }, looks);
  }
}

export function rowSpans(style: Style): Spans {
  const paint = (looks: Looks, text: string) => (looks.length === 0 ? text : style.paint(looks as Look, text));
  return {
    text: (text, looks) => paint(looks, text),
    marked: (_, inner) => inner,
    // Code is coloured and copies without its ticks; without colours the ticks stay.
    code: (text, looks) => (style.depth === "none" ? paint(looks, `\`${text}\``) : paint([...looks, "info"], text)),
    link({ href, target, inner }, looks) {
      const parts = inner.split("\n").map((part) => linked(part, href));
      const row = parts.join("\n");
      if (target === "") return row;
      return `${row}${row === "" ? "" : paint(looks, " ")}${paint([...looks, "dim"], `(${target})`)}`;
    },
    image: (href, name, looks) => linked(paint([...looks, "dim"], `[image: ${name}]`), href),
  };
}

function textOf(token: Tokens.Generic): string {
  return String(token["text"] ?? token.raw);
}

function collapse(text: string): string {
  return text.replace(/[ \t\n]+/g, " ");
}

/** Other schemes may run programs or open files, so they are not clickable. */
const CLICKABLE = /^(?:https?|mailto|ftp):/i;

export function linked(row: string, href: string): string {
  if (row === "" || !CLICKABLE.test(href)) return row;
  return `${linkBytes(href)}${row}${linkBytes("")}`;
}

function bare(address: string): string {
  return address
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, "")
    .replace(/\/$/, "");
}

// Character references: numeric ones and common names. Unknown names stay as they are.

/** Each name followed by its character. */
const NAMED: ReadonlyMap<string, string> = new Map(
  `amp& lt< gt> quot" apos' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“
  rdquo” laquo« raquo» bull• middot· times× divide÷ plusmn± deg° para¶ sect§ euro€ larr← uarr↑ rarr→
  darr↓ harr↔ le≤ ge≥ ne≠ check✓`
    .split(/ |\n +/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g;
const LAST_CODE_POINT = 0x10ffff;

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : "\ufffd";
  });
}

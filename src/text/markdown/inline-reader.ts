// Reads inline Markdown: emphasis, code, links, images, character references. What is made of it is for the `Spans`:
// styled rows in the terminal, HTML in the export, nodes in the page.
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import type { Looks } from "../look.js";
import { safeLine } from "../safe.js";

/** Every text is safe for a terminal and on one line. `looks` are those of all marks around it. */
export interface Spans<Out> {
  text(text: string, looks: Looks): Out;
  marked(mark: "bold" | "italic" | "strike", inner: Out): Out;
  code(text: string, looks: Looks): Out;
  /** `target` is empty when the text of the link already says it. */
  link(link: { href: string; target: string; inner: Out }, looks: Looks): Out;
  image(href: string, name: string, looks: Looks): Out;
  readonly lineBreak: Out;
  joined(parts: readonly Out[]): Out;
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

export class InlineReader<Out> {
  private readonly spans: Spans<Out>;
  private readonly lexer = new Lexer({ gfm: true, tokenizer: new TwoTildes() });

  constructor(spans: Spans<Out>) {
    this.spans = spans;
  }

  /** A reference link finds only what was defined before its use. The first definition counts. */
  define(label: string, href: string, title: string): void {
    this.lexer.tokens.links[label] ??= { href, title };
  }

  read(source: string, base: Looks): Out {
    if (!MARKUP.test(source)) return this.spans.text(safeLine(collapse(source)), base);
    // Escape sequences are removed first: markup inside one would leave half of it visible.
    const clean = CONTROL.test(source) ? source.split("\n").map(safeLine).join("\n") : source;
    return this.walk(this.lexer.inlineTokens(clean), base);
  }

  private walk(tokens: readonly Token[], looks: Looks): Out {
    return this.spans.joined(tokens.map((token) => this.token(token as Tokens.Generic, looks)));
  }

  private token(token: Tokens.Generic, looks: Looks): Out {
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
        return this.spans.lineBreak;
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
        return LINE_BREAK_TAG.test(token.raw) ? this.spans.lineBreak : this.prose(token.raw, looks);
      default:
        return token.tokens === undefined ? this.prose(textOf(token), looks) : this.walk(token.tokens, looks);
    }
  }

  private prose(text: string, looks: Looks): Out {
    return this.spans.text(safeLine(collapse(decodeEntities(text))), looks);
  }

  private link(token: Tokens.Generic, looks: Looks): Out {
    const href = decodeEntities(String(token["href"] ?? ""));
    const inner = this.walk(token.tokens ?? [], [...looks, "info", "underline"]);
    const target = safeLine(href).trim();
    const isSaid = bare(target) === bare(decodeEntities(textOf(token)));
    return this.spans.link({ href, target: isSaid ? "" : target, inner }, looks);
  }
}

function textOf(token: Tokens.Generic): string {
  return String(token["text"] ?? token.raw);
}

function collapse(text: string): string {
  return text.replace(/[ \t\n]+/g, " ");
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

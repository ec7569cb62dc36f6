// Inline Markdown as styled, safe text: emphasis, code, links, images, character references. A newline in the result is
// a hard line break.
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { linkBytes } from "../../../text/row.js";
import { safeLine } from "../../../text/safe.js";
import type { Attribute, Look, Role } from "../style/look.js";
import type { Style } from "../style/style.js";
import { decodeEntities } from "./entities.js";

/** Reference links by label; only those defined before their use. */
export type Definitions = Map<string, { href: string; title: string }>;

type Looks = readonly (Role | Attribute)[];

/** Text without these has no markup. */
const MARKUP = /[\\`*_~[\]<&!:@]|www\./;
/** The one tag that is not shown as text: models use it in table cells. */
const LINE_BREAK_TAG = /^<br\s*\/?>$/i;
const CONTROL = /[\x00-\x09\x0b-\x1f\x7f-\x9f]/;

// "~5 minutes, ~6 at most" is not a strikethrough, and more common than ~this~.
class TwoTildes extends Tokenizer {
  override del(...[source, ...rest]: Parameters<Tokenizer["del"]>): ReturnType<Tokenizer["del"]> {
    return source.startsWith("~~") ? super.del(source, ...rest) : undefined;
  }
}

export class InlineRows {
  private readonly style: Style;
  private readonly definitions: Definitions;
  private readonly lexer = new Lexer({ gfm: true, tokenizer: new TwoTildes() });

  constructor(style: Style, definitions: Definitions) {
    this.style = style;
    this.definitions = definitions;
  }

  row(source: string, base: Looks): string {
    if (!MARKUP.test(source)) return this.paint(base, safeLine(collapse(source)));
    // Escape sequences are removed first: markup inside one would leave half of it visible.
    const clean = CONTROL.test(source) ? source.split("\n").map(safeLine).join("\n") : source;
    this.lexer.tokens.links = Object.fromEntries(this.definitions);
    return this.walk(this.lexer.inlineTokens(clean), base);
  }

  private walk(tokens: readonly Token[], looks: Looks): string {
    let row = "";
    for (const token of tokens) row += this.token(token as Tokens.Generic, looks);
    return row;
  }

  private token(token: Tokens.Generic, looks: Looks): string {
    const inner = (added: Looks) => this.walk(token.tokens ?? [], [...looks, ...added]);
    switch (token.type) {
      case "strong":
        return inner(["bold"]);
      case "em":
        return inner(["italic"]);
      case "del":
        return inner(["strike"]);
      case "codespan":
        return this.code(String(token["text"]), looks);
      case "br":
        return "\n";
      case "link":
        return this.link(token, looks);
      case "image":
        return this.image(token, looks);
      case "escape":
        return this.paint(looks, safeLine(String(token["text"])));
      case "html":
        return LINE_BREAK_TAG.test(token.raw) ? "\n" : this.prose(token.raw, looks);
      default:
        return token.tokens === undefined ? this.prose(String(token["text"] ?? token.raw), looks) : inner([]);
    }
  }

  private prose(text: string, looks: Looks): string {
    return this.paint(looks, safeLine(collapse(decodeEntities(text))));
  }

  // Code is coloured and copies without its ticks; without colours the ticks stay.
  private code(text: string, looks: Looks): string {
    const safe = safeLine(text);
    return this.style.depth === "none" ? this.paint(looks, `\`${safe}\``) : this.paint([...looks, "info"], safe);
  }

  private link(token: Tokens.Generic, looks: Looks): string {
    const href = decodeEntities(String(token["href"] ?? ""));
    const text = this.walk(token.tokens ?? [], [...looks, "info", "underline"]);
    const target = shownTarget(decodeEntities(String(token["text"] ?? "")), href);
    const row = text
      .split("\n")
      .map((part) => linked(part, href))
      .join("\n");
    if (target === undefined) return row;
    return `${row}${row === "" ? "" : this.paint(looks, " ")}${this.paint([...looks, "dim"], `(${target})`)}`;
  }

  private image(token: Tokens.Generic, looks: Looks): string {
    const name = safeLine(decodeEntities(String(token["text"] ?? ""))).trim();
    const href = String(token["href"] ?? "");
    const label = name === "" ? safeLine(href) : name;
    return linked(this.paint([...looks, "dim"], `[image: ${collapse(label)}]`), href);
  }

  private paint(looks: Looks, text: string): string {
    return looks.length === 0 ? text : this.style.paint(looks as Look, text);
  }
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

/** The target to write behind a link; undefined when the text already says it. */
function shownTarget(text: string, href: string): string | undefined {
  const target = safeLine(href).trim();
  if (target === "" || bare(target) === bare(text)) return undefined;
  return target;
}

function bare(address: string): string {
  return address
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, "")
    .replace(/\/$/, "");
}

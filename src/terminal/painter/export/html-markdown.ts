// Markdown as HTML that cannot do anything. The text is taken apart by the Markdown reader, and every tag that comes out
// is written here: HTML inside the text is shown as text, links go to web and mail addresses only, pictures are links.
import { Lexer, type Token, type Tokens } from "marked";
import { decodeEntities } from "../markdown/entities.js";

/** Longer texts are shown as they are; the reader is not made for books. */
const MARKDOWN_UNITS_MAX = 1024 * 1024;

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

export function markdownToHtml(text: string): string {
  if (text.length > MARKDOWN_UNITS_MAX) return preformatted(text);
  try {
    return blocks(new Lexer({ gfm: true }).lex(text));
  } catch {
    // Text that nests deeper than the reader can follow is still text.
    return preformatted(text);
  }
}

export function preformatted(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map(block).join("\n");
}

function block(token: Token): string {
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "code":
      return preformatted((token as Tokens.Code).text);
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      // The page has its own first heading.
      const level = Math.min(6, Math.max(2, depth + 1));
      return `<h${level}>${inlines(tokens)}</h${level}>`;
    }
    case "hr":
      return "<hr>";
    case "blockquote":
      return `<blockquote>${blocks((token as Tokens.Blockquote).tokens)}</blockquote>`;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "paragraph":
      return `<p>${inlines((token as Tokens.Paragraph).tokens)}</p>`;
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? prose(text) : inlines(tokens);
    }
    case "html":
      return preformatted((token as Tokens.HTML).text.trimEnd());
    default:
      return inline(token);
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const tag = ordered ? "ol" : "ul";
  const first = ordered && typeof start === "number" && start !== 1 ? ` start="${Math.trunc(start)}"` : "";
  return `<${tag}${first}>${items.map(({ tokens }) => `<li>${blocks(tokens)}</li>`).join("")}</${tag}>`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inlines(tokens)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${row(header, "th")}</thead><tbody>${rows.map((cells) => row(cells, "td")).join("")}</tbody></table>`;
}

function inlines(tokens: readonly Token[]): string {
  return tokens.map(inline).join("");
}

function inline(token: Token): string {
  switch (token.type) {
    case "strong":
      return `<strong>${inlines((token as Tokens.Strong).tokens)}</strong>`;
    case "em":
      return `<em>${inlines((token as Tokens.Em).tokens)}</em>`;
    case "del":
      return `<del>${inlines((token as Tokens.Del).tokens)}</del>`;
    case "codespan":
      return `<code>${escapeHtml((token as Tokens.Codespan).text)}</code>`;
    case "br":
      return "<br>";
    case "checkbox":
      return (token as Tokens.Checkbox).checked ? "☑ " : "☐ ";
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      return link(href, inlines(tokens));
    }
    case "image": {
      const { href, text } = token as Tokens.Image;
      return link(href, `[${escapeHtml(text || "picture")}]`);
    }
    case "escape":
    case "text": {
      const { text, tokens } = token as Tokens.Text;
      return tokens === undefined ? prose(text) : inlines(tokens);
    }
    default:
      return escapeHtml(token.raw);
  }
}

function prose(text: string): string {
  return escapeHtml(decodeEntities(text));
}

// Browsers forgive white space and control characters inside a scheme; an address with any of them is no address.
function link(href: string, label: string): string {
  const address = decodeEntities(href);
  if (/^(?:https?:\/\/|mailto:)[^\s\p{Cc}\p{Cf}]+$/iu.test(address))
    return `<a href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${label}</a>`;
  return `${label} (${escapeHtml(address)})`;
}

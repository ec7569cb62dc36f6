// The grammar of a *row*: safe text plus our own SGR and OSC 8 sequences. Other escapes are not part of a row and
// vanish.

export type Token =
  | { kind: "text"; text: string }
  | { kind: "sgr"; params: string }
  | { kind: "link"; uri: string; id?: string };

/** Some terminals cannot handle longer links. */
const LINK_URI_UNITS_MAX = 2000;

const ESCAPE = /\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]?|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x20-\x2f]*[\x30-\x7e]?)/g;
const SGR = /^\x1b\[([0-9;:]*)m$/;
const LINK = /^\x1b\]8;([^;]*);([^\x07\x1b]*)(?:\x07|\x1b\\)$/;

export function tokens(row: string): Token[] {
  const found: Token[] = [];
  let textStart = 0;
  for (const match of row.matchAll(ESCAPE)) {
    if (match.index > textStart) pushText(found, row.slice(textStart, match.index));
    textStart = match.index + match[0].length;
    const token = escapeToken(match[0]);
    if (token !== undefined) found.push(token);
  }
  if (textStart < row.length) pushText(found, row.slice(textStart));
  return found;
}

/** The row that these tokens make; `tokens` gives the same tokens back. */
export function rowFromTokens(list: readonly Token[]): string {
  return list.map(tokenBytes).join("");
}

export function plainText(row: string): string {
  return row.includes("\x1b") ? row.replace(ESCAPE, "") : row;
}

/** The sequence that starts a link, or with an empty `uri` ends it. What a URI may not contain is percent-encoded. */
export function linkBytes(uri: string, id?: string): string {
  const encoded = uri.replace(/[^\x21-\x7e]/gu, encodeCharacter);
  const params = id ? `id=${id.replace(/[^\w.-]/g, "_")}` : "";
  return `\x1b]8;${params};${encoded.length > LINK_URI_UNITS_MAX ? "" : encoded}\x1b\\`;
}

function encodeCharacter(character: string): string {
  return /\p{Surrogate}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character);
}

// Text on both sides of a removed escape becomes one token.
function pushText(found: Token[], text: string): void {
  const last = found.at(-1);
  if (last?.kind === "text") last.text += text;
  else found.push({ kind: "text", text });
}

function escapeToken(sequence: string): Token | undefined {
  const sgr = SGR.exec(sequence);
  if (sgr) return { kind: "sgr", params: sgr[1] ?? "" };
  const link = LINK.exec(sequence);
  if (!link) return undefined;
  const id = /(?:^|:)id=([^:]*)/.exec(link[1] ?? "")?.[1];
  return { kind: "link", uri: link[2] ?? "", ...(id ? { id } : {}) };
}

function tokenBytes(token: Token): string {
  switch (token.kind) {
    case "text":
      return token.text;
    case "sgr":
      return `\x1b[${token.params}m`;
    case "link":
      return linkBytes(token.uri, token.id);
  }
}

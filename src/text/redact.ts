// Removes secrets from what is written to disk or sent elsewhere: declared ones in every encoding, and text that looks
// like one. Redacting twice changes nothing. Growing text is handed out only up to where a secret may begin.

/** Replaces every secret, so that not even its length is visible. */
export const REDACTED = "••••••";

/** A shorter secret would match everywhere. */
const SECRET_UNITS_MIN = 4;
/** A variable such as TOKEN=auto is a switch; keys are longer. */
const ENVIRONMENT_UNITS_MIN = 8;
/** The oldest is dropped first. */
const DECLARED_MAX = 1_000;
/** How deep a value is searched. Deeper parts are removed. */
const LEVELS_MAX = 256;

// Protocol words stay: a password may be "user", and every message would lose its role.
const PROTOCOL_FIELDS: ReadonlySet<string> = new Set(
  "type role kind level stream placement reason choice phase status dir".split(" "),
);
const PROTOCOL_WORD = /^[a-z][a-z_.-]{0,39}$/;

/** No shape of a secret reaches over these. */
const BREAK = /[\s\u2e80-\ud7ff]/;

/** How much of a growing text is held back at most; a longer word is no secret. */
const HELD_UNITS_MAX = 16_384;
/** How long a line is searched again with each piece of it; of a longer one only the context is. */
const LINE_UNITS_MAX = 4_096;
/** What a later piece may need of the text before it: the name in front of a value. */
const CONTEXT_UNITS = 256;

export interface Redactor {
  /** Declares a secret. */
  declare(secret: string): void;
  text(text: string): string;
  /** Redacts every string and field name in a value. */
  value(value: unknown): unknown;
  /** A text whose end is still to come, without the part that might become a secret. */
  unfinished(text: string): string;
  /** A text that comes in pieces. */
  stream(): RedactedStream;
}

export interface RedactedStream {
  /** What may be handed on now. */
  push(piece: string): string;
  /** The rest; the stream starts again after it. */
  end(): string;
}

export function createRedactor(secrets: Iterable<string> = []): Redactor {
  const declared = new Set<string>();
  let pattern: RegExp | null = null;
  let forms: Forms = { all: [], reaching: [] };

  function declare(secret: string): void {
    if (secret.trim().length < SECRET_UNITS_MIN) return;
    declared.delete(secret);
    declared.add(secret);
    if (declared.size > DECLARED_MAX) declared.delete(declared.values().next().value ?? "");
    const all = [...declared].flatMap(formsOf);
    pattern = patternOfForms(all);
    forms = { all, reaching: all.filter((form) => BREAK.test(form)) };
  }
  for (const secret of secrets) declare(secret);

  const spans = (text: string) => (text.length < SECRET_UNITS_MIN ? [] : secretSpans(text, pattern));
  const redact = (text: string) => blackened(text, spans(text));
  return {
    declare,
    text: redact,
    value: (value) => redactValue(value, redact, LEVELS_MAX),
    unfinished: (text) => redact(text.slice(0, safeEnd(text, forms))),
    stream: () => redactedStream({ spans, safeEnd: (text) => safeEnd(text, forms) }),
  };
}

/** Values of environment variables whose names announce secrets. */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    if (value === undefined || value.length < ENVIRONMENT_UNITS_MIN || FOLDER_NAMES.has(name)) return [];
    return secretName.test(name) ? [value] : [];
  });
}

/** Folders, not passwords: redacting them would damage every path below. */
const FOLDER_NAMES: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/** What declared secrets look like; those that reach over several words apart. */
type Forms = { readonly all: readonly string[]; readonly reaching: readonly string[] };

/** The last word of a sentence. No known shape of a secret begins like this. */
const LAST_WORD = /^[("']?[A-Za-z]{1,12}[.?!:][)"']?$/;

// An unfinished word may become a secret, and so may the beginning of a declared one that has spaces in it.
function safeEnd(text: string, { all, reaching }: Forms): number {
  let start = text.length;
  while (start > 0 && !BREAK.test(text.charAt(start - 1))) start -= 1;
  const word = text.slice(start);
  const isWhole = LAST_WORD.test(word) && !all.some((form) => beginningAtEnd(word, form, 0) > 0);
  const held = isWhole ? 0 : word.length;
  return text.length - Math.max(held, ...reaching.map((form) => beginningAtEnd(text, form, held)));
}

/** How much of the end of a text is the beginning of a secret, if it is more than so many units. */
function beginningAtEnd(text: string, form: string, than: number): number {
  for (let units = Math.min(form.length - 1, text.length); units > than; units -= 1) {
    if (text.endsWith(form.slice(0, units))) return units;
  }
  return 0;
}

interface Finder {
  spans(text: string): readonly Span[];
  safeEnd(text: string): number;
}

//     | forgotten | context | handed out | held back |
//                 0                    `given`       the end
function redactedStream({ spans, safeEnd: endOf }: Finder): RedactedStream {
  let text = "";
  let given = 0;

  function handOut(found: readonly Span[], upTo: number): string {
    const inside = found.flatMap(({ start, end }) => {
      const piece = { start: Math.max(start, given) - given, end: Math.min(end, upTo) - given };
      return piece.end > piece.start ? [piece] : [];
    });
    const result = blackened(text.slice(given, upTo), inside);
    given = upTo;
    return result;
  }

  // A block that is longer than what may be held leaves its beginning here: what follows still belongs to it.
  function forgetOld(openSecret: number): void {
    if (openSecret < given) {
      text = text.slice(openSecret, openSecret + CONTEXT_UNITS);
      given = text.length;
      return;
    }
    const lineStart = text.lastIndexOf("\n", Math.max(0, given - CONTEXT_UNITS)) + 1;
    const from = given - lineStart > LINE_UNITS_MAX ? given - CONTEXT_UNITS : lineStart;
    text = text.slice(from);
    given -= from;
  }

  return {
    push(piece) {
      text += piece;
      const found = spans(text);
      const last = found.at(-1);
      // A secret that reaches to the end may go on, so it is held back whole.
      const openSecret = last !== undefined && last.end === text.length ? last.start : text.length;
      const isTooMuch = text.length - given > HELD_UNITS_MAX;
      const upTo = isTooMuch ? text.length : Math.max(given, Math.min(endOf(text), openSecret));
      const result = handOut(found, upTo);
      forgetOld(openSecret);
      return result;
    },
    end() {
      const rest = handOut(spans(text), text.length);
      text = "";
      given = 0;
      return rest;
    },
  };
}

function redactValue(value: unknown, redact: (text: string) => string, levels: number, name: string = ""): unknown {
  if (typeof value === "string") return redactNamed(name, value, redact);
  if (typeof value === "number" || typeof value === "bigint") {
    return redact(String(value)) === String(value) ? value : REDACTED;
  }
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, levels - 1, name));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact, levels - 1, key)]),
  );
}

function redactNamed(name: string, text: string, redact: (text: string) => string): string {
  if (PROTOCOL_FIELDS.has(name) && PROTOCOL_WORD.test(text)) return text;
  return text !== "" && secretName.test(name) ? REDACTED : redact(text);
}

// Where the secrets of a text are. Spans are ordered and do not overlap.
interface Span {
  readonly start: number;
  readonly end: number;
}

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

function secretSpans(text: string, declared: RegExp | null): readonly Span[] {
  return joined([...declaredSpans(text, declared), ...keyBlockSpans(text), ...shapeSpans(text)]);
}

function blackened(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let result = "";
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start) + REDACTED;
    at = end;
  }
  return result + text.slice(at);
}

/** One pattern for all forms, the longest first; null when there are none. */
function patternOfForms(forms: Iterable<string>): RegExp | null {
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return null;
  return new RegExp(sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
}

/** A secret travels as it is, inside JSON (also twice), inside an address, and as base64. */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(json).slice(1, -1);
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte));
  const base64 = btoa(bytes.join("")).replace(/=+$/, "");
  const url = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [secret, json, twice, addressForm(secret), base64, url].filter((form) => form.length >= SECRET_UNITS_MIN);
}

function addressForm(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // Half of a surrogate pair has no form in an address.
    return secret;
  }
}

function declaredSpans(text: string, declared: RegExp | null): Span[] {
  if (declared === null) return [];
  return [...text.matchAll(declared)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

/** A block without an end was cut off, or is still being written: everything behind its beginning may be the key. */
function keyBlockSpans(text: string): Span[] {
  if (!text.includes("-----BEGIN ")) return [];
  const spans: Span[] = [];
  let after = 0;
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < after) continue;
    KEY_END.lastIndex = begin.index;
    const end = KEY_END.exec(text);
    after = end === null ? text.length : end.index + end[0].length;
    spans.push({ start: begin.index, end: after });
  }
  return spans;
}

function shapeSpans(text: string): Span[] {
  return secretShapes.flatMap(({ pattern, group, hint }) => {
    if (hint !== undefined && !hint.test(text)) return [];
    return [...text.matchAll(pattern)].flatMap((match) => {
      const secret = match[group ?? 0] ?? "";
      if (secret === "" || secret.startsWith(REDACTED)) return [];
      const start = match.index + match[0].lastIndexOf(secret);
      return [{ start, end: start + secret.length }];
    });
  });
}

function joined(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start > last.end) result.push(span);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return result;
}

// What secrets look like, as data. A shape has a unique beginning or stands behind a word that names it, because
// hashes, UUIDs and checksums look random, too. Every repetition is bounded, so that matching takes linear time.

interface SecretShape {
  readonly pattern: RegExp;
  /** The group that is the secret; the whole match when absent. */
  readonly group?: number;
  /** A quick test that spares most texts the full search. */
  readonly hint?: RegExp;
}

const CALLED = /pass|pwd|secret|token|key|credential/i;
const ADDRESS = /:\/\//;

/** Not in the middle of a longer word. */
const START = "(?<![A-Za-z0-9_-])";
const END = "(?![A-Za-z0-9_-])";

/** Prefixes of providers' keys, and what follows. */
const BEGINNINGS: readonly string[] = [
  // Model providers.
  "sk-(?=[\\w-]{0,80}[A-Za-z0-9]{16})[\\w-]{20,512}",
  "AIza[\\w-]{35}",
  "hf_[A-Za-z0-9]{30,64}",
  "gsk_[A-Za-z0-9]{40,80}",
  "xai-[A-Za-z0-9]{40,120}",
  "pplx-[A-Za-z0-9]{40,80}",
  "r8_[A-Za-z0-9]{37,40}",
  "ya29\\.[\\w-]{20,512}",
  "GOCSPX-[\\w-]{20,64}",
  // Clouds and infrastructure.
  "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
  "do[opr]_v1_[a-f0-9]{64}",
  "dapi[a-f0-9]{32}(?:-\\d)?",
  "hv[sbr]\\.[\\w-]{20,512}",
  "tskey-[\\w-]{20,128}",
  "AGE-SECRET-KEY-1[A-Z0-9]{58}",
  // Code hosts and package registries.
  "gh[pousr]_[A-Za-z0-9]{36,255}",
  "github_pat_\\w{22,255}",
  "gl(?:pat|dt|rt|cbt|ptt|soat)-[\\w-]{20,64}",
  "npm_[A-Za-z0-9]{36}",
  "pypi-[\\w-]{50,512}",
  "dckr_pat_[\\w-]{20,64}",
  // Messengers, mail, payment, trackers.
  "xox[abeoprs]-[A-Za-z0-9-]{10,255}",
  "xapp-[A-Za-z0-9-]{20,255}",
  "SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}",
  "key-[0-9a-f]{32}",
  "\\d{8,10}:AA[\\w-]{33}",
  "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}",
  "whsec_[A-Za-z0-9+/=]{24,128}",
  "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",
  "lin_api_[A-Za-z0-9]{32,64}",
  "ntn_[A-Za-z0-9]{40,64}",
  // A JSON web token: two objects in base64, and a signature.
  "eyJ[\\w-]{8,8192}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{0,2048}",
];

/** Words after which a value is a secret, at the end of a name: DB_PASSWORD, apiKey, client-secret, "token". */
const NAME_END =
  "(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|private[_-]?key|auth[_-]?key|signing[_-]?key|credentials?)";

// An identifier in front of it, with a bound: `const dbPassword`, `MY_API_KEY`, `x-auth-token`.
const NAME = `(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,64}?${NAME_END}`;

/** Placeholders and code that stand in the place of a secret. */
const NO_PLACEHOLDER =
  "(?![$<{*%(\\[]|null\\b|undefined\\b|true\\b|false\\b|none\\b|string\\b|process\\.|os\\.|env\\.)";

/** A run that mixes digits with letters: no word of any language. */
const MIXED = "(?=[\\w+/=.~-]{0,64}\\d)(?=[\\w+/=.~-]{0,64}[A-Za-z])";
const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

const secretShapes: readonly SecretShape[] = [
  { pattern: new RegExp(`${START}(?:${BEGINNINGS.join("|")})${END}`, "g") },
  { pattern: /https:\/\/hooks\.slack\.com\/services\/([A-Za-z0-9/]{20,128})/g, group: 1, hint: ADDRESS },
  {
    pattern: /https:\/\/(?:\w{1,16}\.)?discord(?:app)?\.com\/api\/webhooks\/(\d{5,32}\/[\w-]{20,128})/g,
    group: 1,
    hint: ADDRESS,
  },
  // https://ada:hunter2@example.org
  { pattern: /:\/\/[^\s/:@"'<>]{0,256}:([^\s/@"'<>]{1,1024})@/g, group: 1, hint: ADDRESS },
  { pattern: /:\/\/([\w-]{20,512})@/g, group: 1, hint: ADDRESS },
  // Authorization: Bearer …, also in a quoted header or without its name.
  {
    pattern:
      /authorization["'\\]{0,3}\s{0,4}[:=]\s{0,4}["'\\]{0,3}(?:bearer|basic|token|apikey|digest)\s{1,4}([^\s"',;\\]{4,8192})/gi,
    group: 1,
  },
  { pattern: new RegExp(`\\bbearer\\s{1,4}${MIXED}([\\w+/=.~-]{16,8192})`, "gi"), group: 1 },
  {
    pattern: /\b(?:set-)?cookie["'\\]{0,3}\s{0,4}:\s{0,4}["'\\]{0,3}([^\s=;"']{1,128}=[^\r\n"'\\]{4,8192})/gi,
    group: 1,
  },
  // DB_PASSWORD=hunter2 and --password=hunter2 and ?token=…: nothing stands between the name and its value.
  {
    pattern: new RegExp(`${NAME}=(?!=)${NO_PLACEHOLDER}([^\\s"'\`&;,<>|)\\]}]{4,1024})`, "gi"),
    group: 1,
    hint: CALLED,
  },
  // "password": "hunter2", also inside a JSON text inside a JSON text.
  {
    pattern: new RegExp(
      `${NAME}[\\\\]{0,3}["'\`]?\\s{0,8}(?::|=>?|:=)\\s{0,8}[\\\\]{0,3}["'\`]${NO_PLACEHOLDER}([^\\s"'\`\\\\]{4,1024})`,
      "gi",
    ),
    group: 1,
    hint: CALLED,
  },
  // password: hunter2x1 in a YAML file: only what no word of a program or a sentence looks like.
  {
    pattern: new RegExp(
      `${NAME}\\s{0,8}[:=]\\s{1,8}${NO_PLACEHOLDER}${MIXED}([\\w+/=~!@#%^-]{8,1024})(?![\\w.(])`,
      "gi",
    ),
    group: 1,
    hint: CALLED,
  },
  // "the secret is 3f8a…", "API key 3f8a…": long runs right behind the word. A public or a cache key is none.
  {
    pattern: new RegExp(
      `(?<!public[ _-]|cache[ _-]|primary[ _-]|foreign[ _-])\\b(?:token|secret|key)s?["'\`]?\\s{0,3}(?:is|was|=|:)?\\s{1,3}["'\`(]?(?!${UUID})${MIXED}([\\w+/=-]{24,1024})`,
      "gi",
    ),
    group: 1,
    hint: CALLED,
  },
];

/** Names whose value in a JSON object is a secret whatever it looks like. */
const secretName: RegExp = new RegExp(`(?:^|[_.-]|[a-z](?=[A-Z])|\\b)(?:${NAME_END}|authorization|cookie)$`, "i");

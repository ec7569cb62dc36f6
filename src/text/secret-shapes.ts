// What secrets look like, as data. A shape has a unique beginning or stands behind a word that names it, because
// hashes, UUIDs and checksums look random, too. Every repetition is bounded, so that matching takes linear time.

export interface SecretShape {
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

export const secretShapes: readonly SecretShape[] = [
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
export const secretName: RegExp = new RegExp(
  `(?:^|[_.-]|[a-z](?=[A-Z])|\\b)(?:${NAME_END}|authorization|cookie)$`,
  "i",
);

// A secret of every known shape, put together here so that no scanner of repositories takes these files for a leak; and a judge
// that reads what was written. A new shape in `text/redact.ts` needs a sample here.
const LETTERS = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789".repeat(6);
const made = (beginning: string, units: number) => beginning + LETTERS.slice(0, units);
const hex = (units: number) => "0123456789abcdef".repeat(8).slice(0, units);

/** What stands around it, and the part of it that must be nowhere. */
export interface SecretSample {
  readonly name: string;
  readonly text: string;
  readonly secret: string;
}

const keys: Readonly<Record<string, string>> = {
  Anthropic: made("sk-ant-api03-", 90),
  OpenAI: made("sk-proj-", 48),
  Google: made("AIza", 35),
  "Google, signed in": made("ya29.", 60),
  "Google client": made("GOCSPX-", 28),
  "Hugging Surface": made("hf_", 34),
  Groq: made("gsk_", 52),
  xAI: made("xai-", 60),
  Perplexity: made("pplx-", 48),
  Replicate: made("r8_", 37),
  AWS: "AKIAABCDEFGH234567AB",
  DigitalOcean: `dop_v1_${hex(64)}`,
  Databricks: `dapi${hex(32)}`,
  Vault: made("hvs.", 40),
  Tailscale: made("tskey-auth-", 40),
  age: `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`,
  GitHub: made("ghp_", 36),
  "GitHub, fine-grained": made("github_pat_", 82),
  GitLab: made("glpat-", 20),
  npm: made("npm_", 36),
  PyPI: made("pypi-", 80),
  Docker: made("dckr_pat_", 27),
  Slack: made("xoxb-", 40),
  "Slack app": made("xapp-", 40),
  SendGrid: `${made("SG.", 22)}.${LETTERS.slice(0, 43)}`,
  Mailgun: `key-${hex(32)}`,
  Telegram: `123456789:AA${LETTERS.slice(0, 33)}`,
  Stripe: made("sk_live_", 24),
  "a webhook": made("whsec_", 32),
  Shopify: `shpat_${hex(32)}`,
  Linear: made("lin_api_", 40),
  Notion: made("ntn_", 46),
  "a web token": `${made("eyJ", 20)}.${made("eyJ", 40)}.${LETTERS.slice(0, 43)}`,
};

const named: readonly SecretSample[] = [
  { name: "an address", text: "postgres://ada:tulip-7-garden@db/app", secret: "tulip-7-garden" },
  { name: "a shell", text: "export DB_PASSWORD=tulip-8-garden", secret: "tulip-8-garden" },
  { name: "an option", text: "mysql --password=tulip-9-garden app", secret: "tulip-9-garden" },
  { name: "a header", text: "Authorization: Bearer tulip.10-garden", secret: "tulip.10-garden" },
  { name: "a cookie", text: "Set-Cookie: session=tulip11garden; Path=/", secret: "tulip11garden" },
  { name: "JSON", text: '{"client_secret": "tulip-12-garden"}', secret: "tulip-12-garden" },
  {
    name: "a private key",
    text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${LETTERS}\n-----END OPENSSH PRIVATE KEY-----`,
    secret: LETTERS.slice(0, 60),
  },
];

export const secretSamples: readonly SecretSample[] = [
  ...Object.entries(keys).map(([name, key]) => ({ name, text: `use ${key} here`, secret: key })),
  ...named,
];

/** A secret without any shape, which somebody declared: by a variable of the environment, or by typing it where it is masked. */
export const DECLARED = "quiet-orchard-lantern";

/** Everything at once, a line each. */
export const allSecrets: string = [...secretSamples.map(({ text }) => text), `also ${DECLARED} is one`].join("\n");

/** Which of them can be found in this text, also inside of JSON. */
export function leaksIn(text: string): string[] {
  const plain = text.replaceAll("\\n", "\n").replaceAll('\\"', '"').replaceAll("&quot;", '"');
  const found = secretSamples.filter(({ secret }) => plain.includes(secret)).map(({ name }) => name);
  return plain.includes(DECLARED) ? [...found, "the declared one"] : found;
}

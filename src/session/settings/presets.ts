// The settings that are tables: agents, MCP servers, models, keys and trusted files. Agents and servers name programs to run,
// so a project's file may not set them.
import { type WireName, wireNames } from "../../contract/wire-names.js";
import { isTable, isTextList, type Judged } from "./setting-kinds.js";

export interface AgentSetting {
  readonly command: string;
  readonly args: readonly string[];
  /** Detected if missing. */
  readonly protocol?: WireName;
  readonly env: Readonly<Record<string, string>>;
}

/** A server is a program to start or an address to call, never both. */
export type McpServerSetting =
  | {
      readonly kind: "program";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "address"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

const agentWords = 'a table such as { command = "my-agent", args = ["--acp"], protocol = "acp" }';
const serverWords = 'a table such as { command = "my-server", args = [] } or { url = "https://…" }';

export function judgeAgent(value: unknown): Judged<AgentSetting> {
  if (!isTable(value)) return wrong(agentWords);
  const stray = strayField(value, ["command", "args", "protocol", "env"]);
  if (stray !== undefined) return wrong(`${agentWords}, without "${stray}"`);
  const { command, args = [], protocol, env = {} } = value;
  if (typeof command !== "string" || command === "") return wrong(agentWords);
  if (!isTextList(args)) return wrong("a table whose args are a list of texts");
  if (!isTextTable(env)) return wrong("a table whose env has texts only");
  if (protocol === undefined) return { ok: true, value: { command, args, env } };
  const known = wireNames.find((name) => name === protocol);
  if (known === undefined) return wrong(`a table whose protocol is one of ${wireNames.join(", ")}`);
  return { ok: true, value: { command, args, env, protocol: known } };
}

export function judgeMcpServer(value: unknown): Judged<McpServerSetting> {
  if (!isTable(value)) return wrong(serverWords);
  const stray = strayField(value, ["command", "args", "env", "url", "headers"]);
  if (stray !== undefined) return wrong(`${serverWords}, without "${stray}"`);
  const { command, args = [], env = {}, url, headers = {} } = value;
  if (typeof command === "string" && command !== "" && url === undefined) {
    if (!isTextList(args) || !isTextTable(env)) return wrong(serverWords);
    return { ok: true, value: { kind: "program", command, args, env } };
  }
  if (typeof url === "string" && /^https?:\/\//.test(url) && command === undefined && isTextTable(headers))
    return { ok: true, value: { kind: "address", url, headers } };
  return wrong(serverWords);
}

/** The keys of an action: one, or a list of them. */
export function judgeKeys(value: unknown): Judged<readonly string[]> {
  if (typeof value === "string") return { ok: true, value: [value] };
  if (isTextList(value)) return { ok: true, value };
  return wrong('a key such as "ctrl+x", or a list of keys');
}

export function judgeFingerprint(value: unknown): Judged<string> {
  return typeof value === "string" ? { ok: true, value } : wrong("the fingerprint that `palaver config trust` writes");
}

function isTextTable(value: unknown): value is Readonly<Record<string, string>> {
  return isTable(value) && Object.values(value).every((item) => typeof item === "string");
}

function strayField(table: Readonly<Record<string, unknown>>, known: readonly string[]): string | undefined {
  return Object.keys(table).find((name) => !known.includes(name));
}

function wrong(words: string): { readonly ok: false; readonly words: string } {
  return { ok: false, words };
}

/** In dollars per million tokens. Missing cache prices default to the input price. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

export interface ModelSetting {
  readonly context_tokens?: number;
  readonly output_tokens?: number;
  readonly price?: ModelPrice;
}

const TOKENS_MIN = 1_000;
const TOKENS_MAX = 100_000_000;
const modelWords =
  "a table such as { context_tokens = 32768, output_tokens = 8192, price = { input = 0.2, output = 0.8 } }";
const tokenWords = `whole numbers of tokens, from ${TOKENS_MIN} to ${TOKENS_MAX}`;
const priceWords =
  "dollars for a million tokens: { input = 3.0, output = 15.0 }, and cache_read, cache_write if you like";

export function judgeModel(value: unknown): Judged<ModelSetting> {
  if (!isTable(value)) return wrong(modelWords);
  const stray = strayField(value, ["context_tokens", "output_tokens", "price"]);
  if (stray !== undefined) return wrong(`${modelWords}, without "${stray}"`);
  const { context_tokens, output_tokens, price } = value;
  if (!isTokens(context_tokens) || !isTokens(output_tokens)) return wrong(tokenWords);
  if (price !== undefined && !isPrice(price)) return wrong(priceWords);
  return { ok: true, value };
}

function isTokens(value: unknown): value is number | undefined {
  if (value === undefined) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= TOKENS_MIN && value <= TOKENS_MAX;
}

function isPrice(value: unknown): value is ModelPrice {
  if (!isTable(value)) return false;
  const { input, output, cache_read = 0, cache_write = 0, ...strays } = value;
  const isMoney = (each: unknown) => typeof each === "number" && Number.isFinite(each) && each >= 0;
  return Object.keys(strays).length === 0 && [input, output, cache_read, cache_write].every(isMoney);
}

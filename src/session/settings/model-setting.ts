// What a person can say of one model: how much it reads, how much it writes, what it costs. Whatever is not said stays what
// the agent knows of the model by itself, which for a new or a local one may be nothing.
import { isTable, type Judged } from "./setting-kinds.js";

/** In dollars for a million tokens. What the cache costs counts as input where it is left out. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
}

export interface ModelSetting {
  /** How long a conversation may be. */
  readonly context_tokens?: number;
  /** How long one answer may be. */
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
  if (!isTable(value)) return { ok: false, words: modelWords };
  const { context_tokens, output_tokens, price, ...strays } = value;
  const [stray] = Object.keys(strays);
  if (stray !== undefined) return { ok: false, words: `${modelWords}, without "${stray}"` };
  if (!isTokens(context_tokens) || !isTokens(output_tokens)) return { ok: false, words: tokenWords };
  if (price !== undefined && !isPrice(price)) return { ok: false, words: priceWords };
  const setting = {
    ...(context_tokens === undefined ? {} : { context_tokens }),
    ...(output_tokens === undefined ? {} : { output_tokens }),
    ...(price === undefined ? {} : { price }),
  };
  return { ok: true, value: setting };
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

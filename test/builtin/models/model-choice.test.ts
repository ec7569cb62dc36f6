// Which model is used, from what is named and what the environment has; and what is said when that cannot be.
import { describe, expect, test } from "vitest";
import {
  changedModel,
  chooseModel,
  type Environment,
  type ModelRequest,
  modelsList,
  withFacts,
} from "../../../src/builtin/models/model-choice.js";
import { judgeModel } from "../../../src/session/settings/presets.js";

function chosen(requested: ModelRequest, environment: Environment = {}): string {
  const choice = chooseModel(requested, environment);
  return choice.kind === "offline" ? "offline" : `${choice.provider.id}:${choice.id} at ${choice.baseUrl}`;
}

describe("the model", () => {
  test.each<[string, ModelRequest, Environment, string]>([
    ["nothing at all", {}, {}, "offline"],
    ["an empty variable is nothing", {}, { ANTHROPIC_API_KEY: " " }, "offline"],
    ["a key in the environment", {}, { OPENAI_API_KEY: "k" }, "openai:gpt-5 at https://api.openai.com/v1"],
    [
      "two keys: the first provider of the table",
      {},
      { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
      "anthropic:claude-sonnet-4-5 at https://api.anthropic.com/v1",
    ],
    [
      "a name beats a key",
      { model: "openai:gpt-4o" },
      { ANTHROPIC_API_KEY: "k" },
      "openai:gpt-4o at https://api.openai.com/v1",
    ],
    ["the variable beats a key", {}, { PALAVER_MODEL: "offline", ANTHROPIC_API_KEY: "k" }, "offline"],
    ["a flag beats the variable", { model: "offline" }, { PALAVER_MODEL: "openai:gpt-5" }, "offline"],
    ["a local server", { model: "ollama:qwen3:8b" }, {}, "ollama:qwen3:8b at http://127.0.0.1:11434/v1"],
    [
      "a local server on a bare host and port",
      { model: "ollama:qwen3" },
      { OLLAMA_HOST: "box:11434" },
      "ollama:qwen3 at http://box:11434/v1",
    ],
    [
      "any name with a base URL",
      { model: "my-model:latest", baseUrl: "http://localhost:9/v1/" },
      {},
      "compatible:my-model:latest at http://localhost:9/v1",
    ],
    ["a known model alone", { model: "gpt-5-mini" }, {}, "openai:gpt-5-mini at https://api.openai.com/v1"],
    ["only a provider", { model: "anthropic" }, {}, "anthropic:claude-sonnet-4-5 at https://api.anthropic.com/v1"],
  ])("%s", (_name, requested, environment, expected) => {
    expect(chosen(requested, environment)).toBe(expected);
  });

  test.each<[string, ModelRequest, RegExp]>([
    [
      "a model without its provider",
      { model: "claude-9" },
      /^invalid model: claude-9\. Write provider:name, such as anthropic:claude-9, with one of/,
    ],
    [
      "a provider nobody knows",
      { model: "acme:x" },
      /^invalid model: acme:x\. Write provider:name, with one of anthropic, openai,/,
    ],
    ["a local server without a model", { model: "ollama" }, /ollama needs the name of a model: ollama:NAME/],
    ["a base URL without a model", { baseUrl: "http://x/v1" }, /needs a model too/],
    ["a base URL that is none", { model: "openai:gpt-5", baseUrl: "localhost" }, /localhost is not a URL/],
    ["a compatible model without a place", { model: "compatible:x" }, /compatible:x needs --base-url/],
  ])("%s is refused with what would be right", (_name, requested, words) => {
    expect(() => chooseModel(requested, {})).toThrow(words);
  });
});

test("a base URL goes with its provider when the model is changed, and not to any other", () => {
  const first = { model: "openai:gpt-5", baseUrl: "http://proxy/v1" };
  expect(chosen(changedModel(first, "openai:gpt-4o"))).toBe("openai:gpt-4o at http://proxy/v1");
  expect(chosen(changedModel(first, "anthropic"))).toBe("anthropic:claude-sonnet-4-5 at https://api.anthropic.com/v1");
  expect(chosen(changedModel({ model: "x:1", baseUrl: "http://local/v1" }, "y:2"))).toBe(
    "compatible:y:2 at http://local/v1",
  );
});

describe("what the user says of a model", () => {
  const facts = {
    "ollama:mine": { context_tokens: 8_192, output_tokens: 2_048, price: { input: 1, output: 2, cache_read: 0.1 } },
    "openai:gpt-5": { context_tokens: 50_000 },
  };

  test("counts more than what is known of it, and for that model alone", () => {
    expect(withFacts(chooseModel({ model: "ollama:mine" }, {}), facts)).toMatchObject({
      contextTokens: 8_192,
      outputTokensMax: 2_048,
      price: { input: 1, output: 2, cache_read: 0.1 },
    });
    expect(withFacts(chooseModel({ model: "openai" }, {}), facts)).toMatchObject({
      contextTokens: 50_000,
      outputTokensMax: null,
      price: null,
    });
    expect(withFacts(chooseModel({ model: "ollama:other" }, {}), facts)).toMatchObject({ contextTokens: 128_000 });
    expect(withFacts({ kind: "offline" }, facts)).toEqual({ kind: "offline" });
  });

  test("puts it into the list to choose from", () => {
    const list = modelsList({}, facts);
    expect(list.find(({ id }) => id === "ollama")?.models).toEqual([
      { id: "mine", name: "mine", context_tokens: 8_192 },
    ]);
    expect(list.find(({ id }) => id === "openai")?.models[0]).toMatchObject({ id: "gpt-5", context_tokens: 50_000 });
  });

  test.each<[string, unknown]>([
    ["no table", 3],
    ["a word nobody knows", { context: 3 }],
    ["too few tokens", { context_tokens: 10 }],
    ["half a token", { output_tokens: 2_000.5 }],
    ["half a price", { price: { input: 1 } }],
    ["a price below nothing", { price: { input: 1, output: -1 } }],
    ["a price with a word nobody knows", { price: { input: 1, output: 1, cached: 1 } }],
  ])("is refused when it is %s", (_name, value) => {
    expect(judgeModel(value).ok).toBe(false);
  });
});

test("the list says which providers can be used, and what the others need", () => {
  const list = modelsList({ OPENAI_API_KEY: "k" });
  expect(list[0]).toMatchObject({ id: "palaver", available: true });
  expect(list.find(({ id }) => id === "openai")).toMatchObject({ available: true });
  expect(list.find(({ id }) => id === "anthropic")).toMatchObject({ available: false, needs: "ANTHROPIC_API_KEY" });
  expect(JSON.stringify(list)).not.toContain('"k"');
});

// The first screen: which agents it names, and when it is there at all.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../src/cli/config/load-config.js";
import { welcomeFor } from "../../src/cli/welcome.js";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palaver-welcome-"));
  for (const [name, mode] of [
    ["claude", 0o755],
    ["gemini", 0o755],
    ["opencode", 0o644],
  ] as const) {
    writeFileSync(join(folder, name), "#!/bin/sh\nexit 1\n");
    chmodSync(join(folder, name), mode);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function welcome(environment: Readonly<Record<string, string>>) {
  return welcomeFor(loadConfig({ environment: { HOME: folder, PATH: "", ...environment }, folder }));
}

test("names the agents whose programs are on the PATH, and no others", () => {
  const [agents] = welcome({ PATH: folder })?.ways ?? [];
  expect(agents?.texts.slice(1)).toEqual(["palaver run claude · gemini", "palaver run claude"]);
});

test("says so where there are none", () => {
  const [agents] = welcome({})?.ways ?? [];
  expect(agents?.texts[0]).toMatch(/^none found/);
});

test.each([
  ["a key", { ANTHROPIC_API_KEY: "a-key" }],
  ["the name of a model", { PALAVER_MODEL: "ollama:qwen3" }],
  ["an invalid name, which the agent tells", { PALAVER_MODEL: "no-such-model" }],
])("is not there with %s", (_, environment) => {
  expect(welcome(environment)).toBe(null);
});

test("is there when the offline model is named", () => {
  expect(welcome({ PALAVER_MODEL: "offline" })).not.toBe(null);
});

// The client contract: every example in it is a fixture that fits its schema, and every constant is the one in the code.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import * as page from "../../src/contract/page.js";
import { PAGE_BEAT_MS, PAGE_PROTOCOL, PAGE_STALE_MS, SESSION_PROTOCOL } from "../../src/contract/protocol-numbers.js";
import { intentParamsSchema, intentResultSchema } from "../../src/contract/session-changes.js";

const folder = new URL("../fixtures/client-contract/", import.meta.url);
const contract = readFileSync(new URL("../../docs/client-contract.md", import.meta.url), "utf8");
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
const textOf = (name: string) => readFileSync(new URL(`${name}.json`, folder), "utf8").trim();

const schemas: Readonly<Record<string, z.ZodType>> = {
  "answer-delivered": intentResultSchema,
  "answer-late": intentResultSchema,
  "answer-request": intentParamsSchema,
  device: page.deviceResultSchema,
  "overview-changes": page.overviewChangeSchema.array(),
  "overview-hello": page.overviewHelloSchema,
  "overview-snapshot": page.overviewSnapshotSchema,
  "pair-code": page.pairCodeSchema,
  "pair-request": page.pairParamsSchema,
  "pair-result": page.pairResultSchema,
  "push-ask": page.pushMessageSchema,
  "push-settled": page.pushMessageSchema,
};

test("there is a schema for every example, and an example for every schema", () => {
  expect(names.sort()).toEqual(Object.keys(schemas).sort());
});

describe.each(names)("the example %s", (name) => {
  test("fits its schema, and nothing of it is dropped", () => {
    const value: unknown = JSON.parse(textOf(name));
    expect(schemas[name]?.parse(value)).toEqual(value);
  });

  test("stands in the contract as it is in the file", () => {
    expect(contract).toContain(`\`\`\`json\n${textOf(name)}\n\`\`\``);
  });
});

test("every type of change has an example", () => {
  const types = (JSON.parse(textOf("overview-changes")) as { type: string }[]).map(({ type }) => type);
  const known = page.overviewChangeSchema.options.map(({ shape }) => shape.type.value);
  expect(types.sort()).toEqual([...known].sort());
});

test.each([
  ["PAGE_PROTOCOL", PAGE_PROTOCOL],
  ["SESSION_PROTOCOL", SESSION_PROTOCOL],
  ["PAGE_BEAT_MS", PAGE_BEAT_MS],
  ["PAGE_STALE_MS", PAGE_STALE_MS],
  ["PAIR_CODE_MS", page.PAIR_CODE_MS],
  ["OVERVIEW_ASKS_MAX", page.OVERVIEW_ASKS_MAX],
  ["OVERVIEW_CHARS_MAX", page.OVERVIEW_CHARS_MAX],
  ["OVERVIEW_SETTLED_MAX", page.OVERVIEW_SETTLED_MAX],
])("%s is %d in the contract too", (name, value) => {
  expect(contract).toContain(`| \`${name}\` | ${value.toLocaleString("en-US")} |`);
});

// The client contract: every example in it is a fixture that fits its schema, and every constant is the one in the code.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { agentEndSchema } from "../../src/contract/hosted-sessions.js";
import * as page from "../../src/contract/page.js";
import { PAGE_BEAT_MS, PAGE_PROTOCOL, PAGE_STALE_MS, SESSION_PROTOCOL } from "../../src/contract/protocol-numbers.js";
import * as session from "../../src/contract/session-changes.js";

const folder = new URL("../fixtures/client-contract/", import.meta.url);
const contract = readFileSync(new URL("../../docs/client-contract.md", import.meta.url), "utf8");
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
const textOf = (name: string) => readFileSync(new URL(`${name}.json`, folder), "utf8").trim();

const schemas: Readonly<Record<string, z.ZodType>> = {
  "answer-delivered": session.intentResultSchema,
  "answer-late": session.intentResultSchema,
  "answer-request": session.intentParamsSchema,
  device: page.deviceResultSchema,
  "overview-changes": page.overviewChangeSchema.array(),
  "overview-hello": page.overviewHelloSchema,
  "overview-snapshot": page.overviewSnapshotSchema,
  "pair-code": page.pairCodeSchema,
  "pair-request": page.pairParamsSchema,
  "pair-result": page.pairResultSchema,
  intents: session.intentParamsSchema.shape.intent.array(),
  "session-blocks": session.historyItemSchema.shape.block.array(),
  "session-changes": session.changeSchema.array(),
  "session-ended": agentEndSchema,
  "session-hello": session.helloSchema,
  "session-history": session.historyItemSchema.array(),
  "session-snapshot": session.snapshotSchema,
  "session-transcript": session.transcriptPageSchema,
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

const namesOf = (union: { readonly options: readonly z.core.$ZodObject[] }, field: string) =>
  union.options.map(({ _zod: { def } }) => (def.shape[field] as z.ZodLiteral<string>).value);

test.each([
  ["overview-changes", "type", page.overviewChangeSchema],
  ["session-changes", "type", session.changeSchema],
  ["session-blocks", "kind", session.historyItemSchema.shape.block],
  ["intents", "type", session.intentParamsSchema.shape.intent],
] as const)("every type in %s has an example", (name, field, union) => {
  const shown = (JSON.parse(textOf(name)) as Record<string, string>[]).map((one) => one[field]);
  expect([...new Set(shown)].sort()).toEqual(namesOf(union, field).sort());
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

// What is published about the wires is what the contract declares: schemas, page and examples agree.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { protocolPage } from "../../scripts/protocol-page.mjs";
import { agentEventSchema, agentEventSchemas } from "../../src/contract/agent-events.js";
import * as contract from "../../src/contract/exports.js";
import { linesCommandSchema, linesCommandSchemas } from "../../src/contract/lines-commands.js";
import { linesOutputSchema, linesOutputSchemas } from "../../src/contract/lines-outputs.js";
import { verifies } from "../verifies.js";
import { examplesOf } from "./schema-examples.js";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

test.each(contract.publishedSchemaNames)("schema/%s.schema.json is current; `npm run schema` makes it so", (name) => {
  verifies("wires.schemas-are-the-contract");
  expect(JSON.parse(read(`schema/${name}.schema.json`))).toEqual(contract.publishedSchema(name));
});

test("the reference in docs/protocol.md is current; `npm run schema` makes it so", () => {
  const page = read("docs/protocol.md");
  expect(protocolPage(page, contract) === page).toBe(true);
});

describe("docs/protocol.md", () => {
  const page = read("docs/protocol.md");

  test.each(
    [...linesCommandSchemas, ...linesOutputSchemas, ...agentEventSchemas].flatMap((schema) => examplesOf([schema])),
  )("shows an example of %s", (_type, example) => {
    expect(page).toContain(JSON.stringify(example));
  });

  test("its conversation is made of valid frames", () => {
    const lines = page.split("\n").filter((line) => /^[◄►] \{/.test(line));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const schema = line.startsWith("►") ? linesCommandSchema : linesOutputSchema;
      expect(schema.safeParse(JSON.parse(line.slice(2))).error?.message).toBeUndefined();
    }
  });
});

test.each(examplesOf(agentEventSchemas))("the example of the event %s is valid", (_type, example) => {
  expect(agentEventSchema.safeParse(example).error?.message).toBeUndefined();
});

test("both sides must have the bit before structured permission events are used", () => {
  const bit = { supports_permission_preflight_events: true };
  expect(contract.agreeOnPreflightEvents(bit, bit)).toBe(true);
  expect(contract.agreeOnPreflightEvents(bit, {})).toBe(false);
  expect(contract.agreeOnPreflightEvents({}, bit)).toBe(false);
});

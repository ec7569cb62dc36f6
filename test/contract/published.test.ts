// What is published about the wires is what the contract declares: schemas, page and examples agree.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { protocolPage } from "../../scripts/protocol-page.mjs";
import { wireQuestion } from "../../src/agents/dialects/wire-question.js";
import { agentEventSchema, agentEventSchemas } from "../../src/contract/agent-events.js";
import * as contract from "../../src/contract/exports.js";
import { linesCommandSchema, linesCommandSchemas } from "../../src/contract/lines-commands.js";
import { linesOutputSchema, linesOutputSchemas } from "../../src/contract/lines-outputs.js";
import { callOfConfirm, choiceOfAnswer, confirmOfCall } from "../../src/contract/permission-call.js";
import { verifies } from "../verifies.js";
import { examplesOf } from "./schema-examples.js";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

test.each(contract.publishedSchemaNames)("schema/%s.schema.json is current; `npm run schema` makes it so", (name) => {
  verifies("wires.schemas-are-the-contract");
  expect(JSON.parse(read(`schema/${name}.schema.json`))).toEqual(contract.publishedSchema(name));
});

type Definition = { $ref?: string; const?: unknown; description?: string; properties?: Record<string, Definition> };

describe.each(contract.publishedSchemaNames)("schema/%s.schema.json", (name) => {
  const schema = contract.publishedSchema(name) as { $id: string; $defs: Record<string, Definition> };

  test("has an id with the version, and no list of types, which strict validators refuse", () => {
    expect(schema.$id).toBe(`urn:palaver:schema:2:${name}`);
    expect(JSON.stringify(schema)).not.toContain('"type":[');
  });

  test("describes every field at any depth, or refers to something that is described", () => {
    const silent: string[] = [];
    const walk = (place: string, definition: unknown) => {
      if (typeof definition !== "object" || definition === null) return;
      const { properties = {} } = definition as Definition;
      for (const [field, { const: fixed, description, $ref = "" }] of Object.entries(properties)) {
        const referred = schema.$defs[$ref.slice("#/$defs/".length)]?.description;
        if (fixed === undefined && (description ?? referred) === undefined) silent.push(`${place}.${field}`);
      }
      for (const [key, inner] of Object.entries(definition)) if (key !== "examples") walk(`${place}/${key}`, inner);
    };
    walk("", schema);
    expect(silent).toEqual([]);
  });
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

  test("shows the type of each block and the role of each message", () => {
    const constants = [...page.matchAll(/^\| `(type|role)` \| `"(\w+)"` \| yes/gm)].map(([, , constant]) => constant);
    expect(constants.sort()).toEqual(["assistant", "image", "text", "thinking", "tool_call", "tool_result", "user"]);
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

describe("permission", () => {
  const call = { tool: "run", command: "npm publish", danger: "it cannot be taken back", remember: true };

  test.each([
    [true, { choice: "once" }],
    [{ ok: true, remember: true }, { choice: "always" }],
    [
      { ok: false, reason: "the tests fail" },
      { choice: "no", reason: "the tests fail" },
    ],
    [false, { choice: "no" }],
    [null, null],
  ])("the answer %j of a view is the choice %j on the wire", (answer, choice) => {
    expect(choiceOfAnswer(answer)).toEqual(choice);
  });

  test("says the same as the confirmation that is shown", () => {
    const confirm = confirmOfCall(call);
    expect(confirm).toMatchObject({ title: "run npm publish", opts: { allow_remember: true, danger_level: "danger" } });
    expect(callOfConfirm(confirm)).toEqual({ ...call, title: "run npm publish", message: undefined });
    expect(callOfConfirm({ title: "Really?" })).toBeNull();
  });

  test("a field that the contract does not know is shown with the question", () => {
    const frame = { type: "ui_request", id: "q", method: "permission", params: { ...call, sudo: true } };
    const question = wireQuestion(contract.uiRequestSchema.parse(frame));
    expect(question).toMatchObject({
      kind: "confirm",
      params: { opts: { details: [{ name: "sudo", value: "true" }] } },
    });
  });
});

test("both sides must have the bit before structured permission events are used", () => {
  const bit = { supports_permission_preflight_events: true };
  expect(contract.agreeOnPreflightEvents(bit, bit)).toBe(true);
  expect(contract.agreeOnPreflightEvents(bit, {})).toBe(false);
  expect(contract.agreeOnPreflightEvents({}, bit)).toBe(false);
});

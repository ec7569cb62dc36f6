// Every built-in tool can be described to a model, and its input is checked.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { builtInTools } from "../../../src/builtin/serve-agent.js";

describe("the built-in tools", () => {
  test("are these, by name", () => {
    expect(builtInTools().map(({ name }) => name)).toEqual(["read", "ls", "glob", "grep", "edit", "write", "bash"]);
  });

  test.each(builtInTools())(
    "$name has a description and a JSON Schema of an object",
    ({ description, inputSchema }) => {
      expect(description.length).toBeGreaterThan(40);
      expect(z.toJSONSchema(inputSchema)).toMatchObject({ type: "object", properties: expect.any(Object) });
    },
  );

  test("refuse input that is out of bounds", () => {
    const schemas = Object.fromEntries(builtInTools().map(({ name, inputSchema }) => [name, inputSchema]));
    const refused = [
      schemas["read"]?.safeParse({ path: "a", limit: 1_000_000 }),
      schemas["bash"]?.safeParse({ command: "ls", timeout_s: 601 }),
      schemas["bash"]?.safeParse({ command: "" }),
      schemas["edit"]?.safeParse({ path: "a", edits: [] }),
    ];
    expect(refused.map((result) => result?.success)).toEqual([false, false, false, false]);
  });
});

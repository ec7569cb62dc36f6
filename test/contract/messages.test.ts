// Reading messages: their prose, and what they say they cost, without trusting either.
import { expect, test } from "vitest";
import { textOf, usageOf } from "../../src/contract/message-parts.js";
import { messageSchema } from "../../src/contract/messages.js";

test("the prose of a message is its text, whether it is a string or blocks", () => {
  expect(textOf("hello")).toBe("hello");
  expect(
    textOf([
      { type: "text", text: "a" },
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "b" },
    ]),
  ).toBe("ab");
  expect(textOf(undefined)).toBe("");
});

test("a message that counts wrongly is still a message", () => {
  const message = (usage: unknown) => messageSchema.parse({ role: "assistant", content: "hi", usage });
  expect(usageOf(message({ input: 3, cost: { total: 0.1 } }))).toEqual({ input: 3, cost: { total: 0.1 } });
  expect(usageOf(message({ input: "three" }))).toBeNull();
  expect(usageOf(message(null))).toBeNull();
  expect(usageOf(message(undefined))).toBeNull();
});

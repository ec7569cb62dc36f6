// Secrets that users type: hidden from views and files, whole for the agent.
import { describe, expect, test } from "vitest";
import { TypedText } from "../../src/host/typed-text.js";
import { shellOutput } from "../../src/session/shell-output.js";
import { createRedactor } from "../../src/text/redact.js";

describe("what is typed into a hosted session", () => {
  test("reaches the agent as it was typed, also when two prompts differ in nothing but a secret", () => {
    const typed = new TypedText(createRedactor([]));
    const prompts = [`sk-ant-api03-${"a".repeat(40)}`, `sk-ant-api03-${"b".repeat(40)}`].map((key) => `use ${key} now`);
    const kept = prompts.map((text) => {
      const intent = typed.enter({ type: "submit", text });
      return intent.type === "submit" ? intent.text : "";
    });
    expect(kept[0]).not.toBe(kept[1]);
    for (const text of kept) expect(text).toMatch(/^use •{6,} now$/);
    expect(kept.map((text) => typed.leave({ type: "prompt", text }))).toMatchObject(prompts.map((text) => ({ text })));
  });
});

test("the output of a user's command travels behind the prompt without secrets; the prompt is as it was typed", () => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwx";
  const typed = new TypedText(createRedactor([]));
  const context = shellOutput("env", `KEY=${secret}`, String);
  const entered = typed.enter({ type: "submit", text: `use ${secret}`, context });
  if (entered.type !== "submit") throw new Error("another intent");
  expect(JSON.stringify(entered)).not.toContain(secret);
  const sent = typed.leave({ type: "prompt", text: `${entered.text}${entered.context ?? ""}` });
  expect(sent).toMatchObject({ text: `use ${secret}${shellOutput("env", "KEY=••••••", String)}` });
});

// Every kind of dialog is one row: its example is a question, its sample answers it, and both pass its own schemas.
import { describe, expect, test } from "vitest";
import { uiCapabilitiesSchema } from "../../src/contract/capabilities.js";
import {
  cancelledAnswer,
  type DialogQuestion,
  dialogKinds,
  dialogMethods,
  readAnswer,
  sampleAnswer,
} from "../../src/contract/dialogs.js";
import { basicDialogMethods } from "../../src/contract/protocol-versions.js";

describe.each(dialogMethods)("the dialog %s", (method) => {
  const { params, result, example } = dialogKinds[method];
  const question = { method, params: params.parse(example) } as DialogQuestion;

  test("has an example that is a question", () => {
    expect(params.safeParse(example).success).toBe(true);
  });

  test("is answered by its sample, and cancelled by null", () => {
    const sample = sampleAnswer(question);
    expect(result.safeParse(sample).success).toBe(true);
    expect(readAnswer(question, sample)).not.toHaveProperty("wrong");
    expect(readAnswer(question, null)).toEqual({ value: cancelledAnswer(method) });
  });

  test("has a bit by which a front end says that it has it", () => {
    expect(Object.keys(uiCapabilitiesSchema.shape)).toContain(`supports_${method}`);
  });
});

test("the basic dialogs come first", () => {
  expect(dialogMethods.slice(0, 4)).toEqual([...basicDialogMethods]);
});

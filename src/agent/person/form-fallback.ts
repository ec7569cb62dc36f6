// A form, also for front ends that have none: there its fields are asked one after the other, and a cancel of one cancels
// all of it.
import type { DialogParams, FormField } from "../../contract/dialogs.js";
import type { QuestionOptions, Questions } from "../questions.js";

export async function askForm(
  params: DialogParams<"form">,
  questions: Questions,
  options: QuestionOptions,
): Promise<Record<string, unknown> | null> {
  if (questions.skills.form) return questions.ask("form", params, options);
  const answers: Record<string, unknown> = {};
  for (const field of params.fields) {
    const answer = await askField(field, params.title, questions, options);
    if (answer === null) return null;
    answers[field.name] = answer;
  }
  return answers;
}

async function askField(
  field: FormField,
  title: string,
  questions: Questions,
  options: QuestionOptions,
): Promise<unknown> {
  const params = { title: `${title}: ${field.label}` };
  switch (field.kind) {
    case "confirm": {
      const answer = await questions.ask("confirm", params, options);
      return answer === true || (typeof answer === "object" && answer?.ok === true);
    }
    case "select":
    case "multi_select": {
      const multi = field.kind === "multi_select" && questions.skills.multiSelect;
      return questions.ask(
        "select",
        { ...params, options: field.options ?? [], opts: multi ? { multi } : {} },
        options,
      );
    }
    case "number": {
      const text = await questions.ask("input", params, options);
      return text === null || Number.isNaN(Number(text)) ? text : Number(text);
    }
    case "text":
    case "secret":
      return questions.ask("input", { ...params, opts: field.kind === "secret" ? { secret: true } : {} }, options);
  }
}

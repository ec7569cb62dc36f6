// A form and a choice of several, also for front ends that have neither: there a form's fields are asked one after the
// other, a cancel of one cancels all of it, and of several one can be chosen.
import type { UiCapabilities } from "../contract/capabilities.js";
import type { DialogMethod, DialogParams, DialogResult, FormField } from "../contract/dialogs.js";

/** What the front end can show beyond the four basic questions. */
export type DialogSkills = { readonly form: boolean; readonly multiSelect: boolean };

/** A bit that is missing means no. */
export function dialogSkills({ supports_form, supports_multi_select }: UiCapabilities): DialogSkills {
  return { form: supports_form === true, multiSelect: supports_multi_select === true };
}

export type Asker = {
  readonly skills: DialogSkills;
  ask<Method extends DialogMethod>(method: Method, params: DialogParams<Method>): Promise<DialogResult<Method>>;
};

export async function askSeveral(params: DialogParams<"select">, asker: Asker): Promise<string[] | null> {
  const opts = { ...params.opts, ...(asker.skills.multiSelect ? { multi: true } : {}) };
  const answer = await asker.ask("select", { ...params, opts });
  return typeof answer === "string" ? [answer] : answer;
}

export async function askForm(params: DialogParams<"form">, asker: Asker): Promise<Record<string, unknown> | null> {
  if (asker.skills.form) return asker.ask("form", params);
  const answers: Record<string, unknown> = {};
  for (const field of params.fields) {
    const answer = await askField(field, params.title, asker);
    if (answer === null) return null;
    answers[field.name] = answer;
  }
  return answers;
}

async function askField(field: FormField, formTitle: string, asker: Asker): Promise<unknown> {
  const title = `${formTitle}: ${field.label}`;
  switch (field.kind) {
    case "confirm":
      return isYes(await asker.ask("confirm", { title }));
    case "select":
      return asker.ask("select", { title, options: field.options ?? [] });
    case "multi_select":
      return askSeveral({ title, options: field.options ?? [] }, asker);
    case "number": {
      const text = await asker.ask("input", { title });
      return text === null || Number.isNaN(Number(text)) ? text : Number(text);
    }
    case "text":
    case "secret":
      return asker.ask("input", { title, opts: field.kind === "secret" ? { secret: true } : {} });
  }
}

export function isYes(answer: DialogResult<"confirm">): boolean {
  return typeof answer === "object" ? answer?.ok === true : answer;
}

// Secrets that a sign-in needs from the person: variables that the agent reads when it starts, or a key that it takes on the
// wire. They are typed into a secret input, go to the agent alone, and are kept nowhere.

import type { AcpAuthMethod } from "../../../contract/acp.js";
import type { Ask } from "../../../contract/asks.js";
import { objectOf } from "../../../contract/json-value.js";
import type { AcpContext } from "./context.js";

type Variable = NonNullable<AcpAuthMethod["vars"]>[number];

/** The variables without which this way does not work, and which are not there or did not help. */
export function missingVariables({ type, vars }: AcpAuthMethod, { options }: AcpContext): Variable[] {
  if (type !== "env_var") return [];
  return (vars ?? []).filter(({ name, optional }) => optional !== true && !options.hasVariable(name));
}

/** Asks for one after the other; null when the person does not say one of them. */
export function askForVariables(
  context: AcpContext,
  variables: readonly Variable[],
  settle: (values: Readonly<Record<string, string>> | null) => void,
  given: Readonly<Record<string, string>> = {},
): void {
  const [variable, ...others] = variables;
  if (variable === undefined) {
    settle(given);
    return;
  }
  const { name, label } = variable;
  const isSecret = variable["secret"] !== false;
  const title = label ? `${label} (${name})` : name;
  const message = `${context.facts.name} reads it when it starts, and is started again with it. It is kept nowhere.`;
  askForText(context, { title, message, isSecret }, (value) => {
    if (value === null) settle(null);
    else askForVariables(context, others, settle, { ...given, [name]: value });
  });
}

/** Whether the agent takes a key on the wire, beside the name of the way. */
export function takesKey(method: AcpAuthMethod): boolean {
  return objectOf(method["_meta"])["api-key"] !== undefined;
}

/** Null when the person wants none of it; empty when the agent is to use what it has. */
export function askForKey(context: AcpContext, method: AcpAuthMethod, settle: (key: string | null) => void): void {
  const message = "Leave it empty for the key that the agent has already. It is kept nowhere.";
  const wish = { title: method.name || method.id, message, isSecret: true, isOptional: true };
  askForText(context, wish, settle);
}

type TextOptions = { title: string; message: string; isSecret: boolean; isOptional?: boolean };

function askForText(
  { asks }: AcpContext,
  { title, message, isSecret, isOptional = false }: TextOptions,
  settle: (text: string | null) => void,
): void {
  const rules = isOptional ? {} : { min_length: 1 };
  const question: Ask["question"] = { kind: "input", params: { title, message, opts: { secret: isSecret, ...rules } } };
  asks.raise({ sessionId: null, origin: { kind: "agent" }, question }, (answer) => {
    const text = answer.kind === "answered" && typeof answer.value === "string" ? answer.value.trim() : null;
    settle(text === "" && !isOptional ? null : text);
  });
}

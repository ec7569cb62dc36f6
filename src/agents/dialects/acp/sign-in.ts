// An agent that wants to know who we are first. The ways it offers become one question, in words: what it does itself, what
// has to be run in another terminal, what it has to be started with. After signing in, what was wanted is tried again.
import type { AcpAuthMethod } from "../../../contract/acp.js";
import type { Ask } from "../../../contract/asks.js";
import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { errorWords } from "../error-words.js";
import type { AcpContext } from "./context.js";

export type SignInOutcome = { readonly ok: true } | { readonly ok: false; readonly words: string };

export function signIn(context: AcpContext, why: string, settle: (outcome: SignInOutcome) => void): void {
  const { asks, facts } = context;
  if (facts.authMethods.length === 0) {
    settle({ ok: false, words: `${facts.name} wants you to sign in and does not say how: ${why}` });
    return;
  }
  const options = facts.authMethods.map((method) => {
    return { value: method.id, label: method.name || method.id, description: wordsFor(method, context) };
  });
  const question: Ask["question"] = {
    kind: "select",
    params: { title: `${facts.name} wants you to sign in`, message: why, options },
  };
  asks.raise({ sessionId: null, origin: { kind: "agent" }, question }, (answer) => {
    const method = facts.authMethods.find(({ id }) => answer.kind === "answered" && id === answer.value);
    if (method === undefined) settle({ ok: false, words: `${facts.name} needs you to sign in: ${why}` });
    else follow(context, method, settle);
  });
}

function follow(context: AcpContext, method: AcpAuthMethod, settle: (outcome: SignInOutcome) => void): void {
  if (missingVariables(method, context).length > 0) startWithVariables(context, method, settle);
  else if (terminalCommand(method, context) !== null) waitForTerminal(context, method, settle);
  else if (!takesKey(method)) authenticate(context, method, settle);
  else {
    askForKey(context, method, (key) => {
      if (key === null) settle({ ok: false, words: `${context.facts.name} needs you to sign in` });
      else authenticate(context, method, settle, key === "" ? {} : { _meta: { "api-key": key } });
    });
  }
}

/** Asks the agent to let us in, in a way that it offers; `more` goes along. */
export function authenticate(
  { peer, out, facts }: AcpContext,
  method: AcpAuthMethod,
  settle: (outcome: SignInOutcome) => void,
  more: Readonly<Record<string, unknown>> = {},
): void {
  out.event({ type: "working.changed", sessionId: null, message: `signing in to ${facts.name}` });
  peer.request("authenticate", { methodId: method.id, ...more }, (answer) => {
    out.event({ type: "working.changed", sessionId: null, message: null });
    settle(answer.ok ? { ok: true } : { ok: false, words: `signing in failed: ${errorWords(answer)}` });
  });
}

// An agent reads its environment when it starts, so that it has to start again. Nobody here waits for that: the machine that
// goes with the next process is a new one, and signs in by itself.
function startWithVariables(
  context: AcpContext,
  method: AcpAuthMethod,
  settle: (outcome: SignInOutcome) => void,
): void {
  const { hands, out, facts, activeSession } = context;
  const missing = missingVariables(method, context);
  askForVariables(context, missing, (env) => {
    if (env === null) {
      const names = missing.map(({ name }) => name).join(" and ");
      settle({ ok: false, words: `set ${names} in the environment, then start again` });
      return;
    }
    out.event({ type: "working.changed", sessionId: null, message: `starting ${facts.name} again` });
    hands.perform({ type: "agent.restart", env, methodId: method.id, sessionId: activeSession() }, (result) => {
      if (!result.ok) settle({ ok: false, words: result.message });
    });
  });
}

// Two programs cannot share one terminal, so the person runs it in another one and says when it is done.
function waitForTerminal(context: AcpContext, method: AcpAuthMethod, settle: (outcome: SignInOutcome) => void): void {
  const command = terminalCommand(method, context) ?? "";
  const question: Ask["question"] = {
    kind: "confirm",
    params: {
      title: "Sign in in another terminal, then come back",
      message: command,
      opts: { confirm_label: "done", cancel_label: "not now", command },
    },
  };
  context.asks.raise({ sessionId: null, origin: { kind: "agent" }, question }, (answer) => {
    const isDone = answer.kind === "answered" && (answer.value === true || objectOf(answer.value)["ok"] === true);
    settle(isDone ? { ok: true } : { ok: false, words: `run ${command} to sign in, then start again` });
  });
}

function wordsFor(method: AcpAuthMethod, context: AcpContext): string {
  const missing = missingVariables(method, context);
  const command = terminalCommand(method, context);
  const how =
    missing.length > 0
      ? `asks for ${missing.map(({ name }) => name).join(", ")} and starts it again`
      : command === null
        ? ""
        : `in another terminal: ${command}`;
  return [method.description, how].filter(Boolean).join("; ");
}

/** The command of a sign-in that is a program of its own; null for the others. */
function terminalCommand(method: AcpAuthMethod, { options }: AcpContext): string | null {
  const described = objectOf(objectOf(method["_meta"])["terminal-auth"]);
  if (typeof described["command"] === "string") {
    return commandLine(described["command"], described["args"], described["env"]);
  }
  if (method.type !== "terminal") return null;
  const { command, args } = options.command;
  return commandLine(command, [...args, ...(method.args ?? [])], method.env);
}

function commandLine(command: string, args: unknown, env: unknown): string {
  const words = Array.isArray(args) ? args.map(String) : [];
  const pairs = Array.isArray(env)
    ? env.map((entry) => [objectOf(entry)["name"], objectOf(entry)["value"]])
    : Object.entries(objectOf(env));
  return [
    ...pairs.map(([name, value]) => `${name}=${quoted(plainWord(value))}`),
    ...[command, ...words].map(quoted),
  ].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

type Variable = NonNullable<AcpAuthMethod["vars"]>[number];

/** The variables without which this way does not work, and which are not there or did not help. */
function missingVariables({ type, vars }: AcpAuthMethod, { options }: AcpContext): Variable[] {
  if (type !== "env_var") return [];
  return (vars ?? []).filter(({ name, optional }) => optional !== true && !options.hasVariable(name));
}

/** Asks for one after the other; null when the person does not say one of them. */
function askForVariables(
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
function takesKey(method: AcpAuthMethod): boolean {
  return objectOf(method["_meta"])["api-key"] !== undefined;
}

/** Null when the person wants none of it; empty when the agent is to use what it has. */
function askForKey(context: AcpContext, method: AcpAuthMethod, settle: (key: string | null) => void): void {
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

// Sign-in. The methods that the agent offers become one select; then the failed request is repeated. Variables that the agent
// reads at its start, or a key, are typed into secret inputs, go to the agent alone, and are stored nowhere.

import type { Ask } from "../../../contract/asks.js";
import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { errorWords } from "../error-words.js";
import { isYes } from "../pending-asks.js";
import type { AcpAuthMethod } from "./acp-frames.js";
import type { AcpContext } from "./context.js";
import { quoted } from "./run-line.js";

/** Gets why the sign-in failed, or null. */
type Settle = (problem: string | null) => void;

export function signIn(context: AcpContext, why: string, settle: Settle): void {
  const { asks, facts } = context;
  if (facts.authMethods.length === 0) {
    settle(`${facts.name} needs you to sign in, but does not say how: ${why}`);
    return;
  }
  const options = facts.authMethods.map((method) => {
    return { value: method.id, label: method.name || method.id, description: wordsFor(method, context) };
  });
  const question: Ask["question"] = {
    kind: "select",
    params: { title: `${facts.name} needs you to sign in`, message: why, options },
  };
  asks.question({ sessionId: null, question }, (answer) => {
    const method = facts.authMethods.find(({ id }) => answer.kind === "answered" && id === answer.value);
    if (method === undefined) settle(`${facts.name} needs you to sign in: ${why}`);
    else follow(context, method, settle);
  });
}

function follow(context: AcpContext, method: AcpAuthMethod, settle: Settle): void {
  if (missingVariables(method, context).length > 0) startWithVariables(context, method, settle);
  else if (terminalCommand(method, context) !== null) waitForTerminal(context, method, settle);
  else if (!takesKey(method)) authenticate(context, method, settle);
  else {
    askForKey(context, method, (key) => {
      if (key === null) settle(`${context.facts.name} needs you to sign in`);
      else authenticate(context, method, settle, key === "" ? {} : { _meta: { "api-key": key } });
    });
  }
}

export function authenticate(
  { peer, out, facts }: AcpContext,
  method: AcpAuthMethod,
  settle: Settle,
  more: Readonly<Record<string, unknown>> = {},
): void {
  out.event({ type: "working.changed", sessionId: null, message: `signing in to ${facts.name}` });
  peer.request("authenticate", { methodId: method.id, ...more }, (answer) => {
    out.event({ type: "working.changed", sessionId: null, message: null });
    settle(answer.ok ? null : `signing in failed: ${errorWords(answer)}`);
  });
}

// An agent reads its environment at its start, so it is restarted. Nothing here waits for that: the new process has a new
// dialect, which signs in.
function startWithVariables(context: AcpContext, method: AcpAuthMethod, settle: Settle): void {
  const { effects, out, facts, activeSession } = context;
  const missing = missingVariables(method, context);
  askForVariables(context, missing, (env) => {
    if (env === null) {
      const names = missing.map(({ name }) => name).join(" and ");
      settle(`set ${names} in the environment, then start again`);
      return;
    }
    out.event({ type: "working.changed", sessionId: null, message: `starting ${facts.name} again` });
    effects.perform({ type: "agent.restart", env, methodId: method.id, sessionId: activeSession() }, (result) => {
      if (!result.ok) settle(result.message);
    });
  });
}

// Two programs cannot share one terminal: the user runs the command in another one and confirms.
function waitForTerminal(context: AcpContext, method: AcpAuthMethod, settle: Settle): void {
  const command = terminalCommand(method, context) ?? "";
  const question: Ask["question"] = {
    kind: "confirm",
    params: {
      title: "Sign in from another terminal, then return here",
      message: command,
      opts: { confirm_label: "done", cancel_label: "not now", command },
    },
  };
  context.asks.question({ sessionId: null, question }, (answer) => {
    const isDone = answer.kind === "answered" && isYes(answer.value);
    settle(isDone ? null : `run ${command} to sign in, then start again`);
  });
}

function wordsFor(method: AcpAuthMethod, context: AcpContext): string {
  const missing = missingVariables(method, context);
  const command = terminalCommand(method, context);
  const how =
    missing.length > 0
      ? `asks for ${missing.map(({ name }) => name).join(", ")} and restarts the agent`
      : command === null
        ? ""
        : `in another terminal: ${command}`;
  return [method.description, how].filter(Boolean).join("; ");
}

/** The command line of a sign-in that is a program of its own; null for other methods. */
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

type Variable = NonNullable<AcpAuthMethod["vars"]>[number];

/** Required variables that are not set, or were not accepted. */
function missingVariables({ type, vars }: AcpAuthMethod, { options }: AcpContext): Variable[] {
  if (type !== "env_var") return [];
  return (vars ?? []).filter(({ name, optional }) => optional !== true && !options.hasVariable(name));
}

/** Asks for one after the other; null when the user cancels. */
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
  const message = `${context.facts.name} reads it at start, so it is restarted with it. The value is not saved.`;
  askForText(context, { title, message, isSecret }, (value) => {
    if (value === null) settle(null);
    else askForVariables(context, others, settle, { ...given, [name]: value });
  });
}

/** Whether the agent takes a key in the authenticate request. */
function takesKey(method: AcpAuthMethod): boolean {
  return objectOf(method["_meta"])["api-key"] !== undefined;
}

/** Null when cancelled; empty when the agent is to use the key it has. */
function askForKey(context: AcpContext, method: AcpAuthMethod, settle: (key: string | null) => void): void {
  const message = "Leave it empty to use the key that the agent already has. The value is not saved.";
  askForText(context, { title: method.name || method.id, message, isSecret: true, isOptional: true }, settle);
}

type TextOptions = { title: string; message: string; isSecret: boolean; isOptional?: boolean };

function askForText(
  { asks }: AcpContext,
  { title, message, isSecret, isOptional = false }: TextOptions,
  settle: (text: string | null) => void,
): void {
  const rules = isOptional ? {} : { min_length: 1 };
  const question: Ask["question"] = { kind: "input", params: { title, message, opts: { secret: isSecret, ...rules } } };
  asks.question({ sessionId: null, question }, (answer) => {
    const text = answer.kind === "answered" && typeof answer.value === "string" ? answer.value.trim() : null;
    settle(text === "" && !isOptional ? null : text);
  });
}

// An agent that wants to know who we are first. The ways it offers become one question, in words: what it does itself, what
// has to be run in another terminal, what has to be set before it starts. After signing in, what was wanted is tried again.

import type { AcpAuthMethod } from "../../contract/acp.js";
import type { Ask } from "../../contract/asks.js";
import { plainWord } from "../../contract/plain-word.js";
import type { AcpContext } from "./context.js";
import { errorWords } from "./error-words.js";
import { objectOf } from "./peer.js";

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
  const missing = missingVariables(method, context);
  if (missing.length > 0) {
    settle({ ok: false, words: `set ${missing.join(" and ")} in the environment, then start again` });
  } else if (terminalCommand(method, context) === null) authenticate(context, method, settle);
  else waitForTerminal(context, method, settle);
}

function authenticate(context: AcpContext, method: AcpAuthMethod, settle: (outcome: SignInOutcome) => void): void {
  const { peer, out, facts } = context;
  out.event({ type: "working.changed", sessionId: null, message: `signing in to ${facts.name}` });
  peer.request("authenticate", { methodId: method.id }, (answer) => {
    out.event({ type: "working.changed", sessionId: null, message: null });
    settle(answer.ok ? { ok: true } : { ok: false, words: `signing in failed: ${errorWords(answer)}` });
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
      ? `needs ${missing.join(", ")} in the environment`
      : command === null
        ? ""
        : `in another terminal: ${command}`;
  return [method.description, how].filter(Boolean).join("; ");
}

function missingVariables(method: AcpAuthMethod, { options }: AcpContext): string[] {
  if (method.type !== "env_var") return [];
  const names = (method.vars ?? []).filter(({ optional }) => optional !== true).map(({ name }) => name);
  return names.filter((name) => !options.hasVariable(name));
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

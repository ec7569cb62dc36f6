// What an agent reports about itself in its answer to `initialize`: name, capabilities, sign-in methods. Known deviations of
// some agents from the protocol are added by name.

import { objectOf } from "../../../contract/json-value.js";
import { plainWord } from "../../../contract/plain-word.js";
import { ACP_VERSION, type AcpAuthMethod, acpAuthMethodSchema, acpInitializeResultSchema } from "./acp-frames.js";
import type { Variable } from "./run-line.js";

export type AgentFacts = {
  readonly name: string;
  readonly version: string | null;
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly canList: boolean;
  readonly canClose: boolean;
  readonly takesImages: boolean;
  readonly mcp: { readonly http: boolean; readonly sse: boolean };
  readonly authMethods: readonly AcpAuthMethod[];
  readonly habits: Habits;
};

export type Habits = {
  /** Some agents read a file before they create it, and fail on an error; for them a missing file reads as empty. */
  readonly missingFile: "reads-empty" | "is-an-error";
  /** Claude requests a mode that it refuses when it runs as root; this setting requests the ordinary one. */
  readonly sessionMeta: Readonly<Record<string, unknown>> | null;
  /** When the history of a loaded session is sent; the protocol says before the answer to session/load. */
  readonly story: "before-the-answer" | "after-the-answer";
  /** What the agent puts around an allowed command before it asks us to run it; null when nothing. */
  readonly terminal: TerminalHabit | null;
  /** Whether a request to write a whole file carries only path and content; then we compute the diff. */
  readonly wholeFiles: "shown-as-content" | "shown-as-diff";
};

export type TerminalHabit = { before(folder: string): string; readonly env: readonly Variable[] };

// The approval shows this text, and a run that differs from it in one character is asked about.
const kimiTerminal: TerminalHabit = {
  before: (folder) => `cd '${folder}' && `,
  env: [
    { name: "NO_COLOR", value: "1" },
    { name: "TERM", value: "dumb" },
    { name: "GIT_TERMINAL_PROMPT", value: "0" },
    { name: "SHELL", value: "/bin/bash" },
  ],
};

const claudeMeta = { claudeCode: { options: { allowDangerouslySkipPermissions: false } } };

function habitsOf(name: string): Habits {
  return {
    missingFile: /gemini|qwen/i.test(name) ? "reads-empty" : "is-an-error",
    sessionMeta: /claude/i.test(name) ? claudeMeta : null,
    story: /gemini/i.test(name) ? "after-the-answer" : "before-the-answer",
    terminal: /kimi/i.test(name) ? kimiTerminal : null,
    wholeFiles: /kimi/i.test(name) ? "shown-as-content" : "shown-as-diff",
  };
}

export const unknownAgent: AgentFacts = factsOf({});

/** The facts, or why this agent cannot be used. */
export function readGreeting(result: unknown): { facts: AgentFacts } | { problem: string } {
  const { data } = acpInitializeResultSchema.safeParse(result);
  if (data === undefined) return { problem: "its answer to initialize is invalid; is it an ACP agent?" };
  const version = data.protocolVersion ?? ACP_VERSION;
  if (Number(version) !== ACP_VERSION) {
    return {
      problem: `it uses ACP version ${plainWord(version).slice(0, 20)}; Palaver supports version ${ACP_VERSION}`,
    };
  }
  return { facts: factsOf(data) };
}

function factsOf(result: Readonly<Record<string, unknown>>): AgentFacts {
  const info = objectOf(result["agentInfo"]);
  const capabilities = objectOf(result["agentCapabilities"]);
  const sessions = objectOf(capabilities["sessionCapabilities"]);
  const prompts = objectOf(capabilities["promptCapabilities"]);
  const mcp = objectOf(capabilities["mcpCapabilities"]);
  const name = [info["title"], info["name"]].find((word) => typeof word === "string" && word !== "");
  const habitName = [info["name"], info["title"]].join(" ");
  return {
    name: typeof name === "string" ? name : "the agent",
    version: typeof info["version"] === "string" ? info["version"] : null,
    canLoad: isSupported(capabilities["loadSession"]),
    canResume: isSupported(sessions["resume"]),
    canList: isSupported(sessions["list"]),
    canClose: isSupported(sessions["close"]),
    takesImages: isSupported(prompts["image"]),
    mcp: { http: isSupported(mcp["http"]), sse: isSupported(mcp["sse"]) },
    authMethods: authMethodsOf(result["authMethods"]),
    habits: habitsOf(habitName),
  };
}

// An empty object means yes; absent, null and false mean no.
function isSupported(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function authMethodsOf(methods: unknown): AcpAuthMethod[] {
  if (!Array.isArray(methods)) return [];
  return methods.flatMap((method) => acpAuthMethodSchema.safeParse(method).data ?? []);
}

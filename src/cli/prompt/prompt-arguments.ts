// The command line of `palaver prompt`, read and judged before anything starts: what does not fit is said in one sentence
// and ends with the exit code for bad usage.
import type { Ask } from "../../contract/asks.js";
import { errorMessage } from "../../contract/plain-word.js";
import { agentWireNames, type WireName } from "../../contract/wire-names.js";
import { isSecret } from "../../session/asks.js";
import { type AnswerRule, readAnswers } from "../../session/headless-answers.js";
import { type JsonSchema, unusableSchema } from "../../session/json-schema-check.js";
import { schemaRequest } from "../../views/mini/json-answer.js";
import { sandboxChoice, sandboxFlags } from "../agent-box.js";
import { oneOf, readCommandLine, readTextFile, timeoutOf, wholeNumber } from "../arguments.js";
import { builtInFlags } from "../config/typed-layers.js";
import { UsageError } from "../exit-codes.js";
import { shellQuoted } from "../printed.js";

export interface PromptArguments {
  /** Null when there is none: it comes on standard input, or from a session that goes on. */
  readonly message: string | null;
  /** By name; null for the default. */
  readonly agent: string | null;
  /** After the two dashes. */
  readonly commandLine: readonly string[];
  readonly protocol: WireName | null;
  readonly output: "text" | "json" | "stream-json";
  readonly schema: JsonSchema | null;
  readonly timeoutMs: number | null;
  readonly idleTimeoutMs: number | null;
  readonly turnsMax: number | null;
  readonly permissions: "asked" | "skipped";
  readonly session: { readonly resume: string } | "continue" | "new";
  readonly answer: string | null;
  readonly allowedTools: readonly string[];
  readonly context: readonly { readonly path: string; readonly text: string }[];
  readonly rules: readonly AnswerRule[];
  readonly input: "asked" | "off";
  readonly stdin: "if-any" | "wait";
  readonly server: "on" | "off";
  readonly notes: "all" | "few";
  readonly sandbox: "on" | "off" | "settings";
  /** For `loadConfig`. */
  readonly flags: Readonly<Record<string, unknown>>;
}

const options = {
  output: { type: "string", short: "o", default: "text" },
  "json-schema": { type: "string" },
  timeout: { type: "string" },
  "idle-timeout": { type: "string" },
  "max-turns": { type: "string" },
  "skip-permissions": { type: "boolean", default: false },
  continue: { type: "boolean", short: "c", default: false },
  resume: { type: "string", short: "r", bare: { means: "", unless: /^[^-]/ } },
  answer: { type: "string" },
  "allowed-tools": { type: "string", multiple: true },
  context: { type: "string", multiple: true },
  protocol: { type: "string" },
  "on-ask": { type: "string" },
  answers: { type: "string" },
  "no-input": { type: "boolean", default: false },
  stdin: { type: "boolean", default: false },
  "no-mcp": { type: "boolean", default: false },
  quiet: { type: "boolean", short: "q", default: false },
  ...builtInFlags,
  ...sandboxFlags,
} as const;

const outputs = ["text", "json", "stream-json"] as const;
const TURNS_MAX = 1_000_000;
const CONTEXT_BYTES_MAX = 4 * 1024 * 1024;

const QUOTES_OR_DASHES = "put the message in quotes, and -- before a command";

export function readPromptArguments(args: string[]): PromptArguments {
  const { values, positionals, line } = readCommandLine("prompt", args, options);
  const commandLine = line ?? [];
  const { resume, answer } = values;
  const [message = null, agent = null, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`unexpected argument "${more[0]}"; ${QUOTES_OR_DASHES}`);
  if (line?.length === 0) throw new UsageError("there is no command after --");
  if (agent !== null && commandLine.length > 0) throw new UsageError("name an agent or give a command, not both");
  if (values.continue && resume !== undefined) throw new UsageError("use --continue or --resume, not both");
  if (resume === "")
    throw new UsageError("--resume needs an ID; palaver sessions lists them, --continue resumes the last");
  if (answer !== undefined && resume === undefined) throw new UsageError("--answer goes with --resume ID");
  return {
    message,
    agent,
    commandLine,
    protocol: values.protocol === undefined ? null : oneOf("--protocol", values.protocol, agentWireNames),
    output: oneOf("--output", values.output, outputs),
    schema: values["json-schema"] === undefined ? null : readSchema(values["json-schema"]),
    timeoutMs: timeoutOf("--timeout", values.timeout),
    idleTimeoutMs: timeoutOf("--idle-timeout", values["idle-timeout"]),
    turnsMax: turnsOf(values["max-turns"]),
    permissions: values["skip-permissions"] ? "skipped" : "asked",
    session: values.continue ? "continue" : resume === undefined ? "new" : { resume },
    answer: answer ?? null,
    allowedTools: (values["allowed-tools"] ?? []).flatMap(toolNames),
    context: readContext(values.context ?? []),
    rules: values.answers === undefined ? [] : readRules(values.answers),
    input: values["no-input"] ? "off" : "asked",
    stdin: values.stdin ? "wait" : "if-any",
    server: values["no-mcp"] ? "off" : "on",
    sandbox: sandboxChoice(values),
    notes: values.quiet ? "few" : "all",
    flags: givenFlags(values),
  };
}

const flagNames = ["on-ask", ...Object.keys(builtInFlags)];

function givenFlags(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(flagNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

function turnsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const turns = wholeNumber("--max-turns", text, TURNS_MAX);
  if (turns === 0) throw new UsageError("--max-turns takes a whole number greater than 0");
  return turns;
}

/** "Read,Bash(git diff:*)" are two: a comma in parentheses belongs to its tool. */
function toolNames(text: string): string[] {
  return (text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? []).map((name) => name.trim()).filter(Boolean);
}

function readContext(paths: readonly string[]): { path: string; text: string }[] {
  let bytes = 0;
  return paths.map((path) => {
    const text = readTextFile("--context", path);
    bytes += Buffer.byteLength(text);
    if (text.includes("\0")) throw new UsageError(`--context ${path} is not a text file`);
    if (bytes > CONTEXT_BYTES_MAX) throw new UsageError(`--context takes at most ${CONTEXT_BYTES_MAX} bytes in all`);
    return { path, text };
  });
}

function readRules(path: string): readonly AnswerRule[] {
  const read = readAnswers(readTextFile("--answers", path));
  if (!read.ok) throw new UsageError(`--answers ${path}: ${read.problem}`);
  return read.rules;
}

function readSchema(path: string): JsonSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(readTextFile("--json-schema", path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--json-schema ${path} is not JSON: ${errorMessage(error)}`);
  }
  const problem = unusableSchema(schema);
  if (problem !== null) throw new UsageError(`--json-schema ${path}: ${problem}`);
  return schema as JsonSchema;
}

// The prompt as the agent gets it: what the user said, the files that were named, what came on standard input, and how the
// answer has to look. Each part says where it is from, so that an agent can tell the user's words from a file's.
/** `input` is what was piped in besides; null when nothing was. */
export function promptText({
  message,
  context,
  input,
  schema,
}: Pick<PromptArguments, "context" | "schema"> & { message: string; input: string | null }): string {
  return [
    message,
    ...context.map(({ path, text }) => `File ${path}:\n${fenced(text)}`),
    ...(input === null ? [] : [message === "" ? input : `Input:\n${fenced(input)}`]),
    ...(schema === null ? [] : [schemaRequest(schema)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/**
 * The prompt that resumes a session which ended at a question. A secret is left out: the agent asks for it again. Null: the user
 * cancelled it.
 */
export function resumeText(ask: Ask, answer: string | null): string {
  const { title } = ask.question.params;
  const given = answer === null ? "The user cancelled it." : `The answer is: ${answer}.`;
  const said = isSecret(ask) ? "It can be answered now: ask again." : given;
  return `We stopped at your question "${title}". ${said} Continue from there.`;
}

// A fence that the text itself does not have.
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}

/** An agent may name its session anything, and the user pastes this into a shell. */
export function resumeCommand(session: string): string {
  return `palaver prompt --resume${named(session)} --answer …`;
}

/** For a session whose question waits at the daemon. */
export function resumeWaitingCommand(session: string): string {
  return `palaver prompt --resume${named(session)} --on-ask wait`;
}

function named(session: string): string {
  return /^\w[\w.:@%+,/-]*$/.test(session) ? ` ${session}` : `=${shellQuoted(session)}`;
}

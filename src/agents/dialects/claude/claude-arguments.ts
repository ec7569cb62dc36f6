// Claude Code's options: arguments at the start (stream-json, a session, one prompt), and later its settings, which are the
// model and the permission mode. The lists come with the answer to `initialize`; Claude may change the mode itself.
import { OWN_SERVER_NAME } from "../../../contract/wire-names.js";
import { present } from "../frames/lenient-field.js";
import type { Settings } from "../front-end-commands.js";
import type { ClaudeInitialized } from "./claude-frames.js";

/** Each with its value. Without `--verbose`, stream-json is refused. */
const needed: readonly (readonly string[])[] = [
  ["--print"],
  ["--input-format", "stream-json"],
  ["--output-format", "stream-json"],
  ["--verbose"],
  ["--include-partial-messages"],
  ["--permission-prompt-tool", "stdio"],
];

const otherSpellings: ReadonlyMap<string, string> = new Map([["-p", "--print"]]);

export function claudeArguments(given: readonly string[], { resume }: { readonly resume?: string }): string[] {
  const names = new Set(given.map((arg) => otherSpellings.get(arg) ?? arg.split("=")[0]));
  const missing = needed.filter(([flag = ""]) => !names.has(flag)).flat();
  return [...given, ...missing, ...(resume === undefined ? [] : ["--resume", resume])];
}

/** Claude names its model only with the first answer. */
export function modelIn(args: readonly string[]): string {
  const at = args.findLastIndex((arg) => arg.split("=")[0] === "--model");
  if (at < 0) return "";
  const [, value = args[at + 1] ?? ""] = (args[at] ?? "").split("=");
  return value;
}

export interface ClaudePromptOptions {
  readonly turnsMax: number | null;
  readonly permissions: "asked" | "skipped";
  readonly session: { readonly resume: string } | "continue" | "new";
  readonly allowedTools: readonly string[];
  /** A file that lists MCP servers. */
  readonly mcpConfigPath: string | null;
  /** Whether Palaver's own MCP server is among them. */
  readonly own: "on" | "off";
}

export function claudePromptArguments(options: ClaudePromptOptions): string[] {
  const { turnsMax, permissions, session, allowedTools, mcpConfigPath, own } = options;
  // Claude would not ask at all about a tool that is named here. Plain names are left to us, because what is dangerous is asked about.
  const patterns = allowedTools.filter((tool) => tool.includes("(") || tool.startsWith("mcp__"));
  // Asking the user needs no permission.
  const tools = own === "off" ? patterns : [...patterns, `mcp__${OWN_SERVER_NAME}`];
  return [
    ...(turnsMax === null ? [] : ["--max-turns", String(turnsMax)]),
    ...(permissions === "skipped" ? ["--dangerously-skip-permissions"] : []),
    ...(session === "new" ? [] : session === "continue" ? ["--continue"] : ["--resume", session.resume]),
    ...(tools.length === 0 ? [] : ["--allowedTools", tools.join(",")]),
    ...(mcpConfigPath === null ? [] : ["--mcp-config", mcpConfigPath]),
  ];
}

type Options = Settings[number]["options"];

// The mode that never asks is not offered; it needs an argument of Claude.
const modes: Options = [
  { value: "default", label: "ask before changes" },
  { value: "acceptEdits", label: "accept edits" },
  { value: "plan", label: "plan only" },
];

const DEFAULT = "default";

export class ClaudeSettings {
  models: Options = [];
  model = "";
  private mode = "";
  /** The option for each resolved model. */
  private readonly options = new Map<string, string>();

  /** `chosen`: the model that Claude is started with; "" leaves it to Claude. */
  initialized({ models = [], current_permission_mode = "" }: ClaudeInitialized, chosen = ""): void {
    for (const { value, resolvedModel } of models) {
      // "default" stands for one of the others.
      if (resolvedModel !== undefined && value !== DEFAULT) this.options.set(resolvedModel, value);
    }
    this.change("model", chosen || (models.find(({ value }) => value === DEFAULT)?.resolvedModel ?? ""));
    this.models = models.map(({ value, displayName: label = value, description }) =>
      present({ value, label, description }),
    );
    this.mode = current_permission_mode;
  }

  /** Whether the value changed. */
  change(setting: "model" | "mode", named: string): boolean {
    const value = setting === "model" ? (this.options.get(named) ?? named) : named;
    if (value === "" || this[setting] === value) return false;
    this[setting] = value;
    return true;
  }

  get all(): Settings {
    const models = withValue(this.models, this.model);
    const model = { key: "model", label: "Model", kind: "model" as const, value: this.model, options: models };
    const options = withValue(modes, this.mode);
    const mode = { key: "mode", label: "Permissions", kind: "mode" as const, value: this.mode, options };
    return [...(models.length === 0 ? [] : [model]), ...(this.mode === "" ? [] : [mode])];
  }
}

// The current value is always among the options.
function withValue(options: Options, value: string): Options {
  return value === "" || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
}

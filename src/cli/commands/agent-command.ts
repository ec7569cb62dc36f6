// `palaver agent`: the embedded agent as a process that speaks the lines wire, for front ends of every kind.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  chooseModel,
  type Environment,
  ModelChoiceError,
  type Wish,
  withFacts,
} from "../../builtin/models/model-choice.js";
import { openModel } from "../../builtin/models/open-model.js";
import { builtInTools, serveAgent } from "../../builtin/serve-agent.js";
import type { SessionRecord } from "../../builtin/session/session-record.js";
import type { LayeredRule, PermissionLayer, PermissionMode } from "../../session/permission/policy.js";
import type { PermissionDecision } from "../../session/permission/request.js";
import { parseRuleLists } from "../../session/permission/rule.js";
import { type SettingKey, type Settings, settingKeys } from "../../session/settings/setting-table.js";
import type { SettingOrigin } from "../../session/settings.js";
import { openSandbox } from "../../system/sandbox/sandbox.js";
import { realClock } from "../../system/timers.js";
import { createRedactor, secretsIn } from "../../text/redact.js";
import { readable } from "../agent-box.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { complain } from "../printed.js";

const help = `palaver agent [options]

The embedded agent: it reads commands from stdin and writes frames to stdout,
one JSON object a line, as docs/protocol.md describes. A line that is not JSON
is a prompt. Without a model it understands a list of plain sentences ("help"
shows them) and says so; with one it is a coding agent. The context of a model
it does not know is taken to be 128,000 tokens, unless context_tokens below
[models."PROVIDER:NAME"] in your settings, or else the variable
PALAVER_CONTEXT_TOKENS, says otherwise.

  --model PROVIDER:NAME   anthropic, openai, openrouter, ollama, … or "offline".
                          Default: the one that is configured (PALAVER_MODEL),
                          else the provider whose key is set (ANTHROPIC_API_KEY,
                          OPENAI_API_KEY, …), else offline
  --base-url URL          another endpoint; with --model compatible:NAME any
                          that speaks OpenAI's API
  --cwd FOLDER            the folder it works in (default: this one, or that of
                          the resumed session)
  --session-file FILE     resume the session in this file, or begin it there
  --system-prompt TEXT    in place of its own words about itself
  --read-only             it may look, but not change or run anything
  --no-ui                 never ask: what no rule allows is denied
  --unattended            ask, but no person is there: your rules for such runs
                          ([permissions.headless]) count, too
  --debug                 what it does, on stderr

Examples
  echo "what is in this folder?" | palaver agent
  palaver agent --model ollama:qwen3-coder --cwd ~/src/parser
  palaver conform -- palaver agent
`;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("agent", args, options);
    if (positionals.length > 0) throw new UsageError(`agent takes options alone, not "${positionals.join(" ")}"`);
    const named = values.cwd === undefined ? undefined : existingFolder(values.cwd);
    const config = loadConfig({ environment: process.env, folder: named ?? process.cwd() });
    const { settings, environment } = config;
    const wish = modelOf(values, settings);
    refuseWrongModel(wish, environment);
    // A session may start in another folder, whose project has its own rules.
    const permissionsFor = async (folder: string) => {
      const found = permissionsIn(loadConfig({ environment: process.env, folder }));
      return values["read-only"] ? { ...found, mode: "read-only" as const } : found;
    };
    permissionsIn(config);
    const sandboxFor = async (folder: string) => {
      const { settings: its } = loadConfig({ environment: process.env, folder });
      if (its.sandbox === "off") return "off";
      return openSandbox({
        folder,
        environment: process.env,
        network: "none",
        secrets: "secrets-out",
        visible: readable(its),
        variables: its.sandbox_env,
        hosts: its.sandbox_hosts,
      });
    };
    const redactor = createRedactor(secretsIn(environment));
    const log = (line: string) => complain(redactor.text(line));
    for (const warning of config.warnings) log(`warn: ${warning}`);
    await serveAgent({
      input: process.stdin,
      output: process.stdout,
      environment,
      folder: process.cwd(),
      namedFolder: named,
      version: PALAVER_VERSION,
      clock: realClock,
      tools: builtInTools(),
      openModel: (choice) => openModel(withFacts(choice, settings.models)),
      modelFacts: settings.models,
      wish,
      systemPrompt: values["system-prompt"],
      sessionFile: values["session-file"],
      ui: values["no-ui"] ? "none" : values.unattended ? "away" : "person",
      permissionsFor,
      sandboxFor,
      debug: values.debug,
      log,
      redact: (record) => redactor.value(record) as SessionRecord,
    });
    return exitCodes.done;
  },
};

const options = {
  model: { type: "string" },
  "base-url": { type: "string" },
  cwd: { type: "string" },
  "session-file": { type: "string" },
  "system-prompt": { type: "string" },
  "read-only": { type: "boolean", default: false },
  "no-ui": { type: "boolean", default: false },
  unattended: { type: "boolean", default: false },
  debug: { type: "boolean", default: false },
} as const;

// A configured address belongs to the configured model only.
function modelOf(flags: { model?: string | undefined; "base-url"?: string | undefined }, settings: Settings): Wish {
  const configured = settings.model === "" ? {} : { model: settings.model, baseUrl: settings.base_url || undefined };
  return flags.model === undefined
    ? { ...configured, ...(flags["base-url"] === undefined ? {} : { baseUrl: flags["base-url"] }) }
    : { model: flags.model, baseUrl: flags["base-url"] };
}

// Fails before anything starts, with the exit code of bad usage.
function refuseWrongModel(wish: Wish, environment: Environment): void {
  try {
    chooseModel(wish, environment);
  } catch (error) {
    if (error instanceof ModelChoiceError) throw new UsageError(error.message);
    throw error;
  }
}

function existingFolder(path: string): string {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--cwd ${path} is not a folder`);
  }
  return folder;
}

type AgentPermissions = { readonly mode: PermissionMode; readonly rules: readonly LayeredRule[] };

/**
 * The permission rules of a folder. A project's rule never lifts a denial of the user's, and one that allows something counts
 * only in a trusted file. Throws a UsageError that names every invalid rule and its place.
 */
export function permissionsIn({ settings, shares }: Pick<LoadedConfig, "settings" | "shares">): AgentPermissions {
  const problems: string[] = [];
  const rules: LayeredRule[] = [];
  for (const key of settingKeys.filter((each) => each.startsWith("permissions."))) {
    const decision = key.split(".").at(-1) as PermissionDecision;
    for (const { origin, values } of shares.get(key) ?? []) {
      const parsed = parseRuleLists({ [decision]: values }, "file" in origin ? origin.file : key);
      rules.push(...parsed.rules.map((rule) => ({ layer: layerOf(origin, key), rule })));
      problems.push(...parsed.problems);
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join("\n  "));
  return { mode: settings.read_only ? "read-only" : "normal", rules };
}

function layerOf({ kind }: SettingOrigin, key: SettingKey): PermissionLayer {
  const isHeadless = key.startsWith("permissions.headless.");
  if (kind === "project") return isHeadless ? "project-headless" : "project";
  return isHeadless ? "headless" : "user";
}

// `palaver agent`: the embedded agent as a process that speaks the lines wire, for front ends of every kind.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { withFacts } from "../../builtin/models/model-choice.js";
import { openModel } from "../../builtin/models/open-model.js";
import { builtInTools, serveAgent } from "../../builtin/serve-agent.js";
import type { SessionRecord } from "../../builtin/session/session-record.js";
import type { LayeredRule, PermissionLayer, PermissionMode } from "../../session/permission/policy.js";
import type { PermissionDecision } from "../../session/permission/request.js";
import { parseRuleLists } from "../../session/permission/rule.js";
import { type SettingKey, settingKeys } from "../../session/settings/setting-table.js";
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
import { modelOf, problemWithModel } from "../requested-model.js";

const help = `palaver agent [options]

The built-in agent: it reads commands from stdin and writes frames to stdout,
one JSON object a line, as docs/protocol.md describes. A line that is not JSON
is a prompt. Without a model it understands plain sentences ("help" lists
them); with one it is a coding agent. Unknown models are assumed to have a
context of 128,000 tokens; context_tokens under [models."PROVIDER:NAME"] in your
settings, or the variable PALAVER_CONTEXT_TOKENS, overrides that.

  --model PROVIDER:NAME   anthropic, openai, openrouter, ollama, … or "offline".
                          Default: the configured one (PALAVER_MODEL),
                          else the provider whose key is set (ANTHROPIC_API_KEY,
                          OPENAI_API_KEY, …), else offline
  --base-url URL          another endpoint; with --model compatible:NAME, any
                          with an OpenAI-compatible API
  --cwd FOLDER            the folder it works in (default: this one, or that of
                          the resumed session)
  --session-file FILE     resume the session in this file, or begin it there
  --system-prompt TEXT    replace the system prompt
  --read-only             it may read, but not change or run anything
  --no-ui                 never ask; deny everything that no rule allows
  --unattended            ask, but no one is at the terminal: your rules for
                          that ([permissions.headless]) apply, too
  --stream                the front end shows only text: add what commands print
  --debug                 log to stderr

Examples
  echo "what is in this folder?" | palaver agent
  palaver agent --model ollama:qwen3-coder --cwd ~/src/parser
  palaver conform -- palaver agent
`;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("agent", args, options);
    if (positionals.length > 0) throw new UsageError(`agent takes only options, not "${positionals.join(" ")}"`);
    const named = values.cwd === undefined ? undefined : existingFolder(values.cwd);
    const config = loadConfig({ environment: process.env, folder: named ?? process.cwd() });
    const { settings, environment } = config;
    const requested = modelOf(values, settings);
    const modelProblem = problemWithModel(requested, environment);
    // In the terminal UI the user can choose another one; where no one looks, nothing starts.
    const isFixed =
      values.model !== undefined || values["base-url"] !== undefined || values.unattended || values["no-ui"];
    if (modelProblem !== null && isFixed) throw new UsageError(modelProblem);
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
      openModel: (choice) => openModel(withFacts(choice, settings.models), values.stream ? "said" : "shown"),
      modelFacts: settings.models,
      requested: modelProblem === null ? requested : { model: "offline" },
      modelProblem: modelProblem ?? undefined,
      onSecret: (secret) => redactor.declare(secret),
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
  stream: { type: "boolean", default: false },
  debug: { type: "boolean", default: false },
} as const;

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

// `palaver config`: shows the settings and where each came from, changes one in the user's own file, checks all files.

import { nearestName } from "../../contract/nearest-name.js";
import { createKeymap, keyRows } from "../../session/keymap.js";
import { isSettingKey, settingKeys } from "../../session/settings/setting-table.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import { readArguments } from "../arguments.js";
import type { Command } from "../command-table.js";
import { readConfigFile } from "../config/config-file.js";
import { configJson, configText, valueText } from "../config/config-report.js";
import { findProjectFile, type LoadedConfig, PROJECT_FILE, readConfig, userConfigPath } from "../config/load-config.js";
import { forgetSetting, persistAt, persistTyped, tomlValue } from "../config/persist-setting.js";
import { settingFlags } from "../config/typed-layers.js";
import { type ExitCode, exitCodes, UsageError } from "../exit-codes.js";
import { complain, say, tableLines } from "../printed.js";

const help = `palaver config [get KEY|set KEY VALUE|unset KEY|path|check|keys|trust] [--json]

Shows every setting, its value and its source. Flags override the environment
(PALAVER_THEME), which overrides the project's .palaver.toml, which overrides
your own file. The author of a project controls its file, so settings that run
programs, choose the model or grant permissions are ignored until you trust the
file with "config trust", and again after it changes. Until then, errors in it
are warnings.

  get KEY          one value, for scripts
  set KEY VALUE    set it in your own file; comments and everything else stay
  unset KEY        remove it
  path             where the files are
  check            check the files; exit code 2 for an error
  keys             which key does what, with your own bindings
  trust            apply everything in this project's file, until it changes
  --json           for programs (config, get, check)

Examples
  palaver config
  palaver config set theme moss
  palaver config set keys.open-viewer ctrl+y
  palaver config get permissions.deny --json
  PALAVER_THEME=dawn palaver config get theme
`;

// `read` is called only when needed: `path` works with a broken file too.
type Action = (read: () => LoadedConfig, args: readonly string[], output: "text" | "json") => ExitCode;

const actions: Readonly<Record<string, Action>> = {
  show: (read, _, output) => {
    const config = read();
    process.stdout.write(output === "json" ? configJson(config) : configText(config));
    return judged(config);
  },
  get: (read, [key = ""], output) => {
    if (!isSettingKey(key)) throw new UsageError(unknownKey(key));
    const value = read().settings[key];
    process.stdout.write(output === "json" ? jsonLine(value) : valueText(value));
    return exitCodes.done;
  },
  set: (read, [key = "", value]) => {
    if (value === undefined) throw new UsageError(`config set needs a key and a value: palaver config set theme moss`);
    if (key.startsWith("keys.")) checkKey(read().settings.keys, key.slice("keys.".length), value);
    say(`${key} is set in ${persistTyped(process.env, key, value)}`);
    return exitCodes.done;
  },
  unset: (_, [key = ""]) => {
    if (key === "") throw new UsageError("config unset needs a key: palaver config unset theme");
    say(`${key} is removed from ${forgetSetting(process.env, key)}`);
    return exitCodes.done;
  },
  path: () => {
    say(`yours     ${userConfigPath(process.env) ?? "(nowhere: there is no home folder)"}`);
    say(`project   ${findProjectFile(process.cwd(), process.env) ?? "(none)"}`);
    return exitCodes.done;
  },
  check: (read, _, output) => {
    const config = read();
    const { errors, warnings } = config;
    if (output === "json") {
      process.stdout.write(jsonPage({ errors, warnings }));
      return errors.length > 0 ? exitCodes.badUsage : exitCodes.done;
    }
    if (errors.length + warnings.length === 0) say("no problems found");
    return judged(config);
  },
  keys: (read) => {
    const { keymap, problems } = createKeymap(read().settings.keys);
    const rows = keyRows(keymap).map(({ action, keys, words }) => [action, keys, words]);
    say(tableLines(rows).join("\n"));
    for (const { action, words } of problems) complain(`palaver: keys.${action}: ${words}`);
    return problems.length > 0 ? exitCodes.badUsage : exitCodes.done;
  },
  trust: () => trustProject(),
};

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("config", args, { ...settingFlags, json: { type: "boolean" } });
    const [name = "show", ...rest] = positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) {
      const near = nearestName(name, Object.keys(actions));
      throw new UsageError(
        `there is no "config ${name}"; ${near === null ? "palaver config --help" : `did you mean "config ${near}"?`}`,
      );
    }
    const read = () => readConfig({ flags: values, environment: process.env, folder: process.cwd() });
    return action(read, rest, values["json"] === true ? "json" : "text");
  },
};

function judged({ errors, warnings }: LoadedConfig): ExitCode {
  for (const words of [...errors, ...warnings]) complain(`palaver: ${words}`);
  return errors.length > 0 ? exitCodes.badUsage : exitCodes.done;
}

function unknownKey(key: string): string {
  const near = nearestName(key, settingKeys);
  return `there is no setting "${key}"; ${near === null ? "palaver config lists them" : `did you mean ${near}?`}`;
}

// An invalid binding must not be saved.
function checkKey(bindings: Readonly<Record<string, readonly string[]>>, action: string, typed: string): void {
  const value = tomlValue(typed);
  const keys = typeof value === "string" ? [value] : typeof value === "object" ? value : [typed];
  const problem = createKeymap({ ...bindings, [action]: keys }).problems.find((each) => each.action === action);
  if (problem !== undefined) throw new UsageError(`${action}: ${problem.words}`);
}

function trustProject(): ExitCode {
  const path = findProjectFile(process.cwd(), process.env);
  const file = path === null ? null : readConfigFile(path, "links-refused");
  if (file === null) throw new UsageError(`there is no ${PROJECT_FILE} here or above`);
  const own = persistAt(process.env, ["trusted", file.path], file.fingerprint);
  say(`${file.path} is trusted in its current form, as recorded in ${own}. Trust it again after a change.`);
  return exitCodes.done;
}

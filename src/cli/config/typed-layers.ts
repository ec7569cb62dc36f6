// Settings that come as typed text: variables of the environment and flags of the command line. Each becomes a layer of its
// own, so that a problem can name exactly what was wrong.

import {
  type SettingKey,
  type SettingRow,
  settingKeys,
  settingTable,
  settingVariable,
} from "../../session/settings/setting-table.js";
import type { SettingLayer, SettingOrigin } from "../../session/settings.js";
import type { Environment } from "../../session/user-folders.js";
import { UsageError } from "../exit-codes.js";

export function environmentLayers(environment: Environment): SettingLayer[] {
  return settingKeys.flatMap((key) => {
    const name = settingVariable(key);
    const text = name === null ? undefined : environment[name];
    return name === null || text === "" ? [] : typedLayer(key, text, { kind: "environment", name });
  });
}

function typedLayer(key: SettingKey, text: unknown, origin: SettingOrigin): SettingLayer[] {
  const { kind }: SettingRow = settingTable[key];
  if (typeof text !== "string" || kind.fromText === null) return [];
  return [{ origin, values: { [key]: kind.fromText(text) }, word: "own" }];
}

/** `typing_guard_ms` is `--typing-guard-ms`. */
function flagName(key: SettingKey): string {
  return key.replaceAll("_", "-");
}

const flagKeys = settingKeys.filter((key) => {
  return settingVariable(key) !== null && (settingTable[key] as SettingRow).flag !== "own";
});

/** A switch alone is on; what follows it is its value only when it can be one. */
const bareSwitch = { means: "true", unless: /^(?:true|yes|on|1|false|no|off|0)$/i };

interface SettingFlag {
  readonly type: "string";
  readonly bare?: typeof bareSwitch;
}

function settingFlag(key: SettingKey): SettingFlag {
  return typeof settingTable[key].fallback === "boolean" ? { type: "string", bare: bareSwitch } : { type: "string" };
}

/** For `readArguments`: a flag for each setting that fits on one line. */
export const settingFlags: Readonly<Record<string, SettingFlag>> = Object.fromEntries(
  flagKeys.map((key) => [flagName(key), settingFlag(key)]),
);

/** The settings of the built-in agent alone, which commands without the terminal UI take, too. */
export const builtInFlags = {
  model: settingFlag("model"),
  "base-url": settingFlag("base_url"),
  "read-only": settingFlag("read_only"),
} as const;

/** Another agent would not obey them, above all --read-only. */
export function refuseBuiltInFlags(agent: string, flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(builtInFlags).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw new UsageError(
    `--${given} is for the built-in agent; ${agent} has its own settings\n  Flags of ${agent} itself: palaver run -- ${agent} …`,
  );
}

/** The flags that were given, as variables: a program of ours that is started with them has the same settings. */
export function flagVariables(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    flagKeys.flatMap((key) => {
      const text = values[flagName(key)];
      return typeof text === "string" ? [[settingVariable(key), text]] : [];
    }),
  );
}

/** `values` as `parseArgs` gives them; flags that are no settings are left to their owner. */
export function flagLayers(values: Readonly<Record<string, unknown>>): SettingLayer[] {
  return flagKeys.flatMap((key) => {
    const name = flagName(key);
    return typedLayer(key, values[name], { kind: "flag", name: `--${name}` });
  });
}

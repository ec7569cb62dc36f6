// The settings in words: what each is, where it came from, what may be chosen. Values that look like secrets are not shown.

import {
  type SettingKey,
  type SettingRow,
  type Settings,
  settingKeys,
  settingTable,
} from "../../session/settings/setting-table.js";
import type { SettingOrigin } from "../../session/settings.js";
import { createRedactor } from "../../text/redact.js";
import { safeLine } from "../../text/safe.js";
import { jsonLine, jsonPage } from "../../views/mini/json-line.js";
import type { LoadedConfig } from "./load-config.js";

//     theme            moss        PALAVER_THEME
//     output_lines     5           default
export function configText({ settings, origins }: LoadedConfig): string {
  const rows = settingKeys.map((key) => {
    const from = origins.get(key) ?? [];
    return {
      key,
      value: valueWords(settings[key]),
      from: from.length === 0 ? "default" : from.map(originWords).join(", "),
    };
  });
  const keyWidth = Math.max(...rows.map(({ key }) => key.length));
  const valueWidth = Math.min(VALUE_CELLS_MAX, Math.max(...rows.map(({ value }) => value.length)));
  return rows.map(({ key, value, from }) => `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${from}\n`).join("");
}

const VALUE_CELLS_MAX = 32;

export function configJson({ settings, origins, userPath, project, errors, warnings }: LoadedConfig): string {
  const rows = settingKeys.map((key) => [
    key,
    { value: settings[key], from: origins.get(key) ?? [{ kind: "default" }] },
  ]);
  const report = { files: { user: userPath, project }, settings: Object.fromEntries(rows), errors, warnings };
  return jsonPage(createRedactor().value(report));
}

/** One value for a script: plain text, a line for each of a list, JSON for a table. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => `${safeLine(String(item))}\n`).join("");
  return typeof value === "object" ? jsonLine(value) : `${safeLine(String(value))}\n`;
}

/** What may be changed while everything runs, for a list to choose from. */
export function settingChoices(
  settings: Settings,
): { key: SettingKey; value: string; words: string; values: readonly string[] }[] {
  return settingKeys.flatMap((key) => {
    const { kind, words }: SettingRow = settingTable[key];
    const value = settings[key];
    if (kind.fromText === null || typeof value === "object") return [];
    return [{ key, value: String(value), words, values: kind.values }];
  });
}

function valueWords(value: unknown): string {
  if (value === "") return "(not set)";
  const clean = createRedactor().value(value);
  return safeLine(typeof clean === "object" ? JSON.stringify(clean) : String(clean));
}

function originWords(origin: SettingOrigin): string {
  switch (origin.kind) {
    case "user":
    case "project":
      return safeLine(origin.file);
    case "environment":
    case "flag":
      return origin.name;
    case "default":
      return "default";
  }
}

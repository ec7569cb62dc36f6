// Merges layers of settings, the lowest first, and records where each value came from. Files, variables and flags are data here.
//
//     default < the user's file < the project's file < environment < flags
import { nearestName } from "../contract/nearest-name.js";
import { isTable, isTextList } from "./settings/setting-kinds.js";
import {
  isSettingKey,
  type SettingKey,
  type SettingRow,
  type Settings,
  settingKeys,
  settingTable,
} from "./settings/setting-table.js";

export type SettingOrigin =
  | { readonly kind: "default" }
  | { readonly kind: "user" | "project"; readonly file: string }
  | { readonly kind: "environment" | "flag"; readonly name: string };

export interface SettingLayer {
  readonly origin: SettingOrigin;
  /** As the file has it: tables within tables. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Only a project's file is foreign; "trusted" when the user has accepted it. */
  readonly word: "own" | "foreign" | "trusted";
}

export interface SettingProblem {
  /** Ignored values are warnings, invalid ones errors. */
  readonly severity: "error" | "warning";
  readonly origin: SettingOrigin;
  readonly key: string;
  readonly words: string;
}

export interface MergedSettings {
  readonly settings: Settings;
  /** The layers of each setting, the deciding one last; empty for a default. */
  readonly origins: ReadonlyMap<SettingKey, readonly SettingOrigin[]>;
  /** What each layer added to a list: rules of a project do not count like the user's own. */
  readonly shares: ReadonlyMap<SettingKey, readonly { origin: SettingOrigin; values: readonly string[] }[]>;
  readonly problems: readonly SettingProblem[];
}

export function mergeSettings(layers: readonly SettingLayer[]): MergedSettings {
  const settings = new Map<SettingKey, unknown>(settingKeys.map((key) => [key, settingTable[key].fallback]));
  const origins = new Map<SettingKey, readonly SettingOrigin[]>();
  const shares = new Map<SettingKey, { origin: SettingOrigin; values: readonly string[] }[]>();
  const problems: SettingProblem[] = [];
  for (const layer of layers) {
    for (const { key, value } of readLayer(layer, problems)) {
      const row: SettingRow = settingTable[key];
      const known = row.layers === "all" ? (origins.get(key) ?? []) : [];
      settings.set(key, combined(row, settings.get(key), value));
      origins.set(key, [...known, layer.origin]);
      if (row.layers === "all" && isTextList(value)) {
        shares.set(key, [...(shares.get(key) ?? []), { origin: layer.origin, values: value }]);
      }
    }
  }
  return { settings: Object.fromEntries(settings) as unknown as Settings, origins, shares, problems };
}

/** Tables are merged, lists of rules grow, other values are replaced. */
function combined(row: SettingRow, below: unknown, above: unknown): unknown {
  if (row.layers === "all" && Array.isArray(below) && Array.isArray(above)) return [...new Set([...below, ...above])];
  if (isTable(below) && isTable(above)) return { ...below, ...above };
  return above;
}

/** The valid values of one layer; the rest become problems. */
function readLayer(layer: SettingLayer, problems: SettingProblem[]): { key: SettingKey; value: unknown }[] {
  const report = (severity: SettingProblem["severity"], key: string, words: string) =>
    problems.push({ severity, key, words, origin: layer.origin });
  return flattened(layer.values).flatMap(({ key, value }) => {
    if (!isSettingKey(key)) {
      report("warning", key, unknownWords(key));
      return [];
    }
    const row: SettingRow = settingTable[key];
    const judged = row.kind.judge(value);
    if (!judged.ok) {
      // A repository must not be able to stop every command in it.
      const severity = layer.word === "foreign" ? "warning" : "error";
      report(severity, key, `must be ${judged.words}`);
      return [];
    }
    if (layer.word === "foreign" && !isForProject(row, judged.value)) {
      report("warning", key, refusalWords(row));
      return [];
    }
    return [{ key, value: judged.value }];
  });
}

/** Opens tables that are groups (`[permissions]`); tables that are values (`[agents]`) stay whole. */
function flattened(
  values: Readonly<Record<string, unknown>>,
  above: string = "",
): { readonly key: string; readonly value: unknown }[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = above + name;
    const isPlace = !isSettingKey(key) && settingKeys.some((known) => known.startsWith(`${key}.`));
    return isPlace && isTable(value) ? flattened(value, `${key}.`) : [{ key, value }];
  });
}

function isForProject(row: SettingRow, value: unknown): boolean {
  return row.project === "taken" || (row.project === "stricter" && value === row.strict);
}

function refusalWords(row: SettingRow): string {
  const exception = row.project === "stricter" ? ` unless it is ${String(row.strict)}` : "";
  return `is ignored in a project's file${exception}; set it in your own file, or trust this one: palaver config trust`;
}

function unknownWords(key: string): string {
  const near = nearestName(key, settingKeys);
  return `is not a setting; ${near === null ? "`palaver config` lists them" : `did you mean ${near}?`}`;
}

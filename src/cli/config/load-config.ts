// The settings of one run, from everywhere they come from: flags, environment, the project's file, the user's own. An own or a
// trusted file that cannot be understood stops the run; what an untrusted one says wrongly or may not say is a warning.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createKeymap } from "../../session/keymap.js";
import { type MergedSettings, mergeSettings, type SettingLayer, type SettingProblem } from "../../session/settings.js";
import type { Environment } from "../../session/user-folders.js";
import { UsageError } from "../usage-error.js";
import type { ConfigFile } from "./config-file.js";
import { findProjectFile, userConfigPath } from "./config-paths.js";
import { withEnvFile } from "./env-file.js";
import { keyPath, lineOfPath } from "./toml-lines.js";
import { environmentLayers, flagLayers } from "./typed-layers.js";

export interface ConfigInput {
  /** As `parseArgs` gives them. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
  readonly folder: string;
}

export interface LoadedConfig extends MergedSettings {
  /** Where the person's own file is, or would be; null when there is no place for one. */
  readonly userPath: string | null;
  readonly project: { readonly path: string; readonly trust: "foreign" | "trusted" } | null;
  /** For agents: what is set, and what the person's `env_file` adds. */
  readonly environment: Environment;
  /** Problems as sentences that name file and line, variable or flag. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * For commands that need settings to go on: any error ends them with exit code 2 and all the sentences. Most people have no
 * file, and the first frame does not wait for what would read one.
 */
export async function loadConfig(input: ConfigInput): Promise<LoadedConfig> {
  const paths = configPaths(input);
  const config =
    (paths.user !== null && existsSync(paths.user)) || paths.project !== null
      ? (await import("./read-config.js")).readConfig(input)
      : configFrom(input, { user: null, project: null });
  if (config.errors.length > 0) throw new UsageError(config.errors.join("\n  "));
  return config;
}

export function configPaths({ environment, folder }: ConfigInput): Record<"user" | "project", string | null> {
  return { user: userConfigPath(environment), project: findProjectFile(folder, environment) };
}

/** The settings, with the files as they were read. */
export function configFrom(
  { flags = {}, environment, folder }: ConfigInput,
  { user, project }: Readonly<Record<"user" | "project", ConfigFile | null>>,
): LoadedConfig {
  const trust = project === null ? "foreign" : trustIn(user, project);
  const merged = mergeSettings([
    ...fileLayer("user", user, "own"),
    ...fileLayer("project", project, trust),
    ...environmentLayers(environment),
    ...flagLayers(flags),
  ]);
  const texts = new Map([user, project].flatMap((file) => (file === null ? [] : [[file.path, file.text] as const])));
  const sentences = (severity: SettingProblem["severity"]) =>
    [...merged.problems, ...keyProblems(merged)]
      .filter((problem) => problem.severity === severity)
      .map((problem) => sentenceOf(problem, texts));
  const { env_file } = merged.settings;
  return {
    ...merged,
    userPath: userConfigPath(environment),
    project: project === null ? null : { path: project.path, trust },
    environment: env_file === "" ? environment : withEnvFile(environment, resolve(folder, env_file)),
    errors: sentences("error"),
    warnings: sentences("warning"),
  };
}

function keyProblems({ settings, origins }: MergedSettings): SettingProblem[] {
  const origin = origins.get("keys")?.at(-1) ?? { kind: "default" };
  return createKeymap(settings.keys).problems.map(({ action, words }) => ({
    severity: "warning",
    origin,
    key: `keys.${action}`,
    words,
  }));
}

/** Judged by the person's own file alone: nobody else can say whom he trusts. */
function trustIn(user: ConfigFile | null, project: ConfigFile): "foreign" | "trusted" {
  const { trusted } = mergeSettings(fileLayer("user", user, "own")).settings;
  return trusted[project.path] === project.fingerprint ? "trusted" : "foreign";
}

function fileLayer(kind: "user" | "project", file: ConfigFile | null, word: SettingLayer["word"]): SettingLayer[] {
  return file === null ? [] : [{ origin: { kind, file: file.path }, values: file.table, word }];
}

function sentenceOf({ origin, key, words }: SettingProblem, texts: ReadonlyMap<string, string>): string {
  switch (origin.kind) {
    case "user":
    case "project": {
      const line = lineOfPath(texts.get(origin.file) ?? "", keyPath(key) ?? [key]);
      return `${origin.file}${line === null ? "" : `:${line}`}: ${key} ${words}`;
    }
    case "environment":
    case "flag":
      return `${origin.name} ${words}`;
    case "default":
      return `${key} ${words}`;
  }
}

// The settings of one run, from flags, environment, the project's file and the user's own. An invalid own or trusted file stops
// the run; problems of an untrusted one are warnings.
import { existsSync, lstatSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createKeymap } from "../../session/keymap.js";
import { type MergedSettings, mergeSettings, type SettingLayer, type SettingProblem } from "../../session/settings.js";
import { type AccountHome, configFolder, type Environment, homeFolder } from "../../session/user-folders.js";
import { UsageError } from "../exit-codes.js";
import { type ConfigFile, readConfigFile, readPlainText } from "./config-file.js";
import { keyPath, lineOfPath } from "./toml-lines.js";
import { environmentLayers, flagLayers } from "./typed-layers.js";

export interface ConfigInput {
  /** As `parseArgs` gives them. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
  readonly folder: string;
}

export interface LoadedConfig extends MergedSettings {
  /** The path of the user's own file; null without a home folder. */
  readonly userPath: string | null;
  readonly project: { readonly path: string; readonly trust: "foreign" | "trusted" } | null;
  /** For agents: what is set, and what the user's `env_file` adds. */
  readonly environment: Environment;
  /** Problems as sentences that name file and line, variable or flag. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** For commands that need valid settings: any error ends them with exit code 2 and all the messages. */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const config = readConfig(input);
  if (config.errors.length > 0) throw new UsageError(config.errors.join("\n  "));
  return config;
}

/**
 * Problems are in the result, except a file of the user that cannot be parsed: that is thrown. A project's file is then ignored
 * with a warning, because a repository must not be able to stop every command in it.
 */
export function readConfig(input: ConfigInput): LoadedConfig {
  const userPath = userConfigPath(input.environment);
  const projectPath = findProjectFile(input.folder, input.environment);
  const user = userPath === null ? null : readConfigFile(userPath, "links-followed");
  try {
    const project = projectPath === null ? null : readConfigFile(projectPath, "links-refused");
    return configFrom(input, { user, project });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const config = configFrom(input, { user, project: null });
    return { ...config, warnings: [`${error.message}; the file is ignored`, ...config.warnings] };
  }
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

/** Only the user's own file can trust a project. */
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

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;
const NEVER =
  /^(?:PALAVER_.*|PATH|HOME|SHELL|IFS|ENV|BASH_ENV|NODE_.*|LD_.*|DYLD_.*|PYTHON(?:PATH|STARTUP|HOME)|PERL5.*|RUBY.*|GIT_.*|SSH_.*|EDITOR|VISUAL|PAGER|.*_PROXY)$/i;

/** The environment with what the file adds; the same when there is no such file. */
export function withEnvFile(environment: Environment, path: string): Environment {
  let text: string;
  try {
    text = readPlainText(path, "links-followed");
  } catch {
    return environment;
  }
  const added = variablesIn(text).filter(([name]) => environment[name] === undefined && !NEVER.test(name));
  return { ...Object.fromEntries(added), ...environment };
}

export function variablesIn(text: string): (readonly [name: string, value: string])[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = LINE.exec(line);
    return match === null ? [] : [[match[1] ?? "", plainValue(match[2] ?? "")] as const];
  });
}

// Nothing is expanded.
function plainValue(written: string): string {
  const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(written);
  if (quoted === null) return written.replace(/\s+#.*$/, "");
  const [, quote, inside = ""] = quoted;
  return quote === '"' ? inside.replaceAll("\\n", "\n").replaceAll('\\"', '"') : inside;
}

const accountHome: AccountHome = () => userInfo().homedir;

export const PROJECT_FILE = ".palaver.toml";

/** Null when there is no place for it. */
export function userConfigPath(environment: Environment, platform: NodeJS.Platform = process.platform): string | null {
  const { PALAVER_CONFIG, APPDATA, ...elsewhere } = environment;
  if (PALAVER_CONFIG) return resolve(PALAVER_CONFIG);
  const folder = configFolder(platform === "win32" ? { ...elsewhere, APPDATA } : elsewhere, accountHome);
  return folder === null ? null : join(folder, "config.toml");
}

/**
 * The nearest project file from `folder` upwards, up to the root of the repository or the home folder. Elsewhere only `folder`
 * itself counts: in a shared place such as /tmp, other users can put files above it.
 */
export function findProjectFile(folder: string, environment: Environment): string | null {
  const folders = projectFolders(resolve(folder), homeFolder(environment, accountHome));
  return folders.map((each) => join(each, PROJECT_FILE)).find(isThere) ?? null;
}

function projectFolders(start: string, home: string | null): string[] {
  const upwards: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder === home) return upwards;
    upwards.push(folder);
    if (existsSync(join(folder, ".git"))) return upwards;
    if (dirname(folder) === folder) return [start];
  }
}

/** A link counts, wherever it leads: reading it refuses it. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

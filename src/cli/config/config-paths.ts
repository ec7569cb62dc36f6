// Where settings are written down: the person's own file, and the file that came with the project at hand.
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export const PROJECT_FILE = ".palaver.toml";

/** Null when the environment names no place for it. */
export function userConfigPath(environment: Environment, platform: NodeJS.Platform = process.platform): string | null {
  const { PALAVER_CONFIG, XDG_CONFIG_HOME, APPDATA, HOME, USERPROFILE } = environment;
  if (PALAVER_CONFIG) return resolve(PALAVER_CONFIG);
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, "palaver", "config.toml");
  if (platform === "win32" && APPDATA) return join(APPDATA, "palaver", "config.toml");
  const home = HOME || USERPROFILE;
  return home ? join(home, ".config", "palaver", "config.toml") : null;
}

/**
 * The nearest project file from `folder` upwards, as far as the project goes: up to the root of the repository, or as long
 * as we are below the home folder. Elsewhere only `folder` itself counts; in a shared place such as /tmp anybody could have
 * put a file above us.
 */
export function findProjectFile(folder: string, environment: Environment): string | null {
  const folders = projectFolders(resolve(folder), environment["HOME"] || environment["USERPROFILE"] || "");
  return folders.map((each) => join(each, PROJECT_FILE)).find(isFile) ?? null;
}

function projectFolders(start: string, home: string): string[] {
  const upwards: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder === home) return upwards;
    upwards.push(folder);
    if (existsSync(join(folder, ".git"))) return upwards;
    if (dirname(folder) === folder) return [start];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

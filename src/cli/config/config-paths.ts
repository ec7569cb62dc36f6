// Where settings are written down: the person's own file, and the file that came with the project at hand.
import { existsSync, lstatSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type AccountHome, configFolder, type Environment, homeFolder } from "../../session/user-folders.js";

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
 * The nearest project file from `folder` upwards, as far as the project goes: up to the root of the repository, or as long
 * as we are below the home folder. Elsewhere only `folder` itself counts; in a shared place such as /tmp anybody could have
 * put a file above us.
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

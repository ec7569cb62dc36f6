// Finds a program by name, as a shell would, or where installers put it without changing PATH. It is never started.
import { accessSync, constants, statSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { type Environment, homeFolder } from "../session/user-folders.js";

/** Of installers: below the user's own folder, and of the whole machine. */
const ownPlaces = [join(".claude", "local"), join(".local", "bin")];
const commonPlaces = ["/usr/local/bin", "/opt/homebrew/bin"];

/** The path of the program, or null. A name with a slash in it is looked for where it says, and nowhere else. */
export function findProgram(name: string, environment: Environment): string | null {
  if (name === "") return null;
  if (isAbsolute(name) || name.includes("/")) return isProgram(resolve(name)) ? resolve(name) : null;
  const folders = (environment.PATH ?? environment.Path ?? "").split(delimiter).filter(Boolean);
  const endings = process.platform === "win32" ? (environment.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (isProgram(path)) return path;
    }
  }
  return null;
}

/** The same, and in the places of installers after the PATH. */
export function findInstalledProgram(name: string, environment: Environment): string | null {
  const path = findProgram(name, environment);
  if (path !== null || name.includes("/")) return path;
  const home = homeFolder(environment, () => userInfo().homedir);
  const own = home === null ? [] : ownPlaces.map((place) => join(home, place));
  const places = [...own, ...commonPlaces].map((folder) => findProgram(join(folder, name), environment));
  return places.find((place) => place !== null) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

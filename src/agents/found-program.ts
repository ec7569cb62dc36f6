// Where a program is that somebody would start by its name, as a shell would find it. It is looked for and never started.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The path of the program, or null. A name with a slash in it is looked for where it says, and nowhere else. */
export function findProgram(name: string, environment: Readonly<Record<string, string | undefined>>): string | null {
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

/** For programs that Palaver starts by itself: the variables with a PATH that leads to none of the folder at hand. */
export function withoutOwnPrograms(environment: NodeJS.ProcessEnv, folder = process.cwd()): NodeJS.ProcessEnv {
  const isForeign = (path: string) => isAbsolute(path) && !`${realOf(path)}/`.startsWith(`${realOf(folder)}/`);
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(isForeign);
  return { ...environment, PATH: folders.join(delimiter) };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

// For programs that Palaver starts by itself: the variables with a PATH that leads to none of the folder at hand or of the
// repository around it, which may be another's work. Where nothing is left of PATH, a program is looked for in the folder that
// it starts in: "/" is a safe one.
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

export function withoutOwnPrograms(environment: Environment, folder = process.cwd()): NodeJS.ProcessEnv {
  const work = workFolder(realOf(folder));
  const isForeign = (path: string) => isAbsolute(path) && !isWithin(realOf(path), work);
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(isForeign);
  return { ...environment, PATH: folders.join(delimiter) };
}

// npm and direnv put folders of the whole repository on the PATH. A repository that the home folder is in holds the user's own.
function workFolder(folder: string): string {
  const home = realOf(homedir());
  let work = folder;
  for (let at = folder; !isWithin(home, at) && dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) work = at;
  }
  return work;
}

function isWithin(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

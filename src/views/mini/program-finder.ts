// Where the program of an agent is: on the PATH, or where its installer puts it without saying so to the shell. It is looked for
// once and remembered; a place where it no longer is counts for nothing, and it is looked for again.
import { userInfo } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../agents/found-program.js";
import { type Environment, homeFolder } from "../../session/user-folders.js";

/** Below the person's own folder, and of the whole machine. */
const ownPlaces = [join(".claude", "local"), join(".local", "bin")];
const commonPlaces = ["/usr/local/bin", "/opt/homebrew/bin"];

export class ProgramFinder {
  private readonly environment: Environment;
  private readonly found = new Map<string, string>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** Null when it is nowhere. A name with a slash in it is looked for where it says. */
  find(name: string): string | null {
    const known = this.found.get(name);
    if (known !== undefined && findProgram(known, this.environment) !== null) return known;
    const path = findProgram(name, this.environment) ?? this.inUsualPlaces(name);
    if (path === null) this.found.delete(name);
    else this.found.set(name, path);
    return path;
  }

  private inUsualPlaces(name: string): string | null {
    if (name.includes("/")) return null;
    const home = homeFolder(this.environment, () => userInfo().homedir);
    const own = home === null ? [] : ownPlaces.map((place) => join(home, place));
    for (const folder of [...own, ...commonPlaces]) {
      const path = findProgram(join(folder, name), this.environment);
      if (path !== null) return path;
    }
    return null;
  }
}

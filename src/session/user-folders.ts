// The user's folders for settings and state. Only absolute paths count: an empty or relative HOME or XDG variable would lead
// into the current folder, where a repository could bring settings and permissions.

export type Environment = Readonly<Record<string, string | undefined>>;

/** The home of the account as the system knows it. Throws for an account that the system does not know. */
export type AccountHome = () => string;

export const NO_HOME = "there is no home folder: set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME, to an absolute path";

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** Null when there is none. */
export function homeFolder({ HOME, USERPROFILE }: Environment, accountHome: AccountHome): string | null {
  return absolute(HOME) ?? absolute(USERPROFILE) ?? absolute(nameOf(accountHome));
}

/** Sessions, drafts, rules and daemons are kept there. Null when there is no place for it. */
export function stateFolder(environment: Environment, accountHome: AccountHome): string | null {
  const root = absolute(environment["XDG_STATE_HOME"]);
  const home = homeFolder(environment, accountHome);
  return below(root, "palaver") ?? below(home, ".local/state/palaver");
}

/** Settings are kept there. Null when there is no place for it. */
export function configFolder(environment: Environment, accountHome: AccountHome): string | null {
  const root = absolute(environment["XDG_CONFIG_HOME"]) ?? absolute(environment["APPDATA"]);
  const home = homeFolder(environment, accountHome);
  return below(root, "palaver") ?? below(home, ".config/palaver");
}

/** Without a slash at its end; null when it is relative or not set. */
function absolute(path: string | null | undefined): string | null {
  return path && ABSOLUTE.test(path) ? path.replace(/(?<=.)[\\/]+$/, "") : null;
}

function below(folder: string | null, path: string): string | null {
  return folder === null ? null : `${folder === "/" ? "" : folder}/${path}`;
}

function nameOf(accountHome: AccountHome): string | null {
  try {
    return accountHome();
  } catch {
    return null;
  }
}

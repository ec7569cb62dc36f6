// What in the inputs of a tool call may be a command, a file or a folder, in whatever shape it is given: a line, the words of
// a command in a list, an object in an object. No one knows every tool, so each text counts as a command unless its name
// says that it is prose; a warning too many is better than one too few.

type Input = { readonly name: string; readonly value: string };

export type JudgedInputs = {
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  readonly folders: readonly string[];
};

const PATHS =
  /^(?:(?:abs(?:olute)?|old|new|source|target|file|notebook)?[ _-]?(?:path|file|filename|name)s?|files?|to|from|src|source|dest|destination|target|reached through)$/i;
const FOLDERS = /^(?:cwd|folder|directory|dir|work(?:ing)?[ _-]?(?:dir(?:ectory)?|folder))$/i;
const PROSE =
  /^(?:description|prompt|message|text|content|contents|title|reason|plan|query|pattern|regex|glob|summary|explanation|question|todos?|body|old_?(?:string|text|str)|new_?(?:string|text|str|source)|edits|replace_all|allowedPrompts)$/i;

/** Deeper than this nothing is looked for; nor is in more texts than this. */
const DEPTH_MAX = 8;
const TEXTS_MAX = 2_000;

/** The values are as an approval shows them: a text as it is, anything else as JSON. */
export function inputsIn(details: readonly Input[]): JudgedInputs {
  const found = { commands: [] as string[], paths: [] as string[], folders: [] as string[] };
  for (const { name, value } of details) collect(name, parsed(value), found, 0);
  return found;
}

type Found = { readonly commands: string[]; readonly paths: string[]; readonly folders: string[] };

function collect(name: string, value: unknown, found: Found, depth: number): void {
  if (depth > DEPTH_MAX || found.commands.length + found.paths.length > TEXTS_MAX || PROSE.test(name)) return;
  if (typeof value === "string") {
    if (FOLDERS.test(name)) found.folders.push(value);
    else if (PATHS.test(name)) found.paths.push(value);
    else found.commands.push(value);
  } else if (Array.isArray(value)) {
    // The words of a command are one, and each of them may be one: the script of a shell.
    const words = value.filter((each) => typeof each === "string");
    if (words.length > 1 && !PATHS.test(name) && !FOLDERS.test(name)) found.commands.push(words.join(" "));
    for (const each of value) collect(name, each, found, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const { command, args } = value as { command?: unknown; args?: unknown };
    if (typeof command === "string" && Array.isArray(args)) found.commands.push([command, ...args].join(" "));
    for (const [key, each] of Object.entries(value)) collect(key, each, found, depth + 1);
  }
}

function parsed(value: string): unknown {
  if (!/^\s*["[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

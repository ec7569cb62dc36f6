// Reads the arguments of a command; what does not fit becomes a sentence that says what was probably meant and names the
// command's help.
import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestName } from "../contract/nearest-name.js";
import { errorMessage } from "../contract/plain-word.js";
import { UsageError } from "./exit-codes.js";

/** A flag that may stand alone: what it means then, and the words after it that are its value. */
interface Bare {
  readonly means: string;
  readonly unless: RegExp;
}

type Option = NonNullable<ParseArgsConfig["options"]>[string] & { readonly bare?: Bare };
type Options = Readonly<Record<string, Option>>;
type Parsed<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own; allowPositionals: true }>>;

export function readArguments<const Own extends Options>(name: string, args: string[], options: Own): Parsed<Own> {
  try {
    return parseArgs({ args: withBareFlags(args, options), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${wordsOf(error, Object.keys(options))}\n  palaver ${name} --help`);
  }
}

// `--resume` at the end becomes `--resume=`, and `--read-only claude` becomes `--read-only=true claude`.
function withBareFlags(args: readonly string[], options: Options): string[] {
  return args.map((arg, at) => {
    const named = Object.entries(options).find(([name, { short }]) => arg === `--${name}` || arg === `-${short}`);
    const [name = "", { bare = undefined } = {}] = named ?? [];
    return bare === undefined || bare.unless.test(args[at + 1] ?? "") ? arg : `--${name}=${bare.means}`;
  });
}

/** `line` is what stands behind the two dashes; null without them. */
export function readCommandLine<const Own extends Options>(
  name: string,
  args: string[],
  options: Own,
): Parsed<Own> & { readonly line: string[] | null } {
  const dashes = args.indexOf("--");
  if (dashes < 0) return { ...readArguments(name, args, options), line: null };
  return { ...readArguments(name, args.slice(0, dashes), options), line: args.slice(dashes + 1) };
}

/** For a command without words of its own: one that is there was meant for something else, and nothing is done. */
export function readFlags<const Own extends Options>(
  name: string,
  args: string[],
  options: Own,
): Parsed<Own>["values"] {
  const { values, positionals } = readArguments(name, args, options);
  const [word] = positionals as readonly string[];
  if (word !== undefined) throw new UsageError(`${name} takes no "${word}"\n  palaver ${name} --help`);
  return values;
}

export function oneOf<const Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new UsageError(`${option} is one of ${names.join(", ")}, not "${text}"`);
  return found;
}

export function wholeNumber(option: string, text: string, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= max) return number;
  throw new UsageError(`${option} takes a whole number from 0 to ${max}, not "${text}"`);
}

/** In milliseconds. */
export function secondsOf(option: string, text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && Number.isFinite(seconds)) return seconds * 1000;
  throw new UsageError(`${option} takes a number of seconds greater than 0, not "${text}"`);
}

export function timeoutOf(option: string, text: string | undefined): number | null {
  return text === undefined ? null : secondsOf(option, text);
}

export function readTextFile(option: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${option} ${path} cannot be read: ${errorMessage(error)}`);
  }
}

// Node's own words are about positional arguments and quotes; the flag is what they are about.
function wordsOf(error: unknown, names: readonly string[]): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const flag = /'(?:-\w, )?(--?[^' <]+)/.exec(message)?.[1] ?? "";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const near = flag.startsWith("--") ? nearestName(flag.slice(2), names) : null;
    return `there is no flag ${flag}${near === null ? "" : `; did you mean --${near}?`}`;
  }
  if (message.includes("does not take an argument")) return `${flag} takes no value`;
  if (message.includes("ambiguous")) return `${flag} needs a value; write one that begins with a dash as ${flag}=-1`;
  return message.includes("argument missing") ? `${flag} needs a value` : message;
}

/** The address of a proxy, as a flag or a setting has it. */
export function publicOrigin(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "https:" && `${url.origin}/` === url.href) return url.origin;
  throw new UsageError(`${name} takes an address such as https://box.example, not "${text}"`);
}

// Reads the arguments of a command; what does not fit becomes a sentence that names the command's help.
import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.js";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own; allowPositionals: true }>>;

export function readArguments<const Own extends Options>(name: string, args: string[], options: Own): Parsed<Own> {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n  palaver ${name} --help`);
  }
}

export function wholeNumber(option: string, text: string, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= max) return number;
  throw new UsageError(`${option} takes a whole number from 0 to ${max}, not "${text}"`);
}

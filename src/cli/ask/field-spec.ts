// A field of a form in one word of a command line, for scripts that do not want to write JSON:
//
//   name            a text               name!           one that is needed
//   port:number=80  with a default       env:select(dev|prod)
//   token:secret    masked               tags:multi_select(a|b)    sure:confirm
import type { FormField } from "../../contract/dialogs.js";
import { UsageError } from "../usage-error.js";

const SPEC = /^(?<name>[\w.-]+)(?<needed>!)?(?::(?<kind>\w+)(?:\((?<options>[^)]*)\))?)?(?:=(?<preset>[\s\S]*))?$/;

const kinds: readonly FormField["kind"][] = ["text", "secret", "number", "confirm", "select", "multi_select"];

export function readFieldSpec(spec: string): FormField {
  const { name = "", needed, kind: word = "text", options, preset } = SPEC.exec(spec)?.groups ?? {};
  if (name === "")
    throw new UsageError(`--field "${spec}" does not look like name, name! or name:kind(options)=default`);
  const kind = kinds.find((each) => each === word);
  if (kind === undefined) throw new UsageError(`--field ${name} is one of ${kinds.join(", ")}, not "${word}"`);
  const hasOptions = kind === "select" || kind === "multi_select";
  if (hasOptions !== (options !== undefined)) {
    throw new UsageError(`--field ${name}: ${hasOptions ? `${kind}(a|b) needs options` : `${kind} has no options`}`);
  }
  return {
    name,
    label: name,
    kind,
    ...(needed === undefined ? {} : { required: true }),
    ...(options === undefined ? {} : { options: options.split("|").map((value) => ({ value, label: value })) }),
    ...(preset === undefined ? {} : { default: presetOf(name, kind, preset) }),
  };
}

function presetOf(name: string, kind: FormField["kind"], text: string): unknown {
  if (kind === "number") {
    const number = Number(text);
    if (text.trim() !== "" && Number.isFinite(number)) return number;
    throw new UsageError(`--field ${name}: "${text}" is not a number`);
  }
  if (kind === "confirm") return /^(?:y|yes|true|1)$/i.test(text);
  return kind === "multi_select" ? text.split("|") : text;
}

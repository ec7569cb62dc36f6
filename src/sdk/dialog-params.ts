// What an author asks, in the words of the wire: params for the question itself, `opts` for everything about it.
import type { DialogParams, DialogResult, SelectOption, FormField as WireField } from "../contract/dialogs.js";
import { permissionTitle } from "../contract/permission-call.js";
import type {
  Choice,
  ConfirmRequest,
  EditorRequest,
  FilesRequest,
  FormField,
  FormFields,
  FormRequest,
  InputRequest,
  MultiSelectRequest,
  PermissionAnswer,
  PermissionRequest,
  SelectRequest,
} from "./requests.js";

type WireOptions = NonNullable<DialogParams["opts"]>;

export function selectParams({ title, message, options, ...opts }: SelectRequest | MultiSelectRequest) {
  return { title, message, options: options.map(wireOption), opts: wireOptions(opts) } satisfies DialogParams<"select">;
}

export function confirmParams({ title, message = "", ...opts }: ConfirmRequest) {
  return { title, message, opts: withDanger(wireOptions(opts)) } satisfies DialogParams<"confirm">;
}

export function inputParams({ title, message, placeholder = "", ...opts }: InputRequest) {
  return { title, message, placeholder, opts: wireOptions(opts) } satisfies DialogParams<"input">;
}

export function editorParams({ title, message, prefill = "", ...opts }: EditorRequest) {
  return { title, message, prefill, opts: wireOptions(opts) } satisfies DialogParams<"editor">;
}

export function filesParams({ title, message, folder, multiple = false }: FilesRequest) {
  const place = folder === undefined ? {} : { folder };
  return { title, message, ...place, opts: multiple ? { multiple: true } : {} } satisfies DialogParams<"files">;
}

export function formParams({ title, message, fields }: FormRequest) {
  return {
    title,
    message,
    fields: Object.entries(fields).map(([name, field]) => wireField(name, field)),
    opts: {},
  } satisfies DialogParams<"form">;
}

/** A default that the user left out counts as given. */
export function withDefaults(fields: FormFields, answers: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const value = Object.hasOwn(answers, name) ? answers[name] : field.default;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

export function permissionParams(request: PermissionRequest) {
  const { title, message = "", tool, toolCallId, command, path, diff, danger, remember = false, rule, scope } = request;
  const shown = wireOptions({ tool, toolCallId, command, path, diff, danger, rule, scope });
  return {
    title: title ?? permissionTitle(request),
    message,
    opts: withDanger({ ...shown, allow_remember: remember, allow_reason: true }),
  } satisfies DialogParams<"confirm">;
}

/** No one can answer, or no one did. */
export const refused: PermissionAnswer = { ok: false, remember: false, reason: "" };

export function permissionAnswer(answer: DialogResult<"confirm">): PermissionAnswer {
  if (typeof answer !== "object" || answer === null) return { ...refused, ok: answer === true };
  return { ok: answer.ok, remember: answer.remember ?? false, reason: answer.reason?.trim() ?? "" };
}

function withDanger(opts: WireOptions): WireOptions {
  return opts.danger === undefined ? opts : { ...opts, danger_level: "danger" };
}

function wireOption(choice: Choice): SelectOption {
  if (typeof choice === "string") return { label: choice, value: choice };
  return { ...choice, label: choice.label ?? choice.value };
}

function wireField(name: string, { label = name, kind, ...rules }: FormField): WireField {
  const { options, ...others } = { options: undefined, ...rules };
  const offered = options === undefined ? {} : { options: (options as readonly Choice[]).map(wireOption) };
  return { name, label, kind, ...wireOptions(others), ...offered };
}

/** `minLength` is `min_length` on the wire; what is undefined is left out. */
export function wireOptions(options: object): WireOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const named = given.map(([name, value]) => [name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`), value]);
  // The types of the requests are those of the wire, name by name.
  return Object.fromEntries(named) as WireOptions;
}

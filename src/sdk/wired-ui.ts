// A `UI` over any wire: dialogs wait in `PendingDialogs`, signals go straight out. The adapters differ only in how their
// frames look and where the answers come from. A front end without forms is asked field by field, and a cancel of one
// cancels all; one that cannot choose several is asked for one, and one that cannot list files for a typed path.
import type { UiCapabilities } from "../contract/capabilities.js";
import {
  type DialogMethod,
  type DialogParams,
  type DialogResult,
  dialogKinds,
  type SelectOption,
  type FormField as WireField,
} from "../contract/dialogs.js";
import { permissionTitle } from "../contract/permission-call.js";
import type { RpcNotification } from "../contract/rpc.js";
import { UiError } from "./errors.js";
import { PendingDialogs, type PendingDialogsOptions } from "./pending-dialogs.js";
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
import type { DialogOptions, Dialogs, UI, WidgetOptions } from "./ui.js";

/** What the front end can show beyond the four basic questions. */
export type DialogSkills = {
  readonly form: boolean;
  readonly multiSelect: boolean;
  readonly files: boolean;
  /** Permissions have a call of their own; a front end without it is asked to confirm. */
  readonly permission?: boolean;
};

/** A bit that is missing means no. */
export function dialogSkills(bits: UiCapabilities): DialogSkills {
  return {
    form: bits.supports_form === true,
    multiSelect: bits.supports_multi_select === true,
    files: bits.supports_files === true,
    permission: bits.supports_permission === true,
  };
}

/** Something shown without waiting, in the words of the rpc wire. */
export type Signal = Exclude<RpcNotification, { method: "cancel" }>;

export type WiredUiOptions = PendingDialogsOptions & {
  sendSignal(signal: Signal): void;
  /** What the front end said it can do, which it may say at any time; all of it when this is left out. */
  skills?: (() => DialogSkills) | undefined;
};

export function createWiredUi({ sendSignal, skills = () => allSkills, ...options }: WiredUiOptions) {
  const dialogs = new PendingDialogs(options);
  return { dialogs, ui: uiOver(dialogs, { sendSignal, skills }) };
}

const allSkills: DialogSkills = { form: true, multiSelect: true, files: true };

type SignalPorts = { sendSignal(signal: Signal): void; skills(): DialogSkills };

function uiOver(dialogs: PendingDialogs, { sendSignal, skills }: SignalPorts): UI {
  let editorText = "";
  const asker = (options?: DialogOptions): Asker => ({
    skills: skills(),
    ask: (method, params) => dialogs.ask(method, params, options),
  });
  return {
    hasUI: true,
    ...dialogsOver(asker),
    notify: (message, level = "info") => sendSignal({ method: "notify", params: { message, level } }),
    setStatus: (key, text) => sendSignal({ method: "set_status", params: { key, text } }),
    setWidget: (key, content, options: WidgetOptions = {}) =>
      sendSignal({ method: "set_widget", params: { key, content: copied(content), opts: { ...options } } }),
    setWorkingMessage: (message) => sendSignal({ method: "set_working_message", params: { message } }),
    setTitle: (title) => sendSignal({ method: "set_title", params: { title } }),
    setEditorText: (text) => {
      editorText = text;
      sendSignal({ method: "set_editor_text", params: { text } });
    },
    getEditorText: () => editorText,
  };
}

// Every answer was checked against what was offered, so that the types of the requests hold for the answers.
function dialogsOver(asker: (options?: DialogOptions) => Asker): Dialogs {
  const dialogs: AnyDialogs = {
    select: async (request, options) => {
      const answer = await asker(options).ask("select", selectParams(request));
      return typeof answer === "string" ? answer : null;
    },
    multiSelect: (request, options) => askSeveral(selectParams(request), asker(options)),
    confirm: async (request, options) => isYes(await asker(options).ask("confirm", confirmParams(request))),
    input: (request, options) => asker(options).ask("input", inputParams(request)),
    editor: (request, options) => asker(options).ask("editor", editorParams(request)),
    form: async (request, options) => {
      const answers = await askForm(formParams(request), asker(options));
      return answers === null ? null : withDefaults(request.fields, answers);
    },
    files: (request, options) => askFiles(filesParams(request), asker(options)),
    permission: async (request, options) =>
      permissionAnswer(await asker(options).ask("confirm", permissionParams(request))),
  };
  return dialogs as Dialogs;
}

type AnyDialogs = Omit<Dialogs, "select" | "multiSelect" | "form"> & {
  select(request: SelectRequest, options?: DialogOptions): Promise<string | null>;
  multiSelect(request: MultiSelectRequest, options?: DialogOptions): Promise<string[] | null>;
  form(request: FormRequest, options?: DialogOptions): Promise<Record<string, unknown> | null>;
};

function copied(content: string | readonly string[] | null): string | string[] | null {
  return typeof content === "string" || content === null ? content : [...content];
}

type Asker = {
  readonly skills: DialogSkills;
  ask<Method extends DialogMethod>(method: Method, params: DialogParams<Method>): Promise<DialogResult<Method>>;
};

async function askSeveral(params: DialogParams<"select">, asker: Asker): Promise<string[] | null> {
  const opts = { ...params.opts, ...(asker.skills.multiSelect ? { multiple: true } : {}) };
  const answer = await asker.ask("select", { ...params, opts });
  return typeof answer === "string" ? [answer] : answer;
}

async function askForm(params: DialogParams<"form">, asker: Asker): Promise<Record<string, unknown> | null> {
  if (asker.skills.form) return asker.ask("form", params);
  const answers: Record<string, unknown> = {};
  for (const field of params.fields) {
    const answer = await askField(field, params.title, asker);
    if (answer === null) return null;
    answers[field.name] = answer;
  }
  return answers;
}

async function askField(field: WireField, formTitle: string, asker: Asker): Promise<unknown> {
  const title = `${formTitle}: ${field.label}`;
  switch (field.kind) {
    case "confirm":
      return isYes(await asker.ask("confirm", { title }));
    case "select":
      return asker.ask("select", { title, options: field.options ?? [] });
    case "multi_select":
      return askSeveral({ title, options: field.options ?? [] }, asker);
    case "number": {
      const text = await asker.ask("input", { title });
      return text === null || Number.isNaN(Number(text)) ? text : Number(text);
    }
    case "text":
    case "secret":
      return asker.ask("input", { title, opts: field.kind === "secret" ? { secret: true } : {} });
  }
}

async function askFiles(params: DialogParams<"files">, asker: Asker): Promise<string[] | null> {
  if (asker.skills.files) return asker.ask("files", params);
  const { title, message } = params;
  const path = await asker.ask("input", { title, message });
  if (path === null) return null;
  const read = dialogKinds.files.read(path, params);
  if ("wrong" in read) throw new UiError("invalid_response", read.wrong);
  return read.value;
}

function isYes(answer: DialogResult<"confirm">): boolean {
  return typeof answer === "object" ? answer?.ok === true : answer;
}

// Requests of the public interface as wire parameters: `params` hold the question itself, `opts` everything about it.

type WireOptions = NonNullable<DialogParams["opts"]>;

function selectParams({ title, message, options, ...opts }: SelectRequest | MultiSelectRequest) {
  return { title, message, options: options.map(wireOption), opts: wireOptions(opts) } satisfies DialogParams<"select">;
}

function confirmParams({ title, message = "", ...opts }: ConfirmRequest) {
  return { title, message, opts: withDanger(wireOptions(opts)) } satisfies DialogParams<"confirm">;
}

function inputParams({ title, message, placeholder = "", ...opts }: InputRequest) {
  return { title, message, placeholder, opts: wireOptions(opts) } satisfies DialogParams<"input">;
}

function editorParams({ title, message, prefill = "", ...opts }: EditorRequest) {
  return { title, message, prefill, opts: wireOptions(opts) } satisfies DialogParams<"editor">;
}

function filesParams({ title, message, folder, multiple = false }: FilesRequest) {
  const place = folder === undefined ? {} : { folder };
  return { title, message, ...place, opts: multiple ? { multiple: true } : {} } satisfies DialogParams<"files">;
}

function formParams({ title, message, fields }: FormRequest) {
  return {
    title,
    message,
    fields: Object.entries(fields).map(([name, field]) => wireField(name, field)),
    opts: {},
  } satisfies DialogParams<"form">;
}

/** A default that the user left out counts as given, but a yes has to be said. */
function withDefaults(fields: FormFields, answers: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const missing = field.kind === "confirm" ? false : field.default;
    const value = Object.hasOwn(answers, name) ? answers[name] : missing;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

function permissionParams(request: PermissionRequest) {
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

function permissionAnswer(answer: DialogResult<"confirm">): PermissionAnswer {
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

// The agent's side of a conversation with a person. An agent holds a `UI` and knows nothing of terminals; adapters
// carry it over a wire, or answer for a person who is not there.
//
// Dialogs return promises. A value is an answer; null (false for `confirm`) means cancelled: by the person, or by the
// caller's own signal. They reject with a `UiError` and with nothing else. Signals return at once and never fail.
import type { FormField, SelectOption } from "../contract/dialogs.js";
import type { NotifyLevel } from "../contract/notices.js";

/** Who asks, when it is not the agent itself; the person sees it. */
export type DialogOrigin = { kind: "agent" | "tool" | "mcp"; name?: string };

/** `timeoutMs`, `signal` and `origin` are for this side; every other option travels to the front end as it is. */
export type DialogOptions = {
  /** When to give up; the front end is told, and gives up at the same moment. Infinity waits for ever. */
  timeoutMs?: number;
  /** Aborting withdraws the question and resolves the promise as cancelled. */
  signal?: AbortSignal;
  origin?: DialogOrigin;
  [option: string]: unknown;
};

export type SelectRequest = { title: string; message?: string; options: readonly SelectOption[] };
/** A field is described like a question of its own; its name is where the answer is found. */
export type FormRequest = { title: string; message?: string; fields: readonly FormField[] };
export type ConfirmRequest = { title: string; message?: string };
export type InputRequest = { title: string; message?: string; placeholder?: string };
export type EditorRequest = { title: string; message?: string; prefill?: string };

/** The folder is the agent's own, or relative to it; several may be chosen with `multiple`. */
export type FilesRequest = { title: string; message?: string; folder?: string; multiple?: boolean };

export type WidgetOptions = { placement?: "above" | "below"; [option: string]: unknown };

export interface Dialogs {
  /** The value of the chosen option. */
  select(request: SelectRequest, options?: DialogOptions): Promise<string | null>;
  /** The values of all that were chosen, which may be none. A front end that cannot do this asks for one. */
  multiSelect(request: SelectRequest, options?: DialogOptions): Promise<string[] | null>;
  confirm(request: ConfirmRequest, options?: DialogOptions): Promise<boolean>;
  input(request: InputRequest, options?: DialogOptions): Promise<string | null>;
  editor(request: EditorRequest, options?: DialogOptions): Promise<string | null>;
  /** The answers by the names of the fields. A front end that has no forms is asked field by field. */
  form(request: FormRequest, options?: DialogOptions): Promise<Record<string, unknown> | null>;
  /** Paths inside the folder and relative to it. A front end that cannot do this asks for one typed path. */
  files(request: FilesRequest, options?: DialogOptions): Promise<string[] | null>;
}

export interface UI extends Dialogs {
  /** Whether anyone can answer. */
  readonly hasUI: boolean;

  notify(message: string, level?: NotifyLevel): void;
  /** A field of the status line; null removes it. */
  setStatus(key: string, text: string | null): void;
  /** Lines near the composer; null removes them. */
  setWidget(key: string, content: string | readonly string[] | null, options?: WidgetOptions): void;
  setWorkingMessage(message: string | null): void;
  setTitle(title: string): void;
  setEditorText(text: string): void;
  /** What was last set; answered here, without asking the front end. */
  getEditorText(): string;
}

const dialogNames: Readonly<Record<keyof Dialogs, true>> = {
  select: true,
  multiSelect: true,
  confirm: true,
  input: true,
  editor: true,
  form: true,
  files: true,
};

type AnyDialog = (request: never, options?: DialogOptions) => Promise<unknown>;

/** All dialogs, each made from its name. */
export function everyDialog(make: (name: keyof Dialogs) => AnyDialog): Dialogs {
  const names = Object.keys(dialogNames) as (keyof Dialogs)[];
  // A dialog that is made from another one of the same name takes and gives the same.
  return Object.fromEntries(names.map((name) => [name, make(name)])) as unknown as Dialogs;
}

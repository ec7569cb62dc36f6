// The agent's side of a conversation with the user. An agent holds a `UI` and knows nothing of terminals; adapters
// carry it over a wire, or answer where there is no user.
//
// Dialogs return promises. A value is an answer; null (false for `confirm`) means cancelled: by the user, or by the
// caller's own signal. They reject with a `UiError` and with nothing else. Signals return at once and never fail.
import type { NotifyLevel } from "../contract/notices.js";
import type {
  ConfirmRequest,
  EditorRequest,
  FilesRequest,
  FittingFields,
  FormAnswer,
  FormFields,
  FormRequest,
  InputRequest,
  MultiSelectRequest,
  PermissionAnswer,
  PermissionRequest,
  SelectRequest,
} from "./requests.js";

/** Who asks, when it is not the agent itself; the user sees it. */
export type DialogOrigin = { kind: "agent" | "tool" | "mcp"; name?: string };

/** How something is asked, whatever it is. */
export type DialogOptions = {
  /** When to give up; the front end gives up at the same moment. Without it a question waits for its answer. */
  timeoutMs?: number;
  /** Aborting withdraws the question and resolves the promise as cancelled. */
  signal?: AbortSignal;
  origin?: DialogOrigin;
  /** The tool call that asks; the front end shows the two as one. */
  toolCallId?: string;
};

export type WidgetOptions = { placement?: "above" | "below"; [option: string]: unknown };

export interface Dialogs {
  /** The value of the chosen option. */
  select<const Value extends string>(request: SelectRequest<Value>, options?: DialogOptions): Promise<Value | null>;
  /** The values of all that were chosen, which may be none. A front end that cannot do this asks for one. */
  multiSelect<const Value extends string>(
    request: MultiSelectRequest<Value>,
    options?: DialogOptions,
  ): Promise<Value[] | null>;
  confirm(request: ConfirmRequest, options?: DialogOptions): Promise<boolean>;
  input(request: InputRequest, options?: DialogOptions): Promise<string | null>;
  editor(request: EditorRequest, options?: DialogOptions): Promise<string | null>;
  /** The answers by the names of the fields. A front end that has no forms is asked field by field. */
  form<const Fields extends FormFields>(
    request: FormRequest<Fields> & { readonly fields: FittingFields<NoInfer<Fields>> },
    options?: DialogOptions,
  ): Promise<FormAnswer<Fields> | null>;
  /** Paths inside the folder and relative to it. A front end that cannot do this asks for one typed path. */
  files(request: FilesRequest, options?: DialogOptions): Promise<string[] | null>;
  /** Asks before something is done. A cancel, and a front end where no one can answer, is a no. */
  permission(request: PermissionRequest, options?: DialogOptions): Promise<PermissionAnswer>;
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
  permission: true,
};

type AnyDialog = (request: never, options?: DialogOptions) => Promise<unknown>;

/** All dialogs, each made from its name. */
export function everyDialog(make: (name: keyof Dialogs) => AnyDialog): Dialogs {
  const names = Object.keys(dialogNames) as (keyof Dialogs)[];
  // A dialog that is made from another one of the same name takes and gives the same.
  return Object.fromEntries(names.map((name) => [name, make(name)])) as unknown as Dialogs;
}

/** The dialogs of another; `change` sees the options of every question before it is asked. */
export function dialogsOf(
  ui: () => Dialogs,
  change: (options: DialogOptions | undefined) => DialogOptions | undefined = (options) => options,
): Dialogs {
  return everyDialog((name) => (request, options) => (ui()[name] as AnyDialog)(request, change(options)));
}

// A surface was used in a way that cannot be meant. The code says which, for programs; the message says it for people.

export type TuiErrorCode =
  | "section_missing"
  | "section_unknown"
  | "section_foreign"
  | "handler_unknown"
  | "handlers_full"
  | "overloaded";

export class TuiError extends Error {
  override readonly name = "TuiError";
  readonly code: TuiErrorCode;

  constructor(code: TuiErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

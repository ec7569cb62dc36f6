// The errors an author meets. `UiError` says why a dialog has no answer; it is local, its code is a word and never travels
// over a wire. `CommandError` refuses a command; it becomes one `error` frame with its number.
import type { UiErrorCode, WireErrorName } from "../contract/errors.js";

const explanations: Record<UiErrorCode, string> = {
  timeout: "no one answered in time",
  connection_closed: "the front end is gone",
  server_shutdown: "the agent is shutting down",
  invalid_response: "the answer does not fit the question",
  remote: "the front end reported an error",
  overloaded: "too many questions are open, or the front end has stopped reading",
};

export class UiError extends Error {
  override readonly name = "UiError";
  readonly code: UiErrorCode;

  constructor(code: UiErrorCode, detail?: string) {
    super(detail === undefined ? explanations[code] : `${explanations[code]}: ${detail}`);
    this.code = code;
  }
}

export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly wireName: WireErrorName;

  constructor(wireName: WireErrorName, message: string) {
    super(message);
    this.wireName = wireName;
  }
}

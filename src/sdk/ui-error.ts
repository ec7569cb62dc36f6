// Why a dialog has no answer. A local error: its code is a word and never travels over a wire.
import type { UiErrorCode } from "../contract/errors.js";

const explanations: Record<UiErrorCode, string> = {
  timeout: "nobody answered in time",
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

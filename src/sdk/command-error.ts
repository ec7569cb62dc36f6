// A command that cannot be carried out: becomes one `error` frame with its number.
import type { WireErrorName } from "../contract/errors.js";

export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly wireName: WireErrorName;

  constructor(wireName: WireErrorName, message: string) {
    super(message);
    this.wireName = wireName;
  }
}

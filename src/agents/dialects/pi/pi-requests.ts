// Commands to pi and their responses. pi repeats the id of a command and names it; a response is matched by its id, or by
// its name when the id is missing or strange, the oldest first.
import type { PiFrame } from "../../../contract/pi.js";
import type { JsonObject } from "../frames/json-frame.js";
import { SentRequests } from "../sent-requests.js";
import type { StepBuilder } from "../step-builder.js";

export type PiAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: string };

export class PiRequests {
  private readonly out: StepBuilder;
  private readonly sent = SentRequests.named<PiAnswer>();

  constructor(out: StepBuilder) {
    this.out = out;
  }

  send(command: JsonObject & { readonly type: string }, then: (answer: PiAnswer) => void = () => undefined): void {
    const id = this.sent.add(command.type, then);
    this.out.send({ id, ...command });
  }

  take(frame: PiFrame<"response">): void {
    const { id = "", command, success, data, error = "no reason given" } = frame;
    const known = this.sent.has(id) ? id : this.sent.waiting().find(({ name }) => name === command)?.id;
    if (known === undefined) this.takeUnexpected(frame);
    else this.sent.settle(known, success ? { ok: true, data } : { ok: false, error });
  }

  // A command that an older pi does not know may come back under another name; that is no news.
  private takeUnexpected(frame: PiFrame<"response">): void {
    const { command, success, error = "no reason given" } = frame;
    if (!success && /unknown command/i.test(error)) return;
    if (success) this.out.fault("invalidFrame", `a response to a command nobody sent: ${command.slice(0, 80)}`, frame);
    else this.out.tell({ type: "command.failed", message: `pi: ${command}: ${error}` });
  }
}

// Commands to pi and their responses. pi repeats the id of a command and names it; a response is matched by its id, or by
// its name when the id is missing or strange, the oldest first.
import type { PiFrame } from "../../../contract/pi.js";
import type { JsonObject } from "../frames/json-frame.js";
import type { StepBuilder } from "../step-builder.js";

export type PiAnswer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: string };

type Pending = { readonly command: string; readonly then: (answer: PiAnswer) => void };

export class PiRequests {
  private readonly out: StepBuilder;
  private readonly pending = new Map<string, Pending>();
  private nextNumber = 1;

  constructor(out: StepBuilder) {
    this.out = out;
  }

  send(command: JsonObject & { readonly type: string }, then: (answer: PiAnswer) => void = () => undefined): void {
    const id = `palaver-${this.nextNumber++}`;
    this.pending.set(id, { command: command.type, then });
    this.out.send({ id, ...command });
  }

  take(frame: PiFrame<"response">): void {
    const { id = "", command, success, data, error = "no reason given" } = frame;
    const [key, match] = this.matching(id, command) ?? ["", null];
    if (match === null) this.takeUnexpected(frame);
    this.pending.delete(key);
    match?.then(success ? { ok: true, data } : { ok: false, error });
  }

  private matching(id: string, command: string): [string, Pending] | null {
    const known = this.pending.get(id);
    if (known !== undefined) return [id, known];
    for (const entry of this.pending) if (entry[1].command === command) return entry;
    return null;
  }

  // A command that an older pi does not know may come back under another name; that is no news.
  private takeUnexpected(frame: PiFrame<"response">): void {
    const { command, success, error = "no reason given" } = frame;
    if (!success && /unknown command/i.test(error)) return;
    if (success) this.out.fault("invalidFrame", `a response to a command nobody sent: ${command.slice(0, 80)}`, frame);
    else this.out.tell({ type: "command.failed", message: `pi: ${command}: ${error}` });
  }
}

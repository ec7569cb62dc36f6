// Tracks open asks for secrets. Their answers are kept out of recordings and declared as secrets, so that a later repetition by
// the agent is removed too.
import type { Ask } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { keepNewest } from "../dialects/step-builder.js";

/** The oldest is dropped. */
const WATCHED_MAX = 4_096;

/** The whole answer is secret, or these fields of it. */
type Secrecy = "all" | readonly string[];

export class SecretAsks {
  private readonly open = new Map<string, Secrecy>();

  raised({ id, question }: Ask): void {
    const secrecy = secrecyOf(question);
    if (secrecy === null) return;
    keepNewest(this.open, id, secrecy, WATCHED_MAX);
  }

  withdrawn(askId: string): void {
    this.open.delete(askId);
  }

  /** The command without its secrets, and the secrets; null when it has none. */
  answered(command: LinesCommand): { command: LinesCommand; secrets: readonly string[] } | null {
    if (command.type !== "ui_response") return null;
    const secrecy = this.open.get(command.id);
    if (secrecy === undefined) return null;
    this.open.delete(command.id);
    const { result } = command;
    if (secrecy === "all" || typeof result !== "object" || result === null) {
      return { command: { ...command, result: null }, secrets: textsIn(result) };
    }
    const fields = Object.entries(result);
    const kept = fields.map(([name, value]) => [name, secrecy.includes(name) ? null : value]);
    const secrets = fields.flatMap(([name, value]) => (secrecy.includes(name) ? textsIn(value) : []));
    return { command: { ...command, result: Object.fromEntries(kept) }, secrets };
  }
}

/** The secrets in the response to an ask. */
export function secretsOf(ask: Ask, response: LinesCommand): readonly string[] {
  const asks = new SecretAsks();
  asks.raised(ask);
  return asks.answered(response)?.secrets ?? [];
}

function secrecyOf(question: Ask["question"]): Secrecy | null {
  if (question.kind === "permission") return null;
  if (question.params.opts?.secret === true) return "all";
  if (question.kind !== "form") return null;
  const fields = question.params.fields.filter(({ kind }) => kind === "secret").map(({ name }) => name);
  return fields.length === 0 ? null : fields;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

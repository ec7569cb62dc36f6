// Text that users type into a hosted session may contain a secret. The agent needs the original, which is kept here until it
// is sent; the engine, and with it every view and file, gets the text without secrets.
import type { Redaction } from "../agents/recordings/recording.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { Intent } from "../session/engine/engine-messages.js";
import { SHELL_OUTPUT_HEAD } from "../session/shell-output.js";
import { REDACTED } from "../text/redact.js";

/** As many prompts as may wait in a queue, and as many answers again. */
const ORIGINALS_MAX = 400;

export class TypedText {
  private readonly redaction: Redaction;
  /** By what stands in their place. */
  private readonly originals = new Map<string, unknown>();

  constructor(redaction: Redaction) {
    this.redaction = redaction;
  }

  /** The intent as the engine gets it. */
  enter(intent: Intent): Intent {
    if (intent.type === "submit") {
      const text = String(this.redaction.value(intent.text));
      const context = intent.context && String(this.redaction.value(intent.context));
      return { ...intent, context, text: text === intent.text ? text : this.kept(text, intent.text) };
    }
    if (intent.type !== "answer") return intent;
    const value = this.redaction.value(intent.value);
    const isSame = JSON.stringify(value) === JSON.stringify(intent.value);
    if (!isSame) this.remember(`answer ${intent.askId}`, intent.value);
    return { ...intent, value };
  }

  /** The command as the agent gets it. */
  leave(command: LinesCommand): LinesCommand {
    if (command.type === "prompt") {
      const [text = "", ...outputs] = command.text.split(SHELL_OUTPUT_HEAD);
      return { ...command, text: [this.original(text), ...outputs].join(SHELL_OUTPUT_HEAD) };
    }
    if (command.type !== "ui_response") return command;
    const key = `answer ${command.id}`;
    if (!this.originals.has(key)) return command;
    const result = this.originals.get(key);
    this.originals.delete(key);
    return { ...command, result };
  }

  /** The text as it was typed. */
  original(text: string): string {
    const typed = this.originals.get(text);
    return typeof typed === "string" ? typed : text;
  }

  // Prompts that differ in a secret alone have one text without it: more dots keep them apart.
  private kept(redacted: string, original: string): string {
    let text = redacted;
    while ((this.originals.get(text) ?? original) !== original) text = text.replace(REDACTED, () => `${REDACTED}•`);
    this.remember(text, original);
    return text;
  }

  private remember(key: string, original: unknown): void {
    this.originals.set(key, original);
    const oldest = this.originals.keys().next().value;
    if (this.originals.size > ORIGINALS_MAX && oldest !== undefined) this.originals.delete(oldest);
  }
}

// The daemon tells every front end what was asked of the agent. Some agents repeat it in their own events; that repetition would
// show the prompt twice.
import { textOf } from "../contract/message-parts.js";
import type { SessionEvent } from "../contract/session-events.js";

export class PromptEcho {
  private text: string | null = null;

  sent(text: string): void {
    this.text = text;
  }

  isEcho(event: SessionEvent): boolean {
    switch (event.type) {
      case "message.started":
      case "message.updated":
      case "message.finished":
        return event.message.role === "user" && textOf(event.message.content) === this.text;
      default:
        return false;
    }
  }
}

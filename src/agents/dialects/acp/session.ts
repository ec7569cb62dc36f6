// One session of the agent, and its messages. The protocol marks no beginnings and ends: a message is complete when the other
// side speaks, a tool starts, its id changes, or the turn ends. User messages are sent whole, so that a front end can
// recognise its own prompt.

import type { ContentBlock, Message } from "../../../contract/messages.js";
import type { StepBuilder } from "../step-builder.js";
import type { AcpEffect } from "./acp-effect.js";
import { Grants } from "./grants.js";
import { Settings } from "./settings.js";
import { ToolCalls, type ToolSurroundings } from "./tool-calls.js";

export class Session {
  readonly id: string;
  readonly cwd: string;
  readonly messages: MessageFlow;
  readonly tools: ToolCalls;
  readonly settings: Settings;
  readonly grants: Grants;
  turn: "none" | "running" | "stopping" = "none";
  /** "being-told" while the agent replays the history; "told-again" when that history is on the screen already. */
  history: "being-told" | "told-again" | "told" = "told";
  /** How many updates came. */
  updates = 0;
  /** A timer will end the message outside a turn. */
  strayTimer = false;
  turns = 0;
  context: { used: number; size: number } | null = null;
  cost: number | null = null;

  constructor(around: ToolSurroundings) {
    const { sessionId, cwd, out } = around;
    this.id = sessionId;
    this.cwd = cwd;
    this.messages = new MessageFlow(sessionId, out);
    this.tools = new ToolCalls(around);
    this.settings = new Settings();
    this.grants = new Grants(cwd);
  }
}

type Part = { kind: "text" | "thinking"; text: string };

/** A longer message is split. */
const MESSAGE_CHARS_MAX = 4 * 1024 * 1024;

class MessageFlow {
  private readonly sessionId: string;
  private readonly out: StepBuilder<AcpEffect>;
  private parts: Part[] | null = null;
  private messageId: string | null = null;
  private chars = 0;
  private person: string | null = null;
  private echo: string | null = null;

  constructor(sessionId: string, out: StepBuilder<AcpEffect>) {
    this.sessionId = sessionId;
    this.out = out;
  }

  get isOpen(): boolean {
    return this.parts !== null || this.person !== null;
  }

  /** An echo of this prompt by the agent is not shown again. */
  expectEcho(text: string): void {
    this.finish();
    this.echo = text;
  }

  agentSaid(kind: Part["kind"], text: string, messageId: string | null): void {
    if (text === "") return;
    this.finishPerson();
    const isOther = messageId !== null && this.messageId !== null && messageId !== this.messageId;
    if (isOther || this.chars > MESSAGE_CHARS_MAX) this.finishAgent();
    const parts = this.openParts(messageId);
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
    this.chars += text.length;
    const { sessionId } = this;
    this.out.event({ type: "message.grew", sessionId, index: parts.length - 1, kind, delta: text });
  }

  agentShowed(picture: { data: string; mimeType: string }): void {
    this.finish();
    this.whole({
      role: "assistant",
      content: [{ type: "image", data: picture.data, mime_type: picture.mimeType }],
    });
  }

  personSaid(text: string, messageId: string | null): void {
    this.finishAgent();
    if (this.person !== null && messageId !== null && messageId !== this.messageId) this.finishPerson();
    this.messageId = messageId;
    this.person = (this.person ?? "") + text;
  }

  finish(): void {
    this.finishPerson();
    this.finishAgent();
  }

  private openParts(messageId: string | null): Part[] {
    this.messageId = messageId ?? this.messageId;
    if (this.parts === null) {
      this.parts = [];
      const { sessionId } = this;
      this.out.event({ type: "message.started", sessionId, message: { role: "assistant", content: [] } });
    }
    return this.parts;
  }

  private finishAgent(): void {
    if (this.parts === null) return;
    const content = this.parts.map(blockOf);
    this.parts = null;
    this.messageId = null;
    this.chars = 0;
    const { sessionId } = this;
    this.out.event({ type: "message.finished", sessionId, message: { role: "assistant", content } });
  }

  private finishPerson(): void {
    const { person } = this;
    if (person === null) return;
    this.person = null;
    this.messageId = null;
    const isEcho = this.echo?.trim().startsWith(person.trim()) === true;
    this.echo = null;
    if (!isEcho) this.whole({ role: "user", content: [{ type: "text", text: person }] });
  }

  private whole(message: Message): void {
    const { sessionId } = this;
    this.out.event({ type: "message.started", sessionId, message }, { type: "message.finished", sessionId, message });
  }
}

function blockOf({ kind, text }: Part): ContentBlock {
  return kind === "text" ? { type: "text", text } : { type: "thinking", thinking: text };
}

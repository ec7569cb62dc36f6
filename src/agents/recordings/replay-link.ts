// Plays a recording as a link, so that every front end can show it. Recorded prompts are shown and recorded answers settle the
// asks; new commands are refused.

import type { AskOutcome } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import { textOf } from "../../contract/message-parts.js";
import { errorMessage } from "../../contract/plain-word.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { AgentExit } from "../agent-process.js";
import type { SessionLink } from "../dialect-link.js";
import type { RecordingEntry, ReplayHandlers } from "./recording.js";
import { readRecording } from "./recording-reader.js";

export interface ReplayOptions {
  /** 1 is the recorded speed; 0 plays everything at once. */
  readonly speed: number;
  /** Everything before this time is shown at once. */
  readonly fromMs?: number;
  /** Longer gaps are shortened to this. */
  readonly gapMsMax?: number;
  after(delayMs: number, run: () => void): () => void;
}

export type ReplayLink = SessionLink & {
  /** Resolves when everything was played, or playing was stopped. */
  readonly played: Promise<void>;
};

/** The event loop gets a turn after this many events. */
const EVENTS_IN_A_ROW_MAX = 64;

export function openReplay(path: string, options: ReplayOptions, handlers: ReplayHandlers): ReplayLink {
  const player = new Player(path, options, handlers);
  const played = player.play();
  return {
    played,
    exited: player.exited,
    send: (command) => (player.hear(command) ? "delivered" : "lost"),
    // A recording plays at its own pace.
    setFlow: () => undefined,
    stop() {
      player.stop({ error: null });
      return player.exited;
    },
  };
}

class Player {
  readonly exited: Promise<AgentExit>;
  private readonly path: string;
  private readonly options: ReplayOptions;
  private readonly handlers: ReplayHandlers;
  private state: "playing" | "played" | "stopped" = "playing";
  private leave: (exit: AgentExit) => void = () => undefined;
  private wake: () => void = () => undefined;
  private echo: string | null = null;
  private lastMs = 0;
  private dueMs: number;

  constructor(path: string, options: ReplayOptions, handlers: ReplayHandlers) {
    this.path = path;
    this.options = options;
    this.handlers = handlers;
    this.dueMs = handlers.nowMs();
    this.exited = new Promise((resolve) => {
      this.leave = resolve;
    });
  }

  async play(): Promise<void> {
    let inARow = 0;
    try {
      for await (const item of readRecording(this.path)) {
        const hasPaused = item.kind === "entry" && (await this.untilDue(item.entry.t));
        if (!hasPaused && ++inARow % EVENTS_IN_A_ROW_MAX === 0) await this.pause(0);
        if (this.state !== "playing") return;
        if (item.kind === "entry") this.perform(item.entry);
        else this.tell({ type: "fault.reported", sessionId: null, fault: item.fault });
      }
      this.finish("the recording ends here");
    } catch (error) {
      this.stop({ error: errorMessage(error) });
    }
  }

  /** Refuses at once, so that a front end does not wait. */
  hear(command: LinesCommand): boolean {
    if (this.state === "stopped") return false;
    if (command.type === "quit") this.stop({ error: null });
    else if (command.type === "abort" && this.state === "playing") this.finish("the recording was stopped here");
    else if (command.type !== "ui_response" && command.type !== "initialize") queueMicrotask(() => this.refuse());
    return true;
  }

  stop({ error }: { error: string | null }): void {
    this.state = "stopped";
    this.wake();
    this.leave({ code: error === null ? 0 : null, signal: null, error, stderrTail: "" });
  }

  private finish(words: string): void {
    this.state = "played";
    this.wake();
    this.tell({ type: "prompt.finished", sessionId: null });
    this.tell({ type: "notice.shown", sessionId: null, level: "info", message: words });
  }

  private refuse(): void {
    this.tell({ type: "command.failed", sessionId: null, message: "this is a recording; it takes no input" });
    this.tell({ type: "prompt.finished", sessionId: null });
  }

  private tell(event: SessionEvent): void {
    this.handlers.onEvent(event);
  }

  private perform(entry: RecordingEntry): void {
    if (entry.dir === "in") this.report(entry.event);
    else if (entry.dir === "out") this.repeat(entry.command, entry.secret === true);
    else if (entry.kind === "exited" && entry.code !== 0) {
      const message = `the agent ended with code ${entry.code}`;
      this.tell({ type: "notice.shown", sessionId: null, level: "error", message });
    }
  }

  // Deadlines belong to another clock; an echo of the prompt would show it twice.
  private report(event: SessionEvent): void {
    if (event.type === "ask.raised") this.tell({ ...event, ask: { ...event.ask, deadlineMs: null } });
    else if (!this.isEcho(event)) this.tell(event);
  }

  private isEcho(event: SessionEvent): boolean {
    switch (event.type) {
      case "message.started":
      case "message.updated":
      case "message.finished":
        return event.message.role === "user" && textOf(event.message.content) === this.echo;
      default:
        return false;
    }
  }

  private repeat(command: LinesCommand, isSecret: boolean): void {
    if (command.type === "prompt") {
      this.echo = command.text;
      const message = { role: "user" as const, content: command.text };
      this.tell({ type: "message.started", sessionId: command.session_id ?? null, message });
    } else if (command.type === "ui_response") this.settle(command, isSecret);
  }

  private settle({ id, result, error }: Extract<LinesCommand, { type: "ui_response" }>, isSecret: boolean): void {
    const { onAskSettled } = this.handlers;
    if (onAskSettled === undefined || (error !== null && error !== undefined)) {
      this.tell({ type: "ask.withdrawn", sessionId: null, askId: id, reason: "agent_cancelled" });
      return;
    }
    const isCancelled = !isSecret && (result === null || result === undefined);
    const by = "recording";
    const outcome: AskOutcome = isCancelled ? { kind: "cancelled", by } : { kind: "answered", value: result, by };
    onAskSettled.call(this.handlers, id, outcome);
  }

  /** True when it waited. Due times add up, so that one delay does not shift the rest. */
  private async untilDue(t: number): Promise<boolean> {
    const { speed, fromMs = 0, gapMsMax = Number.POSITIVE_INFINITY } = this.options;
    const gapMs = Math.max(0, t - Math.max(this.lastMs, fromMs));
    this.lastMs = Math.max(this.lastMs, t);
    if (speed === 0 || gapMs === 0) return false;
    const nowMs = this.handlers.nowMs();
    this.dueMs = Math.max(this.dueMs, nowMs - LATE_MS_MAX) + Math.min(gapMs, gapMsMax) / speed;
    const delayMs = this.dueMs - nowMs;
    if (delayMs < 1) return false;
    await this.pause(delayMs);
    return true;
  }

  private pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.after(delayMs, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** More delay than this is not caught up, for instance after the machine slept. */
const LATE_MS_MAX = 1_000;

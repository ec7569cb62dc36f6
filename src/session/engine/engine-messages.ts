// What goes into the engine and what comes out of it. Inputs are what happened: the agent reported, a view wants something, time
// passed. Changes are what a view needs to follow along. Effects are what the host has to do; they are data.
import type { Ask, AskOutcome, AuditRecord, Delivery, WithdrawReason } from "../../contract/asks.js";
import type { LinesCommand } from "../../contract/lines-commands.js";
import type { NotifyLevel } from "../../contract/notices.js";
import type { SessionEvent } from "../../contract/session-events.js";
import type { SessionFacts } from "../session-facts.js";
import type { OpenSession } from "../session-list.js";
import type { BlockChange } from "../transcript/block.js";
import type { Journal } from "../transcript/journal.js";
import type { EngineState, Notice, SessionEntry } from "./engine-state.js";

export type EngineInput =
  | { readonly type: "event"; readonly event: SessionEvent }
  /** The agent was started or has ended; `words` say why. */
  | AgentChange
  /** Another front end settled an ask; the agent knows already. */
  | { readonly type: "settled-elsewhere"; readonly askId: string; readonly outcome: AskOutcome }
  /** The response to an ask has reached the agent, or never will. */
  | { readonly type: "delivered"; readonly askId: string; readonly delivery: Delivery }
  | { readonly type: "intent"; readonly intent: Intent; readonly by: string }
  /** No ask will be answered any more. */
  | { readonly type: "withdraw"; readonly reason: WithdrawReason }
  | { readonly type: "clock" };

/** What a view may want. Without a session named, it is about the active one. */
export type Intent =
  /** `context` is output of the user's own commands. It and images go to the agent with the prompt, and not into the transcript. */
  | {
      readonly type: "submit";
      readonly text: string;
      readonly context?: string | undefined;
      readonly images?: readonly PromptImage[] | undefined;
    }
  | { readonly type: "abort" | "reset" | "save" | "stats" }
  /** Without a text: all queued messages are removed, or the last one is moved back to the composer. */
  | { readonly type: "queue.remove" | "queue.take-back"; readonly text?: string | undefined }
  | { readonly type: "suggestion.take" }
  /** The agent will be restarted on this saved session: what is known of the one before is not its. */
  | { readonly type: "resume"; readonly title: string }
  | { readonly type: "activate"; readonly id: string }
  | { readonly type: "close"; readonly id: string }
  | { readonly type: "answer"; readonly askId: string; readonly value: unknown }
  | { readonly type: "cancel"; readonly askId: string }
  /** The view has drawn the ask. */
  | { readonly type: "shown"; readonly askId: string }
  /** Palaver's own words in the transcript. */
  | { readonly type: "notice"; readonly level: NotifyLevel; readonly text: string }
  /** A command that the user runs in a shell of their own, shown like a tool of the agent. */
  | { readonly type: "shell"; readonly session: number; readonly event: ShellEvent }
  /** No more of what is being said will be shown: as far as it has come, it is whole. */
  | { readonly type: "cut-short" }
  /** What the session said before its transcript here begins. */
  | { readonly type: "prepend"; readonly journal: Journal }
  | { readonly type: "command"; readonly command: LinesCommand };

export type PromptImage = NonNullable<Extract<LinesCommand, { type: "prompt" }>["images"]>[number];

export type ShellEvent = Extract<SessionEvent, { type: "tool.started" | "tool.updated" | "tool.finished" }>;

/** Whole in itself: `applyChange` makes the new state of the old one and this. Changes without a comment change no state. */
export type Change =
  | { readonly type: "block"; readonly session: number; readonly change: BlockChange }
  /** The fields that are new. */
  | { readonly type: "facts"; readonly session: number; readonly facts: Partial<SessionFacts> }
  /** All sessions in order, and the id of the active one. */
  | { readonly type: "sessions"; readonly sessions: readonly SessionEntry[]; readonly active: string }
  | { readonly type: "notice"; readonly notice: Notice }
  /** An ask is open. */
  | { readonly type: "ask.raised"; readonly ask: Ask; readonly atMs: number }
  /** It is not open any more. */
  | { readonly type: "ask.settled"; readonly ask: Ask; readonly outcome: AskOutcome }
  /** The agent has the outcome, or was gone before; null where there was nothing to deliver. */
  | {
      readonly type: "ask.finished";
      readonly ask: Ask;
      readonly outcome: AskOutcome;
      readonly delivery: Delivery | null;
    }
  | { readonly type: "session.started"; readonly id: string }
  | { readonly type: "session.switched"; readonly from: number; readonly to: number }
  /** A session is over that was not the active one: what it was called, and its place in the list. */
  | { readonly type: "session.gone"; readonly session: number; readonly entry: OpenSession; readonly place: number }
  /** The text goes before what is written. `by` is the view that wanted it, and the only one it is for; null means all of them. */
  | { readonly type: "composer"; readonly session: number; readonly text: string; readonly by: string | null }
  | { readonly type: "reply"; readonly command: string; readonly answer: Reply; readonly by: string | null }
  | AgentChange;

interface AgentChange {
  readonly type: "agent";
  readonly change: "opened" | "closed";
  readonly words: readonly string[];
  /** It ended by itself, with code 0 and nothing left to do. */
  readonly isWell?: true;
}

type Reply = Extract<SessionEvent, { type: "command.answered" }>["answer"];

export type Effect =
  | { readonly type: "send"; readonly command: LinesCommand }
  /** Carry the outcome to the agent; the only place where the value of a secret is. */
  | { readonly type: "respond"; readonly ask: Ask; readonly outcome: AskOutcome }
  | { readonly type: "audit"; readonly record: AuditRecord }
  /** Send a `clock` input then; null when nothing has a deadline. */
  | { readonly type: "wake-at"; readonly atMs: number | null };

export interface EngineStep {
  readonly state: EngineState;
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
  /** Why an intent changed nothing; null when it was accepted. */
  readonly refusal: Refusal | null;
}

/** `outcome` says what happened to an ask that was settled before. */
export type Refusal =
  | { readonly why: "late"; readonly outcome: AskOutcome }
  | { readonly why: "unknown ask" | "queue full" };

// The user's half where questions are concerned: the product's typing guard decides which ask is shown and which keys are
// for it, a real select list shows it. Checked here: nothing takes keys before it was drawn and the typing has stopped.

import { SelectList } from "@earendil-works/pi-tui";
import {
  createTypingGuard,
  type KeyUse,
  reduceTypingGuard,
  type TypingGuardInput,
} from "../../../src/session/typing-guard.js";
import { ComponentHost } from "../../../src/terminal/component-host.js";
import type { InlineScreen, ScreenClock } from "../../../src/terminal/painter/inline-screen.js";
import { Fault } from "./fault.js";
import { PLAIN_LIST } from "./plain-theme.js";

/** What keys mean to a list; letters are for the composer. */
const LIST_KEYS: Readonly<Record<string, KeyUse>> = {
  "\x1b[A": "move",
  "\x1b[B": "move",
  "\r": "send",
  "\x1b": "cancel",
  "\x03": "cancel",
};

interface Dialog {
  readonly askId: string;
  readonly host: ComponentHost;
  phase: "pending" | "active";
  /** Frames that showed it, as far as the view knows. */
  drawn: number;
}

export class AskDialogs {
  private guard = createTypingGuard();
  private readonly open = new Map<string, readonly string[]>();
  private dialog: Dialog | undefined;
  private lastTypedAtMs = Number.NEGATIVE_INFINITY;
  private count = 0;
  private isFree = false;
  private readonly screen: InlineScreen;
  private readonly clock: ScreenClock;

  constructor(screen: InlineScreen, clock: ScreenClock) {
    this.screen = screen;
    this.clock = clock;
  }

  ask(options: readonly string[]): void {
    this.count += 1;
    const askId = `ask-${this.count}`;
    this.open.set(askId, options);
    this.reduce({ type: "show", askId });
  }

  withdraw(which: "oldest" | "newest"): void {
    const ids = [...this.open.keys()];
    const askId = which === "oldest" ? ids[0] : ids.at(-1);
    if (askId !== undefined) this.close(askId);
  }

  /** "taken" keys are for the dialog; the composer must not see them. */
  key(sequence: string): "taken" | "free" {
    const atMs = this.clock.nowMs();
    this.lastTypedAtMs = atMs;
    this.isFree = false;
    const use = LIST_KEYS[sequence] ?? "other";
    this.reduce({ type: "key", key: sequence, use, draft: "empty", atMs });
    return this.isFree ? "free" : "taken";
  }

  get phase(): "none" | "pending" | "active" {
    return this.dialog?.phase ?? "none";
  }

  /** Called by the view, once per frame. */
  rowsForFrame(widthCells: number): readonly string[] {
    if (this.dialog === undefined) return [];
    this.dialog.drawn += 1;
    return this.dialog.host.frame(widthCells).rows;
  }

  /** After a tick: tells the guard what has been drawn, and the screen that the dialog is active. */
  afterTick(): void {
    const { dialog } = this;
    if (dialog === undefined || dialog.phase === "active" || dialog.drawn === 0) return;
    const atMs = this.clock.nowMs();
    this.reduce({ type: "drawn", atMs });
    if (this.screen.state.confirmPhase === "drawn") this.reduce({ type: "synced", atMs });
  }

  private takeKeys(): void {
    const quietMs = this.clock.nowMs() - this.lastTypedAtMs;
    if (quietMs < this.guard.quietMs) {
      throw new Fault("asks", `a dialog took over ${quietMs} ms after a key that was meant for the composer`);
    }
    if (this.dialog !== undefined) this.dialog.phase = "active";
    this.screen.requestFrame("soon");
  }

  private letGo(): void {
    if (this.dialog !== undefined) this.dialog.phase = "pending";
  }

  // As in the product, the screen has the last word.
  private reduce(input: TypingGuardInput): void {
    const { state, effects } = reduceTypingGuard(this.guard, input);
    const takesKeys = effects.some(({ type }) => type === "take-keys");
    if (takesKeys && this.screen.activateConfirm() === "not yet") return;
    this.guard = state;
    for (const effect of effects) {
      if (effect.type === "draw-pending") this.show(effect.askId);
      else if (effect.type === "remove") this.hide();
      else if (effect.type === "take-keys") this.takeKeys();
      else if (effect.type === "to-dialog") this.dialog?.host.key(effect.key);
      else if (effect.type === "to-composer") this.isFree = true;
      else if (effect.type === "let-go") this.letGo();
      else if (effect.type === "wake-at") {
        const look = () => this.reduce({ type: "clock", atMs: this.clock.nowMs() });
        this.clock.after(effect.atMs - this.clock.nowMs(), look);
      }
    }
  }

  private show(askId: string): void {
    const items = (this.open.get(askId) ?? []).map((label) => ({ value: label, label }));
    const list = new SelectList(items, 5, PLAIN_LIST);
    list.onSelect = () => this.close(askId);
    list.onCancel = () => this.close(askId);
    this.dialog = { askId, host: new ComponentHost(list), phase: "pending", drawn: 0 };
    this.screen.confirm("requested");
    this.screen.requestFrame("soon");
  }

  private hide(): void {
    this.dialog = undefined;
    this.screen.confirm("closed");
    this.screen.requestFrame("soon");
  }

  private close(askId: string): void {
    this.open.delete(askId);
    this.reduce({ type: "close", askId });
  }
}

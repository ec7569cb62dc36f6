// A list. Letters filter it and Enter takes the choice at the cursor; with several choices, space marks and Enter sends
// the ticked ones.
//
//   ▌ Which checks?  2 chosen  at most 3
//   ▌   [x] types
//   ▌ ❯ [ ] lint
//   ▌ space mark · enter send · esc cancel · type to filter
import { type CountRules, countProblem } from "../../session/ask-rules.js";
import type { KeyUse } from "../../session/typing-guard.js";
import {
  type Choice,
  type ChoicesKey,
  type ChoicesState,
  choiceRows,
  openChoices,
  reduceChoices,
} from "../painter/dialogs/choices.js";
import { DIALOG_ROWS_DEFAULT, type DialogFrame, dialogFrame } from "../painter/dialogs/dialog-frame.js";
import {
  ALL_KEYS,
  type DialogKeys,
  enterProblem,
  enterUse,
  listHints,
  messageWhole,
  type WholeText,
} from "../painter/dialogs/dialog-keys.js";
import type { DialogHead } from "../painter/dialogs/dialog-rows.js";
import type { Frame } from "../painter/frame.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { isCancel, keyName, typedText } from "./key-names.js";

export type ValuedChoice = Choice & { readonly value: unknown };

export interface ChoiceDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly choices: readonly ValuedChoice[];
  readonly cursor: number;
  /** Whether a default is set: the cursor begins there. */
  readonly preset?: "asked" | "none";
  /** Several may be chosen: those ticked at the start, and how many are needed. */
  readonly many?: CountRules & { readonly ticked: readonly number[] };
  readonly parts: DialogParts;
}

const LIST_ROWS_MAX = 10;
/** More than so many labels ever have. */
const LABEL_ROWS_MAX = 40;
const PAGE_ROWS = 8;

const MOVES: Readonly<Record<string, ChoicesKey>> = {
  up: { type: "move", by: -1 },
  "shift+tab": { type: "move", by: -1 },
  down: { type: "move", by: 1 },
  tab: { type: "move", by: 1 },
  pageUp: { type: "page", by: -PAGE_ROWS },
  pageDown: { type: "page", by: PAGE_ROWS },
  home: { type: "page", by: Number.NEGATIVE_INFINITY },
  end: { type: "page", by: Number.POSITIVE_INFINITY },
  backspace: { type: "backspace" },
};

export function moveOf(name: string | undefined): ChoicesKey | null {
  return MOVES[name ?? ""] ?? null;
}

export class ChoiceDialog implements AskDialog {
  private readonly options: ChoiceDialogOptions;
  private state: ChoicesState;
  private problem = "";

  constructor(options: ChoiceDialogOptions) {
    this.options = options;
    const { choices, cursor, many } = options;
    this.state = openChoices(choices, {
      typing: "filter",
      cursor,
      ...(many === undefined ? {} : { ticked: many.ticked }),
    });
  }

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): DialogFrame {
    const { head, parts } = this.options;
    const content = {
      head: { ...head, aside: [this.count(), parts.aside()].filter(Boolean).join("  ") },
      list: (width: number, rows: number) => this.list(width, Math.min(rows, LIST_ROWS_MAX)),
      ...(this.state.choices.length > LIST_ROWS_MAX ? {} : { labels: (width: number) => this.labelRows(width) }),
      problem: enterProblem(this.keys) || this.problem,
      hints: listHints(this.keys, this.hints()),
      wholeHint: this.whole() === null ? "" : "ctrl+o full view",
    };
    return dialogFrame(content, widthCells, rowsMax, parts.look);
  }

  use(sequence: string): KeyUse {
    const name = keyName(sequence);
    if (isCancel(name)) return "cancel";
    if (name === "ctrl+o" && this.whole() !== null) return "command";
    if (name === "enter") return this.options.preset === "asked" ? enterUse(this.options.parts, "filled") : "enter";
    if (name === "backspace" || name === "ctrl+u") return this.state.filter === "" ? "other" : "text";
    if (typedText(sequence) !== "") return "text";
    return moveOf(name) === null ? "other" : "move";
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence);
    if (isCancel(name)) return { type: "cancelled" };
    if (name === "ctrl+o" && this.whole() !== null) return { type: "whole" };
    if (name === "enter") return this.enter();
    const isTick = this.state.ticked !== null && name === "space";
    const text = typedText(sequence);
    const edit: ChoicesKey = name === "ctrl+u" ? { type: "clear" } : { type: "text", text };
    const key: ChoicesKey = isTick ? { type: "toggle" } : (moveOf(name) ?? edit);
    if (key.type === "text" && text === "") return null;
    this.state = reduceChoices(this.state, key).state;
    if (this.problem !== "") this.problem = this.check() ?? "";
    return null;
  }

  /** The value that Enter would choose; undefined when there is none. */
  get selected(): unknown {
    const { chosen } = reduceChoices(this.state, { type: "enter" });
    return chosen === null ? undefined : this.options.choices[chosen]?.value;
  }

  private get keys(): DialogKeys {
    return this.options.parts.keys?.() ?? ALL_KEYS;
  }

  whole(): WholeText | null {
    return messageWhole(this.options.head, this.options.parts);
  }

  private enter(): DialogOutcome {
    const { choices } = this.options;
    // Words that match nothing were not meant as an answer.
    if (this.state.filter !== "" && this.selected === undefined) return null;
    if (this.state.ticked !== null) {
      this.problem = this.check() ?? "";
      if (this.problem !== "") return null;
      const { ticked } = this.state;
      return { type: "answered", value: choices.flatMap(({ value }, index) => (ticked.has(index) ? [value] : [])) };
    }
    const { chosen } = reduceChoices(this.state, { type: "enter" });
    const choice = chosen === null ? undefined : choices[chosen];
    return choice === undefined ? null : { type: "answered", value: choice.value };
  }

  private check(): string | null {
    return countProblem(this.state.ticked?.size ?? 0, this.options.many ?? {});
  }

  private list(widthCells: number, rowsMax: number): Frame {
    const { style } = this.options.parts.look;
    const { filter } = this.state;
    const typed = filter === "" ? [] : [style.paint("dim", `/ ${filter}`)];
    const rowsLeft = Math.max(1, rowsMax - typed.length);
    return { rows: [...typed, ...choiceRows(this.state, widthCells, this.options.parts.look, rowsLeft)], cursor: null };
  }

  private labelRows(widthCells: number): number {
    const choices = this.state.choices.map((choice) => ({ ...choice, detail: "" }));
    const typedRows = this.state.filter === "" ? 0 : 1;
    return (
      typedRows + choiceRows({ ...this.state, choices }, widthCells, this.options.parts.look, LABEL_ROWS_MAX).length
    );
  }

  private count(): string {
    const { ticked } = this.state;
    if (ticked === null) return "";
    const { min = 0, max } = this.options.many ?? {};
    const limits = [min > 0 ? `at least ${min}` : "", max === undefined ? "" : `at most ${max}`].filter(Boolean);
    return [`${ticked.size} chosen`, ...limits].join("  ");
  }

  private hints(): string[] {
    if (this.state.ticked !== null) return ["space select", "enter send", "esc cancel", "type to filter"];
    const whole = this.whole() === null ? [] : ["ctrl+o full view"];
    const choose = this.keys.engaged === "none" && this.use("\r") === "enter" ? "up/down, enter" : "enter choose";
    return [choose, "esc cancel", "type to filter", ...whole];
  }
}

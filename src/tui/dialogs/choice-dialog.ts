// A list before the person. Enter takes what the cursor is on, Esc and Ctrl+C cancel.
import { type Choice, type ChoicesState, openChoices, reduceChoices } from "../../screen/dialogs/choices.js";
import { choiceRows, type DialogHead, headRows, hintRow, withBar } from "../../screen/dialogs/dialog-rows.js";
import type { Frame } from "../../screen/frame.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { keyName, typedText } from "./key-names.js";

export type ValuedChoice = Choice & { readonly value: unknown };

export interface ChoiceDialogOptions {
  readonly head: Omit<DialogHead, "aside">;
  readonly choices: readonly ValuedChoice[];
  readonly typing: ChoicesState["typing"];
  readonly cursor: number;
  readonly parts: DialogParts;
}

const BAR_CELLS = 2;

export class ChoiceDialog implements AskDialog {
  private readonly options: ChoiceDialogOptions;
  private state: ChoicesState;

  constructor(options: ChoiceDialogOptions) {
    this.options = options;
    this.state = openChoices(options.choices, { typing: options.typing, cursor: options.cursor });
  }

  frame(widthCells: number): Frame {
    const { head, parts, typing } = this.options;
    const width = Math.max(8, widthCells - BAR_CELLS);
    const { filter } = this.state;
    const typed = filter === "" ? [] : [parts.look.style.paint("dim", `/ ${filter}`)];
    const hints = typing === "filter" ? ["enter choose", "esc cancel", "type to filter"] : ["enter choose", "esc no"];
    const rows = [
      ...headRows({ ...head, aside: parts.aside() }, width, parts.look),
      ...typed,
      ...choiceRows(this.state, width, parts.look),
      hintRow(hints, width, parts.look),
    ];
    return withBar({ rows, cursor: null }, head.danger, parts.look);
  }

  key(sequence: string): DialogOutcome {
    const name = keyName(sequence);
    if (name === "escape" || name === "ctrl+c") return { type: "cancelled" };
    if (name === "up" || name === "shift+tab") return this.move(-1);
    if (name === "down" || name === "tab") return this.move(1);
    if (name === "enter") return this.take({ type: "enter" });
    if (name === "backspace") return this.take({ type: "backspace" });
    const text = typedText(sequence);
    return text === "" ? null : this.take({ type: "text", text });
  }

  private move(by: number): DialogOutcome {
    return this.take({ type: "move", by });
  }

  private take(key: Parameters<typeof reduceChoices>[1]): DialogOutcome {
    const { state, chosen } = reduceChoices(this.state, key);
    this.state = state;
    const choice = chosen === null ? undefined : this.options.choices[chosen];
    return choice === undefined ? null : { type: "answered", value: choice.value };
  }
}

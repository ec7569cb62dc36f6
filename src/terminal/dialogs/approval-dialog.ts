// Something to be approved: what it is, and a short list of answers that digits choose. The cursor waits on a "no", and Enter
// counts only after the cursor was moved; `d` opens all of it, and a "no" may go on to ask why.
//
//   ▌ edit src/parser.ts  +1 −1                          1 of 3
//   ▌ -42   return out.join(",");
//   ▌ +42   return out.join(", ");
//   ▌
//   ▌   1  allow once
//   ▌ ❯ 2  no
//   ▌   3  no, and say why…
//   ▌ 1-3 choose · d all of it · esc no · up/down, enter
import { isKeyRepeat } from "@earendil-works/pi-tui";
import type { KeyUse } from "../../session/typing-guard.js";
import type { ApprovalQuestion } from "../painter/dialogs/approval-answers.js";
import { approvalBody, approvalStat, approvalWhole, disguisesIn } from "../painter/dialogs/approval-body.js";
import { choiceRows } from "../painter/dialogs/choice-rows.js";
import { type ChoicesKey, type ChoicesState, openChoices, reduceChoices } from "../painter/dialogs/choices.js";
import { DIALOG_ROWS_DEFAULT, type DialogBody, dialogFrame } from "../painter/dialogs/dialog-frame.js";
import { ALL_KEYS, approvalHints, type DialogKeys, enterProblem, wholeHint } from "../painter/dialogs/dialog-keys.js";
import { mayWish, type WholeText } from "../painter/dialogs/dialog-outcome.js";
import { diffFingerprint } from "../painter/diff/diff-fingerprint.js";
import type { Frame } from "../painter/frame.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { moveOf } from "./choice-dialog.js";
import { isCancel, keyName, pastedText, typedText } from "./key-names.js";
import { TextDialog } from "./text-dialog.js";

const MOVING_KEYS: ReadonlySet<string> = new Set(["up", "down", "tab", "shift+tab", "pageUp", "pageDown"]);

export class ApprovalDialog implements AskDialog {
  private readonly question: ApprovalQuestion;
  private readonly parts: DialogParts;
  private readonly disguises: readonly string[];
  private state: ChoicesState;
  /** What was typed of "yes" or "no". */
  private word = "";
  private reason: { readonly dialog: TextDialog; readonly send: (reason: string) => unknown } | null = null;
  private laidOut: { readonly widthCells: number; readonly body: DialogBody } | null = null;

  constructor(question: ApprovalQuestion, parts: DialogParts) {
    this.question = question;
    this.parts = parts;
    this.disguises = disguisesIn(question.approval);
    this.state = openChoices(question.answers, { typing: "numbers", cursor: question.refusal });
  }

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): Frame {
    if (this.reason !== null) return this.reason.dialog.frame(widthCells, rowsMax);
    const { parts, danger } = this;
    const { approval } = this.question;
    const stat = approvalStat(approval).replace("−", parts.look.glyphs.minus);
    const aside = [stat, parts.aside()].filter(Boolean).join("  ");
    const keys = this.keys;
    const isLong = this.whole() !== null;
    const content = {
      head: { title: approval.title, message: "", aside, danger },
      body: (width: number) => this.body(width),
      list: (width: number, rows: number) => ({
        rows: choiceRows(this.shownState(keys), width, parts.look, rows),
        cursor: null,
      }),
      listMin: this.question.answers.length,
      problem: enterProblem(keys),
      hints: approvalHints(keys, { answers: this.question.answers.length, isLong, letters: parts.letters ?? "none" }),
      wholeHint: isLong ? wholeHint(keys) : "",
    };
    return dialogFrame(content, widthCells, rowsMax, parts.look);
  }

  use(sequence: string): KeyUse {
    if (this.reason !== null) return this.reason.dialog.use(sequence);
    const name = keyName(sequence);
    const text = typedText(sequence);
    // A paste is never a decision, whatever it begins with, and neither is a key that repeats.
    if (pastedText(sequence) !== null) return "other";
    if (MOVING_KEYS.has(name ?? "")) return "move";
    if (this.wordWith(text) !== null) return "text";
    if (isKeyRepeat(sequence)) return "other";
    if (isCancel(name)) return "cancel";
    if (name === "enter") return "enter";
    if (this.whole() !== null && name === "ctrl+o") return "command";
    const isAnswer = (this.whole() !== null && text === "d") || this.answerOf(text) !== null;
    return isAnswer ? "answer" : "other";
  }

  key(sequence: string): DialogOutcome {
    if (this.reason !== null) return this.reasonKey(sequence);
    const name = keyName(sequence);
    const text = pastedText(sequence) === null ? typedText(sequence) : "";
    if (isCancel(name)) return { type: "cancelled" };
    if (text === "d" || name === "ctrl+o") return this.whole() === null ? null : { type: "whole" };
    if (name === "enter") return this.choose(reduceChoices(this.state, { type: "enter" }).chosen);
    const move = this.ledBy(text) ?? (MOVING_KEYS.has(name ?? "") ? moveOf(name) : null);
    if (move === null && this.answerOf(text) === null) return null;
    const { state, chosen } = reduceChoices(this.state, move ?? { type: "text", text });
    this.state = state;
    return this.choose(chosen);
  }

  letGo(): void {
    this.word = "";
    this.state = openChoices(this.question.answers, { typing: "numbers", cursor: this.question.refusal });
  }

  private get keys(): DialogKeys {
    return this.parts.keys?.() ?? ALL_KEYS;
  }

  // The answer of a held key is shown as if the cursor were on it.
  private shownState({ heldKey }: DialogKeys): ChoicesState {
    const cursor = heldKey === null ? null : this.answerOf(typedText(heldKey));
    return cursor === null ? this.state : { ...this.state, cursor };
  }

  private answerOf(text: string): number | null {
    const index = /^[1-9]$/.test(text) ? Number(text) - 1 : -1;
    return index in this.question.answers ? index : null;
  }

  /** The word so far with one letter more, as long as it is on the way to "yes" or "no". */
  private wordWith(text: string): string | null {
    const word = this.word + text.toLowerCase();
    const leads = this.parts.letters === "lead" && text !== "";
    return leads && ["yes", "no"].some((answer) => answer.startsWith(word)) ? word : null;
  }

  private ledBy(text: string): ChoicesKey | null {
    const word = this.wordWith(text);
    if (word === null) return null;
    this.word = word;
    const answer = "yes".startsWith(word) ? 0 : this.question.refusal;
    return { type: "page", by: answer - this.state.cursor };
  }

  whole(): WholeText | null {
    if (!mayWish(this.parts, "whole")) return null;
    return approvalWhole(this.question.approval) ?? this.shownAbove();
  }

  private get danger(): "danger" | "normal" {
    return this.question.approval.danger === "" && this.disguises.length === 0 ? "normal" : "danger";
  }

  // The transcript has shown it already; the dialog does not repeat it, but opens it.
  private shownAbove(): WholeText | null {
    const preview = this.preview();
    if (preview === null) return null;
    const path = preview.path === null ? {} : { path: preview.path };
    return { title: this.question.approval.title, source: preview.diff, kind: "diff", ...path };
  }

  private preview(): { readonly diff: string; readonly path: string | null } | null {
    const { toolCallId } = this.question;
    return toolCallId === undefined ? null : (this.parts.previewOf?.(toolCallId) ?? null);
  }

  // A diff takes time to lay out, and nothing in it changes while the dialog is open.
  private body(widthCells: number): DialogBody {
    if (this.laidOut?.widthCells !== widthCells) {
      const { approval } = this.question;
      const isAbove = isSameDiff(this.preview()?.diff ?? "", approval.diff);
      const shown = isAbove ? { ...approval, diff: "" } : approval;
      this.laidOut = { widthCells, body: approvalBody(shown, widthCells, this.parts.look) };
    }
    return this.laidOut.body;
  }

  private choose(index: number | null): DialogOutcome {
    const answer = index === null ? undefined : this.question.answers[index];
    if (answer?.withReason === undefined) return answer?.outcome ?? null;
    const { parts, danger } = this;
    const head = { title: `${this.question.approval.title}: why not?`, message: "", danger };
    const escapeHint = "esc back";
    const dialog = new TextDialog({ head, preset: "", hint: "", secret: "no", rules: {}, escapeHint, parts });
    this.reason = { dialog, send: answer.withReason };
    return null;
  }

  private reasonKey(sequence: string): DialogOutcome {
    const outcome = this.reason?.dialog.key(sequence) ?? null;
    // Esc in the reason goes back to the answers; nothing was decided yet.
    if (outcome?.type === "cancelled") this.reason = null;
    if (outcome?.type !== "answered") return null;
    return { type: "answered", value: this.reason?.send(String(outcome.value)) };
  }
}

function isSameDiff(one: string, other: string): boolean {
  const fingerprint = other === "" ? undefined : diffFingerprint(one);
  return fingerprint !== undefined && fingerprint === diffFingerprint(other);
}

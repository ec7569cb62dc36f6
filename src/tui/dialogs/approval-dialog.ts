// Something to be approved: what it is, and a short list of answers that digits choose. The cursor waits on a "no", so that
// nobody approves by pressing Enter once too often; `d` opens all of it, and a "no" may go on to ask why.
//
//   ▌ edit src/parser.ts  +1 −1                          1 of 3
//   ▌ -42   return out.join(",");
//   ▌ +42   return out.join(", ");
//   ▌
//   ▌   1  allow once
//   ▌ ❯ 2  no
//   ▌   3  no, and say why…
//   ▌ enter choose · d all of it · esc no
import type { ApprovalQuestion } from "../../screen/dialogs/approval-answers.js";
import { approvalBody, approvalStat, approvalWhole, disguisesIn } from "../../screen/dialogs/approval-body.js";
import { choiceRows } from "../../screen/dialogs/choice-rows.js";
import { type ChoicesKey, type ChoicesState, openChoices, reduceChoices } from "../../screen/dialogs/choices.js";
import { DIALOG_ROWS_DEFAULT, type DialogBody, dialogFrame } from "../../screen/dialogs/dialog-frame.js";
import type { WholeText } from "../../screen/dialogs/dialog-outcome.js";
import { diffFingerprint } from "../../screen/diff/diff-fingerprint.js";
import type { Frame } from "../../screen/frame.js";
import { type AskDialog, type DialogOutcome, type DialogParts, mayWish } from "./ask-dialog.js";
import { moveOf } from "./choice-dialog.js";
import { isCancel, keyName, pastedText, typedText } from "./key-names.js";
import { TextDialog } from "./text-dialog.js";

export class ApprovalDialog implements AskDialog {
  private readonly question: ApprovalQuestion;
  private readonly parts: DialogParts;
  private readonly disguises: readonly string[];
  private state: ChoicesState;
  /** The letters since the last key that was none. */
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
    const whole = this.whole() === null ? [] : ["d all of it"];
    const content = {
      head: { title: approval.title, message: "", aside, danger },
      body: (width: number) => this.body(width),
      list: (width: number, rows: number) => ({
        rows: choiceRows(this.state, width, parts.look, rows),
        cursor: null,
      }),
      listMin: this.question.answers.length,
      problem: "",
      hints: ["enter choose", ...whole, "esc no", ...(parts.letters === "lead" ? ["y/n"] : [])],
      wholeHint: whole.join(""),
    };
    return dialogFrame(content, widthCells, rowsMax, parts.look);
  }

  key(sequence: string): DialogOutcome {
    if (this.reason !== null) return this.reasonKey(sequence);
    const name = keyName(sequence);
    if (isCancel(name)) return { type: "cancelled" };
    if (name === "d") return this.whole() === null ? null : { type: "whole" };
    if (name === "enter") return this.choose(reduceChoices(this.state, { type: "enter" }).chosen);
    // A paste is never a decision, whatever it begins with.
    const text = pastedText(sequence) === null ? typedText(sequence) : "";
    const move = this.ledBy(text) ?? moveOf(name);
    if (move === null && text === "") return null;
    const { state, chosen } = reduceChoices(this.state, move ?? { type: "text", text });
    this.state = state;
    return this.choose(chosen);
  }

  // Any other word leads back to the "no": whoever types a sentence has not seen the question.
  private ledBy(text: string): ChoicesKey | null {
    if (this.parts.letters !== "lead") return null;
    this.word = /^[a-z]$/i.test(text) ? this.word + text.toLowerCase() : "";
    if (this.word === "") return null;
    const answer = "yes".startsWith(this.word) ? 0 : this.question.refusal;
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

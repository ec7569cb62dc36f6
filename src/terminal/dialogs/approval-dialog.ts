// An approval: what it is about, and a short list of answers, each with its letter. The cursor starts on a "no", and Enter
// counts only after the cursor moved; `d` opens everything, and a "no" may ask for a reason.
//
//   ▌ edit src/parser.ts  +1 −1                          1 of 3
//   ▌ -42   return out.join(",");
//   ▌ +42   return out.join(", ");
//   ▌
//   ▌   y  allow once
//   ▌ ❯ n  no
//   ▌   r  no, with a reason
//   ▌ d full view · esc no, twice stop · up/down, enter
import { isKeyRepeat } from "@earendil-works/pi-tui";
import { disguisesIn, inFolder } from "../../session/approval.js";
import type { ApprovalQuestion } from "../../session/approval-answers.js";
import type { KeyUse } from "../../session/typing-guard.js";
import { approvalBody, approvalStat, approvalWhole } from "../painter/dialogs/approval-body.js";
import {
  type ChoicesKey,
  type ChoicesState,
  choiceRows,
  openChoices,
  reduceChoices,
} from "../painter/dialogs/choices.js";
import {
  DIALOG_ROWS_DEFAULT,
  type DialogBody,
  type DialogFrame,
  dialogFrame,
} from "../painter/dialogs/dialog-frame.js";
import {
  ALL_KEYS,
  approvalHints,
  canFulfil,
  type DialogKeys,
  enterProblem,
  type WholeText,
  wholeHint,
} from "../painter/dialogs/dialog-keys.js";
import { fitted } from "../painter/dialogs/dialog-rows.js";
import type { AskDialog, DialogOutcome, DialogParts } from "./ask-dialog.js";
import { moveOf } from "./choice-dialog.js";
import { isCancel, keyName, pastedText, typedText } from "./key-names.js";
import { TextDialog } from "./text-dialog.js";

const REASON_QUEUED = 'The agent gets "no"; the reason is queued as your next message.';
const TOO_SMALL = "too small to answer: enlarge the window, or esc no";
const MOVING_KEYS: ReadonlySet<string> = new Set(["up", "down", "tab", "shift+tab", "pageUp", "pageDown"]);

export class ApprovalDialog implements AskDialog {
  private readonly question: ApprovalQuestion;
  private readonly parts: DialogParts;
  private readonly disguises: readonly string[];
  private state: ChoicesState;
  /** The letters of "yes" or "no" typed so far. */
  private word = "";
  private reason: { readonly dialog: TextDialog; readonly send: (reason: string) => unknown } | null = null;
  /** Whether the window has a row for what would be approved; without one there are no answers. */
  private subject: "shown" | "hidden" = "shown";
  private laidOut: { readonly widthCells: number; readonly body: DialogBody } | null = null;

  constructor(question: ApprovalQuestion, parts: DialogParts) {
    this.question = { ...question, approval: inFolder(question.approval, parts.folder ?? "") };
    this.parts = parts;
    this.disguises = disguisesIn(question.approval);
    this.state = openChoices(question.answers, { typing: "keys", cursor: question.refusal });
  }

  frame(widthCells: number, rowsMax: number = DIALOG_ROWS_DEFAULT): DialogFrame {
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
      labels: (width: number) => choiceRows(this.labels, width, parts.look, rowsMax).length,
      problem: enterProblem(keys),
      hints: approvalHints(keys, { isLong, letters: this.letters, stop: this.stop }),
      wholeHint: isLong ? wholeHint(keys) : "",
    };
    const frame = dialogFrame(content, widthCells, rowsMax, parts.look);
    this.subject = frame.subject ?? "shown";
    if (this.subject === "shown") return frame;
    // What cannot be seen cannot be approved.
    const list = (width: number) => ({ rows: [fitted(TOO_SMALL, width, parts.look.glyphs)], cursor: null });
    return dialogFrame({ ...content, body: () => ({ rows: [], beyond: 0 }), list }, widthCells, rowsMax, parts.look);
  }

  get shows(): string {
    return this.subject === "hidden" ? "nothing" : "all";
  }

  use(sequence: string): KeyUse {
    if (this.reason !== null) return this.reason.dialog.use(sequence);
    const name = keyName(sequence);
    const text = typedText(sequence);
    // Neither a paste nor a repeating key is a decision.
    if (pastedText(sequence) !== null) return "other";
    if (this.subject === "hidden" && !isCancel(name) && name !== "ctrl+o") return "other";
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
    if (this.subject === "hidden" && name !== "ctrl+o") return null;
    if (text === "d" || name === "ctrl+o") return this.whole() === null ? null : { type: "whole" };
    if (name === "enter") return this.choose(reduceChoices(this.state, { type: "enter" }).chosen);
    const move = this.ledBy(text) ?? (MOVING_KEYS.has(name ?? "") ? this.stepOf(name) : null);
    if (move === null && this.answerOf(text) === null) return null;
    const { state, chosen } = reduceChoices(this.state, move ?? { type: "text", text });
    this.state = state;
    return this.choose(chosen);
  }

  // The list does not wrap: one step down from "no" must not end on "allow".
  private stepOf(name: string | undefined): ChoicesKey | null {
    const move = moveOf(name);
    return move?.type === "move" ? { type: "page", by: move.by } : move;
  }

  letGo(): void {
    this.word = "";
    this.state = openChoices(this.question.answers, { typing: "keys", cursor: this.question.refusal });
  }

  private get keys(): DialogKeys {
    return this.parts.keys?.() ?? ALL_KEYS;
  }

  // While a key is held, the cursor is drawn on its answer.
  private shownState({ heldKey }: DialogKeys): ChoicesState {
    const cursor = heldKey === null ? null : this.answerOf(typedText(heldKey));
    return cursor === null ? this.state : { ...this.state, cursor };
  }

  private get labels(): ChoicesState {
    return { ...this.state, choices: this.question.answers.map((answer) => ({ ...answer, detail: "" })) };
  }

  private get stop(): "twice" | "none" {
    return this.parts.conversation === "running" && this.question.subject === "effect" ? "twice" : "none";
  }

  /** What has an effect or is dangerous takes its letter alone, or a move, in every view. */
  private get letters(): "lead" | "none" {
    const isHarmless = this.question.subject === "answer" && this.danger === "normal";
    return isHarmless ? (this.parts.letters ?? "none") : "none";
  }

  private answerOf(text: string): number | null {
    const index = text === "" ? -1 : this.question.answers.findIndex(({ key }) => key === text);
    return index < 0 ? null : index;
  }

  /** The word with one more letter, if it still leads to "yes" or "no". */
  private wordWith(text: string): string | null {
    const word = this.word + text.toLowerCase();
    const leads = this.letters === "lead" && text !== "";
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
    if (!canFulfil(this.parts, "whole")) return null;
    return approvalWhole(this.question.approval);
  }

  private get danger(): "danger" | "normal" {
    return this.question.approval.danger === "" && this.disguises.length === 0 ? "normal" : "danger";
  }

  // Cached: laying out a diff takes time.
  private body(widthCells: number): DialogBody {
    if (this.laidOut?.widthCells !== widthCells) {
      const { look, rich } = this.parts;
      this.laidOut = { widthCells, body: approvalBody(this.question.approval, widthCells, look, rich) };
    }
    return this.laidOut.body;
  }

  private choose(index: number | null): DialogOutcome {
    const answer = index === null ? undefined : this.question.answers[index];
    if (answer?.withReason === undefined) return answer?.outcome ?? null;
    const { parts, danger } = this;
    const message = answer.reason === "as next prompt" ? REASON_QUEUED : "";
    const head = { title: `${this.question.approval.title}: why not?`, message, danger };
    const escapeHint = "esc back";
    const dialog = new TextDialog({ head, preset: "", hint: "", secret: "no", rules: {}, escapeHint, parts });
    this.reason = { dialog, send: answer.withReason };
    return null;
  }

  private reasonKey(sequence: string): DialogOutcome {
    const outcome = this.reason?.dialog.key(sequence) ?? null;
    if (outcome?.type === "cancelled") this.reason = null;
    if (outcome?.type !== "answered") return null;
    return { type: "answered", value: this.reason?.send(String(outcome.value)) };
  }
}

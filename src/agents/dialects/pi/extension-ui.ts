// Requests of pi's extensions. Four kinds block the extension until they are answered; the others only show something. A
// request of an unknown kind is cancelled, so that the extension does not wait for ever.
import type { Ask } from "../../../contract/asks.js";
import { whatIsWrong } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import { isYes, type PendingAsks } from "../pending-asks.js";
import type { Happening, StepBuilder } from "../step-builder.js";
import { inputDetails } from "../tool-inputs.js";
import { type PiFrame, type PiUi, piUiSchemas } from "./pi-frames.js";

type Method = keyof typeof piUiSchemas;

/** A dialog, or what is shown. */
type Shown = { readonly ask: Ask["question"] } | { readonly tell: Happening };

const dialogs: ReadonlySet<string> = new Set(["select", "confirm", "input", "editor"]);

// Each for the params that fit the schema of its method.
const shownAs: { readonly [Known in Method]: (params: PiUi<Known>) => Shown } = {
  select: ({ title, options }) => {
    const choices = options.map((option) => ({ label: option, value: option }));
    return { ask: { kind: "select", params: { ...headOf(title), options: choices } } };
  },
  confirm: (params) => {
    const { title, message } = headOf(params.title);
    const words = [message, params.message].filter(Boolean).join("\n");
    const details = inputDetails(params, CONFIRM_FIELDS);
    const opts = details.length === 0 ? undefined : { details };
    return { ask: { kind: "confirm", params: { title, ...filled({ message: words, opts }) } } };
  },
  input: ({ title, placeholder }) => ({
    ask: { kind: "input", params: { ...headOf(title), ...present({ placeholder }) } },
  }),
  editor: ({ title, prefill }) => ({ ask: { kind: "editor", params: { ...headOf(title), ...present({ prefill }) } } }),
  notify: ({ message, notifyType = "" }) => {
    const level = notifyType === "error" ? "error" : notifyType.startsWith("warn") ? "warn" : "info";
    return { tell: { type: "notice.shown", level, message } };
  },
  setStatus: ({ statusKey: key, statusText: text = null }) => ({ tell: { type: "status.changed", key, text } }),
  setWidget: ({ widgetKey: key, widgetLines: lines = null, widgetPlacement }) => {
    const placement = widgetPlacement === "belowEditor" ? "below" : "above";
    return { tell: { type: "widget.changed", key, lines, placement } };
  },
  setTitle: ({ title }) => ({ tell: { type: "title.changed", title } }),
  set_editor_text: ({ text }) => ({ tell: { type: "editor-text.changed", text } }),
};

/** Fields that the dialog shows; others become details. */
const CONFIRM_FIELDS = ["type", "id", "method", "title", "message", "timeout"];

// Extensions put paragraphs into the title: its first line is the title, the rest the message.
function headOf(words: string): { title: string; message?: string } {
  const [title = "", ...rest] = words.split("\n");
  return { title: title.trim(), ...filled({ message: rest.join("\n").replace(/^\n+|\s+$/g, "") }) };
}

export class ExtensionUi {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;

  constructor(out: StepBuilder, asks: PendingAsks) {
    this.out = out;
    this.asks = asks;
  }

  take(frame: PiFrame<"extension_ui_request">, nowMs: number): void {
    const { id, method } = frame;
    const isKnown = Object.hasOwn(piUiSchemas, method);
    const parsed = isKnown ? piUiSchemas[method as Method].safeParse(frame) : null;
    if (parsed === null) this.out.unknown("extension request", method, frame);
    else if (!parsed.success) {
      this.out.tell({ type: "fault.reported", fault: whatIsWrong(method, parsed.error, frame) });
    } else {
      const shown = shownAs[method as Method](parsed.data as never);
      const { timeout } = parsed.data as Partial<PiUi<"select">>;
      if ("tell" in shown) this.out.tell(shown.tell);
      else this.ask(id, shown.ask, timeout === undefined ? null : nowMs + timeout);
      return;
    }
    if (!isKnown || dialogs.has(method)) this.cancel(id);
  }

  private ask(id: string, question: Ask["question"], deadlineMs: number | null): void {
    this.asks.raise({ id, origin: { kind: "agent" }, question, deadlineMs }, (answer) => {
      const value = answer.kind === "answered" ? answer.value : null;
      const response = { type: "extension_ui_response", id };
      if (question.kind === "confirm" && value !== null) this.out.send({ ...response, confirmed: isYes(value) });
      else if (typeof value === "string") this.out.send({ ...response, value });
      else this.cancel(id);
    });
  }

  private cancel(id: string): void {
    this.out.send({ type: "extension_ui_response", id, cancelled: true });
  }
}

// Requests of pi's extensions. Four kinds block the extension until they are answered; the others only show something. A
// request of an unknown kind is cancelled, so that the extension does not wait for ever.
import type { Ask } from "../../../contract/asks.js";
import { whatIsWrong } from "../frames/schema-fault.js";
import { type AskReply, isYes, type PendingAsks } from "../pending-asks.js";
import type { Happening, StepBuilder } from "../step-builder.js";
import { inputDetails } from "../tool-inputs.js";
import { type PiFrame, type PiUi, piUiSchemas } from "./pi-frames.js";

type Method = keyof typeof piUiSchemas;
type DialogMethod = "select" | "confirm" | "input" | "editor";

export class ExtensionUi {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;

  constructor(out: StepBuilder, asks: PendingAsks) {
    this.out = out;
    this.asks = asks;
  }

  take(frame: PiFrame<"extension_ui_request">, nowMs: number): void {
    const { id, method } = frame;
    if (!isKnown(method)) {
      this.out.unknown("extension request", method, frame);
      this.cancel(id);
    } else this.takeKnown(method, frame, nowMs);
  }

  private takeKnown(method: Method, frame: PiFrame<"extension_ui_request">, nowMs: number): void {
    const parsed = piUiSchemas[method].safeParse(frame);
    if (!parsed.success) {
      this.out.tell({ type: "fault.reported", fault: whatIsWrong(method, parsed.error, frame) });
      if (isDialog(method)) this.cancel(frame.id);
    } else if (isDialog(method)) {
      const params = parsed.data as PiUi<DialogMethod>;
      const question = questionOf(method, params);
      const deadlineMs = params.timeout === undefined ? null : nowMs + params.timeout;
      this.asks.raise({ id: frame.id, origin: { kind: "agent" }, question, deadlineMs }, (answer) =>
        this.reply(frame.id, method, answer),
      );
    } else this.out.tell(shownOf(method, parsed.data));
  }

  private reply(id: string, method: DialogMethod, answer: AskReply): void {
    const value = answer.kind === "answered" ? answer.value : null;
    const response = { type: "extension_ui_response", id };
    if (method === "confirm" && value !== null) {
      this.out.send({ ...response, confirmed: isYes(value) });
    } else if (typeof value === "string") this.out.send({ ...response, value });
    else this.cancel(id);
  }

  private cancel(id: string): void {
    this.out.send({ type: "extension_ui_response", id, cancelled: true });
  }
}

function isKnown(method: string): method is Method {
  return Object.hasOwn(piUiSchemas, method);
}

function isDialog(method: Method): method is DialogMethod {
  return method === "select" || method === "confirm" || method === "input" || method === "editor";
}

// Params fit the schema of their method.
function questionOf(method: DialogMethod, params: PiUi<DialogMethod>): Ask["question"] {
  const { title, message } = headOf(params.title);
  switch (method) {
    case "select": {
      const { options } = params as PiUi<"select">;
      return {
        kind: "select",
        params: { title, ...message, options: options.map((option) => ({ label: option, value: option })) },
      };
    }
    case "confirm": {
      const words = [message.message, (params as PiUi<"confirm">).message].filter(Boolean).join("\n");
      const details = inputDetails(params, CONFIRM_FIELDS);
      return {
        kind: "confirm",
        params: {
          title,
          ...(words === "" ? {} : { message: words }),
          ...(details.length === 0 ? {} : { opts: { details } }),
        },
      };
    }
    case "input": {
      const { placeholder } = params as PiUi<"input">;
      return { kind: "input", params: { title, ...message, ...(placeholder === undefined ? {} : { placeholder }) } };
    }
    case "editor": {
      const { prefill } = params as PiUi<"editor">;
      return { kind: "editor", params: { title, ...message, ...(prefill === undefined ? {} : { prefill }) } };
    }
  }
}

/** Fields that the dialog shows; others become details. */
const CONFIRM_FIELDS = ["type", "id", "method", "title", "message", "timeout"];

// Extensions put paragraphs into the title: its first line is the title, the rest the message.
function headOf(words: string): { title: string; message: { message?: string } } {
  const [title = "", ...rest] = words.split("\n");
  const message = rest.join("\n").replace(/^\n+|\s+$/g, "");
  return { title: title.trim(), message: message === "" ? {} : { message } };
}

function shownOf(method: Exclude<Method, DialogMethod>, params: unknown): Happening {
  switch (method) {
    case "notify": {
      const { message, notifyType } = params as PiUi<"notify">;
      const level = notifyType === "error" ? "error" : notifyType?.startsWith("warn") === true ? "warn" : "info";
      return { type: "notice.shown", level, message };
    }
    case "setStatus": {
      const { statusKey, statusText } = params as PiUi<"setStatus">;
      return { type: "status.changed", key: statusKey, text: statusText ?? null };
    }
    case "setWidget": {
      const { widgetKey, widgetLines, widgetPlacement } = params as PiUi<"setWidget">;
      const placement = widgetPlacement === "belowEditor" ? "below" : "above";
      return { type: "widget.changed", key: widgetKey, lines: widgetLines ?? null, placement };
    }
    case "setTitle":
      return { type: "title.changed", title: (params as PiUi<"setTitle">).title };
    case "set_editor_text":
      return { type: "editor-text.changed", text: (params as PiUi<"set_editor_text">).text };
  }
}

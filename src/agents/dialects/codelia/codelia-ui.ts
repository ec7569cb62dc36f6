// Questions of codelia's runtime: confirm, prompt, pick. The tool of a confirmation is announced just before it, and the ask
// carries its name.

import type { Ask } from "../../../contract/asks.js";
import { wireErrorCodes } from "../../../contract/errors.js";
import { isRecord } from "../../../contract/json-value.js";
import type { JsonObject } from "../frames/json-frame.js";
import { whatIsWrong } from "../frames/schema-fault.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import { type AskReply, askIdOf, type PendingAsks } from "../pending-asks.js";
import type { StepBuilder } from "../step-builder.js";
import { inputDetails } from "../tool-inputs.js";
import { type CodeliaUi, codeliaUiSchemas } from "./codelia-frames.js";

type Method = keyof typeof codeliaUiSchemas;
export type AnnouncedTool = {
  readonly tool: string;
  readonly toolCallId: string | undefined;
  /** The arguments, if known; they may change until the question comes. */
  args?(): JsonObject;
  /** Other calls that the question may be about. */
  readonly beside?: readonly { name: string; value: string }[];
};

export class CodeliaQuestions {
  private readonly out: StepBuilder;
  private readonly asks: PendingAsks;
  /** The call that waits, for a confirmation that was not announced. */
  private readonly waiting: () => AnnouncedTool | null;
  /** The next confirmation is about this tool. */
  announced: AnnouncedTool | null = null;

  constructor(out: StepBuilder, asks: PendingAsks, waiting: () => AnnouncedTool | null) {
    this.out = out;
    this.asks = asks;
    this.waiting = waiting;
  }

  take(request: AgentRequest): void {
    const { id, method, params } = request;
    if (!isKnown(method)) {
      this.out.unknown("request", method, { id, method, params });
      request.refuse(wireErrorCodes.unknownType, `Palaver does not know ${method.slice(0, 80)}`);
      return;
    }
    const parsed = codeliaUiSchemas[method].safeParse(params);
    if (!parsed.success) {
      const fault = whatIsWrong(method, parsed.error, { id, method, params });
      this.out.tell({ type: "fault.reported", fault });
      request.refuse(wireErrorCodes.invalidField, fault.message);
      return;
    }
    if (method === "ui.confirm.request") this.announced ??= this.waiting();
    const question = this.questionOf(method, parsed.data);
    const origin = this.announced === null ? ({ kind: "agent" } as const) : toolOrigin(this.announced);
    this.announced = null;
    this.asks.raise({ id: askIdOf(id), origin, question, deadlineMs: null }, (answer) =>
      request.answer(resultOf(method, answer)),
    );
  }

  // Params fit the schema of their method.
  private questionOf(method: Method, params: CodeliaUi<Method>): Ask["question"] {
    const { title } = params;
    const message = params.message === undefined ? {} : { message: params.message };
    switch (method) {
      case "ui.confirm.request":
        return { kind: "confirm", params: { title, ...message, opts: this.confirmOpts(params) } };
      case "ui.prompt.request": {
        const { default_value, multiline, secret } = params as CodeliaUi<"ui.prompt.request">;
        if (multiline === true && secret !== true) {
          return { kind: "editor", params: { title, ...message, prefill: default_value ?? "" } };
        }
        const preset = default_value === undefined ? {} : { default: default_value };
        return { kind: "input", params: { title, ...message, opts: { secret: secret === true, ...preset } } };
      }
      case "ui.pick.request": {
        const { items, multi } = params as CodeliaUi<"ui.pick.request">;
        const options = items.map((item) => ({ value: item.id, label: item.label, description: item.detail ?? null }));
        return { kind: "select", params: { title, ...message, options, opts: { multi: multi === true } } };
      }
    }
  }

  private confirmOpts(params: CodeliaUi<"ui.confirm.request">): JsonObject {
    const { confirm_label, cancel_label, danger_level, allow_remember, allow_reason } = params;
    const { tool, toolCallId: tool_call_id } = this.announced ?? {};
    const args = this.announced?.args?.() ?? {};
    const file = ["file_path", "path"].find((name) => typeof args[name] === "string") ?? "";
    const details = [
      ...inputDetails(args, ["command", file]),
      ...inputDetails(params, KNOWN_PARAMS),
      ...(this.announced?.beside ?? []),
    ];
    const opts = {
      ...{ confirm_label, cancel_label, danger_level, allow_remember, allow_reason, tool, tool_call_id },
      command: typeof args.command === "string" ? args.command : undefined,
      path: args[file],
      details: details.length === 0 ? undefined : details,
    };
    return Object.fromEntries(Object.entries(opts).filter(([, value]) => value !== undefined));
  }
}

/** Fields that the dialog shows; others become details. */
const KNOWN_PARAMS = [
  ...["run_id", "title", "message", "confirm_label", "cancel_label", "danger_level"],
  ...["allow_remember", "allow_reason"],
];

function isKnown(method: string): method is Method {
  return Object.hasOwn(codeliaUiSchemas, method);
}

function toolOrigin({ tool }: AnnouncedTool) {
  return { kind: "tool" as const, name: tool };
}

/** Without an answer: no, an empty text or an empty list. The runtime has no other way to say it. */
function resultOf(method: Method, answer: AskReply): JsonObject {
  const value = answer.kind === "answered" ? answer.value : null;
  switch (method) {
    case "ui.confirm.request": {
      const { ok, remember, reason } = isRecord(value) ? value : { ok: value };
      return {
        ok: ok === true,
        ...(ok === true && remember === true ? { remember } : {}),
        ...(typeof reason === "string" && reason !== "" ? { reason } : {}),
      };
    }
    case "ui.prompt.request":
      return { value: typeof value === "string" ? value : null };
    case "ui.pick.request":
      return { ids: Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [] };
  }
}

// Questions of codelia's runtime: confirm, prompt, pick. The tool of a confirmation is announced just before it, and the ask
// carries its name.

import type { Ask } from "../../../contract/asks.js";
import { isRecord } from "../../../contract/json-value.js";
import { takeRequest } from "../frame-table.js";
import type { JsonObject } from "../frames/json-frame.js";
import { filled, present } from "../frames/lenient-field.js";
import type { AgentRequest } from "../json-rpc-peer.js";
import { askIdOf, type PendingAsks } from "../pending-asks.js";
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

  // Without an answer: no, an empty text or an empty list. The runtime has no other way to say it.
  private readonly takers: { readonly [M in Method]: (request: AgentRequest, params: CodeliaUi<M>) => void } = {
    "ui.confirm.request": (request, params) => {
      this.announced ??= this.waiting();
      const question = { kind: "confirm" as const, params: { ...headOf(params), opts: this.confirmOpts(params) } };
      this.ask(request, question, (value) => {
        const { ok, remember, reason } = isRecord(value) ? value : { ok: value };
        const given = filled({ remember: remember === true && ok === true ? true : null, reason: wordOf(reason) });
        return { ok: ok === true, ...given };
      });
    },
    "ui.prompt.request": (request, params) => {
      const { default_value, multiline, secret = false } = params;
      const head = headOf(params);
      const opts = { secret, ...present({ default: default_value }) };
      const isLong = multiline === true && !secret;
      const line = { kind: "input" as const, params: { ...head, opts } };
      const text = { kind: "editor" as const, params: { ...head, prefill: default_value ?? "" } };
      this.ask(request, isLong ? text : line, (value) => ({ value: wordOf(value) }));
    },
    "ui.pick.request": (request, params) => {
      const options = params.items.map(({ id, label, detail = null }) => ({ value: id, label, description: detail }));
      const opts = { multiple: params.multi === true };
      this.ask(request, { kind: "select", params: { ...headOf(params), options, opts } }, (value) => ({
        ids: Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [],
      }));
    },
  };

  constructor(out: StepBuilder, asks: PendingAsks, waiting: () => AnnouncedTool | null) {
    this.out = out;
    this.asks = asks;
    this.waiting = waiting;
  }

  take(request: AgentRequest): void {
    takeRequest(codeliaUiSchemas, this.takers, this.out, request);
  }

  private ask(request: AgentRequest, question: Ask["question"], result: (value: unknown) => JsonObject): void {
    const { announced } = this;
    const origin = announced === null ? { kind: "agent" as const } : { kind: "tool" as const, name: announced.tool };
    this.announced = null;
    this.asks.raise({ id: askIdOf(request.id), origin, question, deadlineMs: null }, (answer) =>
      request.answer(result(answer.kind === "answered" ? answer.value : null)),
    );
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
    return present({
      ...{ confirm_label, cancel_label, danger_level, allow_remember, allow_reason, tool, tool_call_id },
      command: wordOf(args.command) ?? undefined,
      path: args[file],
      details: details.length === 0 ? undefined : details,
    });
  }
}

/** Fields that the dialog shows; others become details. */
const KNOWN_PARAMS = [
  ...["run_id", "title", "message", "confirm_label", "cancel_label", "danger_level"],
  ...["allow_remember", "allow_reason"],
];

function headOf({ title, message }: { readonly title: string; readonly message?: string | undefined }) {
  return present({ title, message });
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

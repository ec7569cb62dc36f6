// A script that only asks: questions as bare objects, and plain text besides. Its whole run is one prompt; only answers can be
// sent to it.

import type { Ask } from "../../../contract/asks.js";
import { notifyLevelOf } from "../../../contract/notices.js";
import { choiceOfAnswer } from "../../../contract/permission-call.js";
import { plainWord } from "../../../contract/plain-word.js";
import {
  type RpcNotification,
  type RpcRequest,
  rpcNotificationSchemas,
  rpcRequestSchemas,
} from "../../../contract/rpc.js";
import type { Dialect, Wire } from "../dialect.js";
import { DialectBase, type PlainCommand } from "../dialect-base.js";
import { type JsonObject, whatIsWrong } from "../frames/json-frame.js";
import { type CommandHandlers, handleCommand } from "../front-end-commands.js";
import { askIdOf } from "../pending-asks.js";
import type { Happening } from "../step-builder.js";
import { wireQuestion } from "../wire-question.js";
import { readRpcNotification, readRpcRequest } from "./rpc-codec.js";

const requestMethods: ReadonlySet<unknown> = new Set(rpcRequestSchemas.map(({ shape }) => shape.method.value));
const noticeMethods: ReadonlySet<unknown> = new Set(rpcNotificationSchemas.map(({ shape }) => shape.method.value));

export function createBareRpcDialect(): Dialect {
  return new BareRpcDialect();
}

export const wire: Wire = { create: createBareRpcDialect, args: (given) => given };

class BareRpcDialect extends DialectBase {
  private isRunning = false;
  private readonly commands: CommandHandlers = {
    abort: () => this.asks.giveUp("turn_ended"),
    prompt: () => {
      const message = "this agent takes no prompts: it works by itself and only asks";
      this.out.tell({ type: "command.failed", message });
    },
  };

  protected start(): void {
    this.isRunning = true;
    this.out.tell({ type: "agent.readied", ui: true, protocolVersion: "rpc" }, { type: "prompt.started" });
  }

  protected obey(command: PlainCommand): void {
    handleCommand(this.out, this.commands, command, { name: "this agent", capabilities: {}, settings: [] });
  }

  // The exit code says whether the run went well.
  protected override end(code: number | null): void {
    if (this.isRunning) this.out.tell({ type: "prompt.finished", ...(code === 0 ? {} : { isCutOff: true as const }) });
    this.isRunning = false;
  }

  protected readFrame(frame: JsonObject): void {
    const hasId = typeof frame.id === "string" || typeof frame.id === "number";
    if (typeof frame.method !== "string") this.out.fault("invalidFrame", "neither a question nor a notice", frame);
    else if (!hasId) this.readNotice(frame);
    else if (requestMethods.has(frame.method)) this.readRequest(frame);
    else {
      this.out.unknown("question", frame.method, frame);
      this.out.send({ id: frame.id, error: `unknown method: ${frame.method.slice(0, 80)}` });
    }
  }

  private readRequest(frame: JsonObject): void {
    const parsed = readRpcRequest(frame);
    if (!parsed.success) {
      const fault = whatIsWrong(plainWord(frame.method), parsed.error, frame);
      this.out.tell({ type: "fault.reported", fault });
      this.out.send({ id: frame.id, error: fault.message });
      return;
    }
    const request = parsed.data;
    this.asks.raise(askOf(request, this.nowMs), (answer) => {
      const own = request.method === "permission" ? choiceOfAnswer : (value: unknown) => value;
      if (answer.kind === "answered") this.out.send({ id: request.id, result: own(answer.value) });
      else this.out.send({ id: request.id, error: answer.reason });
    });
  }

  private readNotice(frame: JsonObject): void {
    if (!noticeMethods.has(frame.method)) {
      this.out.unknown("notice", plainWord(frame.method), frame);
      return;
    }
    const parsed = readRpcNotification(frame);
    if (!parsed.success) {
      this.out.tell({ type: "fault.reported", fault: whatIsWrong(plainWord(frame.method), parsed.error, frame) });
    } else if (parsed.data.method === "cancel") {
      this.asks.withdraw(askIdOf(parsed.data.params.id), "agent_cancelled");
    } else this.out.tell(happeningOf(parsed.data));
  }
}

function askOf(request: RpcRequest, nowMs: number): Omit<Ask, "sessionId" | "turnId"> {
  const { id, timeout_ms } = request;
  return {
    id: askIdOf(id),
    origin: { kind: "agent" },
    question: wireQuestion(request),
    deadlineMs: timeout_ms === undefined ? null : nowMs + timeout_ms,
  };
}

function happeningOf(notice: Exclude<RpcNotification, { method: "cancel" }>): Happening {
  switch (notice.method) {
    case "notify":
      return { type: "notice.shown", level: notifyLevelOf(notice.params.level), message: notice.params.message };
    case "set_status":
      return { type: "status.changed", key: notice.params.key, text: notice.params.text };
    case "set_widget": {
      const { key, content, opts } = notice.params;
      const lines = typeof content === "string" ? content.split("\n") : content;
      return { type: "widget.changed", key, lines, placement: opts?.placement ?? "above" };
    }
    case "set_working_message":
      return { type: "working.changed", message: notice.params.message };
    case "set_title":
      return { type: "title.changed", title: notice.params.title };
    case "set_editor_text":
      return { type: "editor-text.changed", text: notice.params.text };
  }
}

// Dispatches frames and requests by type: each type has a schema and a handler. Unknown types are reported once, invalid frames
// each time; an unknown or invalid request is refused as well.
import { wireErrorCodes } from "../../contract/errors.js";
import type { SchemaError } from "../../contract/schema-problem.js";
import { whatIsWrong } from "./frames/json-frame.js";
import type { AgentRequest } from "./json-rpc-peer.js";
import type { StepBuilder } from "./step-builder.js";

type Schema = {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: SchemaError };
};

export type FrameTable = {
  /** Names the frame in faults. */
  readonly noun: string;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly takers: Readonly<Record<string, (frame: never) => void>>;
};

/** `source` is quoted in faults, if the frame is only a part of it. */
export function takeByType(table: FrameTable, out: StepBuilder, type: string, frame: object, source = frame): void {
  const schema = Object.hasOwn(table.schemas, type) ? table.schemas[type] : undefined;
  const parsed = schema?.safeParse(frame);
  if (parsed === undefined) out.unknown(table.noun, type, source);
  // Both tables have the same keys.
  else if (parsed.success) table.takers[type]?.(parsed.data as never);
  else out.tell({ type: "fault.reported", fault: whatIsWrong(type, parsed.error, frame) });
}

export function takeRequest(
  schemas: Readonly<Record<string, Schema>>,
  takers: Readonly<Record<string, (request: AgentRequest, params: never) => void>>,
  out: StepBuilder,
  request: AgentRequest,
): void {
  const { id, method, params } = request;
  const source = { id, method, params };
  const parsed = Object.hasOwn(schemas, method) ? schemas[method]?.safeParse(params) : undefined;
  if (parsed === undefined) {
    out.unknown("request", method, source);
    request.refuse(wireErrorCodes.unknownType, `Palaver does not support ${method.slice(0, 80)}`);
  } else if (parsed.success) takers[method]?.(request, parsed.data as never);
  else {
    const fault = whatIsWrong(method, parsed.error, source);
    out.tell({ type: "fault.reported", fault });
    request.refuse(wireErrorCodes.invalidField, fault.message);
  }
}

// Frames of many types, each with its schema and the function that takes what the schema accepts. Types without a schema are
// reported once; a frame that does not fit its schema is reported each time.
import type { SchemaError } from "../../contract/schema-problem.js";
import { whatIsWrong } from "./frames/schema-fault.js";
import type { StepBuilder } from "./step-builder.js";

type Schema = {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: SchemaError };
};

export type FrameTable = {
  /** What a frame of an unknown type is called. */
  readonly noun: string;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly takers: Readonly<Record<string, (frame: never) => void>>;
};

/** `source` is what a fault quotes, where that is more than the part that the schema checks. */
export function takeByType(table: FrameTable, out: StepBuilder, type: string, frame: object, source = frame): void {
  const schema = Object.hasOwn(table.schemas, type) ? table.schemas[type] : undefined;
  const parsed = schema?.safeParse(frame);
  if (parsed === undefined) out.unknown(table.noun, type, source);
  // Both tables have the same keys, so that what the schema accepts is what the function takes.
  else if (parsed.success) table.takers[type]?.(parsed.data as never);
  else out.tell({ type: "fault.reported", fault: whatIsWrong(type, parsed.error, frame) });
}

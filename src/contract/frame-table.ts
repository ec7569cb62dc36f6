// The frames of one direction of a wire, by the word in `type`: what a reader looks up to check a frame.
import type * as z from "zod";
import { compileGuard, type Guard } from "./guard.js";
import type { SchemaError } from "./schema-problem.js";

export type FrameChecker<Frame> = {
  /** The frame, or what is wrong with it. */
  check(object: Record<string, unknown>): { frame: Frame } | { error: SchemaError };
};

export type FrameTable<Frame> = ReadonlyMap<string, FrameChecker<Frame>>;

export function frameTable<Frame>(entries: readonly (readonly [type: string, schema: z.ZodType])[]): FrameTable<Frame> {
  return new Map(entries.map(([type, schema]) => [type, checkerOf<Frame>(schema)]));
}

// Most programs see few kinds of frames, so that each is compiled when the first one comes.
function checkerOf<Frame>(schema: z.ZodType): FrameChecker<Frame> {
  let guard: Guard | null = null;
  return {
    check(object) {
      guard ??= compileGuard(schema);
      if (guard(object)) return { frame: object as Frame };
      const parsed = schema.safeParse(object);
      return parsed.success ? { frame: parsed.data as Frame } : { error: parsed.error };
    },
  };
}

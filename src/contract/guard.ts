// Recognises good frames fast. A schema explains what is wrong with a value, and copies what is right; on the path of
// every token neither is wanted. So each schema is compiled, once, into a function that only says yes or no, and only
// a no goes to the schema itself for the words. What this compiler does not know it leaves to the schema.

import type * as z from "zod";
import { isRecord } from "./json-value.js";

export type Guard = (value: unknown) => boolean;

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];

export function compileGuard(schema: Schema): Guard {
  const def = schema._zod.def as Def;
  if ((def.checks?.length ?? 0) > 0) return bySchema(schema);
  switch (def.type) {
    case "unknown":
      return () => true;
    case "string":
    case "boolean":
      return (value) => typeof value === def.type;
    case "number":
      return (value) => Number.isFinite(value);
    case "null":
      return (value) => value === null;
    case "literal":
    case "enum":
      return among(schema._zod.values ?? new Set());
    case "optional":
      return unless(undefined, compileGuard(def.innerType));
    case "nullable":
      return unless(null, compileGuard(def.innerType));
    case "array":
      return listOf(compileGuard(def.element));
    case "tuple":
      return def.rest === null ? bySchema(schema) : startingWith(def.items.map(compileGuard));
    case "union":
      return "discriminator" in def
        ? byWord(def as z.core.$ZodDiscriminatedUnionDef)
        : anyOf(def.options.map(compileGuard));
    case "object":
      return isLoose(def) ? withFields(def.shape) : bySchema(schema);
    default:
      return bySchema(schema);
  }
}

function bySchema(schema: Schema): Guard {
  return (value) => (schema as z.ZodType).safeParse(value).success;
}

function among(values: ReadonlySet<unknown>): Guard {
  const [only] = values;
  return values.size === 1 ? (value) => value === only : (value) => values.has(value);
}

function unless(absent: null | undefined, guard: Guard): Guard {
  return (value) => value === absent || guard(value);
}

function listOf(guard: Guard): Guard {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!guard(item)) return false;
    return true;
  };
}

function startingWith(guards: readonly Guard[]): Guard {
  return (value) => {
    if (!Array.isArray(value) || value.length < guards.length) return false;
    for (let index = 0; index < guards.length; index += 1) if (guards[index]?.(value[index]) !== true) return false;
    return true;
  };
}

function anyOf(guards: readonly Guard[]): Guard {
  return (value) => {
    for (const guard of guards) if (guard(value)) return true;
    return false;
  };
}

function byWord({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef): Guard {
  const guards = new Map<unknown, Guard>();
  for (const option of options) {
    const guard = compileGuard(option);
    for (const word of option._zod.propValues?.[discriminator] ?? []) guards.set(word, guard);
  }
  return (value) => isRecord(value) && guards.get(value[discriminator])?.(value) === true;
}

function withFields(shape: Readonly<Record<string, Schema>>): Guard {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, guard: compileGuard(schema) }));
  return (value) => {
    if (!isRecord(value)) return false;
    for (const { name, guard } of fields) if (!guard(value[name])) return false;
    return true;
  };
}

// Only an object that lets other fields through may be judged by its known ones alone.
function isLoose(def: z.core.$ZodObjectDef): boolean {
  return def.catchall?._zod.def.type === "unknown";
}

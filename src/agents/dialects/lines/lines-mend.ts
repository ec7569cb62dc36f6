// Repairs common mistakes of agents on the lines wire: numbers for strings, strings for options, events without an envelope.
// Only invalid frames come here. `palaver conform` does not repair: the published schema is the rule.

import { agentEventTypes } from "../../../contract/agent-events.js";
import { agentCommandsSchema } from "../../../contract/capabilities.js";
import { isRecord } from "../../../contract/json-value.js";
import { linesOutputTable } from "../../../contract/lines-outputs.js";
import { namedEvent, reasonText } from "../../../contract/lines-version-1.js";
import { usageSchema } from "../../../contract/messages.js";
import { nearestName } from "../../../contract/nearest-name.js";
import { protocolVersions } from "../../../contract/protocol-versions.js";
import type { JsonObject } from "../frames/json-frame.js";
import { askIdOf } from "../pending-asks.js";

/** The frame that was probably meant; it may still be invalid. */
export function mendedOutput(object: JsonObject): JsonObject {
  const frame = withIds(object);
  switch (frame.type) {
    case "ready":
    case "initialized": {
      const { commands, ...rest } = frame;
      const fitting = agentCommandsSchema.safeParse(commands);
      const protocol_version = textOf(frame.protocol_version) ?? protocolVersions[0];
      return { ...rest, protocol_version, ...(fitting.success ? { commands: fitting.data } : {}) };
    }
    case "event":
      return { ...frame, ...sequenceOf(frame), event: mendedEvent(frame) };
    case "ui_request":
      return { ...frame, ...timeoutOf(frame), params: mendedParams(frame.params) };
    default:
      return isFlatEvent(frame) ? mendedOutput({ ...frame, type: "event", event: frame.type }) : frame;
  }
}

/** Converts an answer back where options had numbers as values. */
export function answerInOwnValues({ method, params }: JsonObject, result: unknown): unknown {
  if (!isRecord(params)) return result;
  if (method === "select") return ownValues(params.options, result);
  if (method !== "form" || !Array.isArray(params.fields) || !isRecord(result)) return result;
  const own = { ...result };
  for (const field of params.fields) {
    const name = isRecord(field) ? textOf(field.name) : null;
    if (name !== null && Object.hasOwn(own, name)) own[name] = ownValues(field.options, own[name]);
  }
  return own;
}

/** The known type that was probably meant; null for a really new one. */
export function meantType(frame: JsonObject): string | null {
  const event = eventTypeIn(frame);
  if (event !== null) return nearestType(event, agentEventTypes);
  return nearestType(textOf(frame.type) ?? "", [...linesOutputTable.keys(), ...agentEventTypes]);
}

/** Whether the first frame of an agent was probably meant as its greeting. */
export function isNearlyReady({ type, protocol_version: version }: JsonObject): boolean {
  if (type === undefined) return version !== undefined;
  return typeof type === "string" && type !== "ready" && nearestName(type, ["ready"], 2) !== null;
}

// Newer agents have new types: short words must match except for case, long ones almost.
function nearestType(type: string, known: Iterable<string>): string | null {
  return nearestName(type, known, type.length < 5 ? 0 : type.length < 8 ? 1 : 2);
}

/** The type of the event in a frame, with or without an envelope. */
export function eventTypeIn(frame: JsonObject): string | null {
  const { type, event } = frame;
  if (type !== "event") return isFlatEvent(frame) ? textOf(type) : null;
  return isRecord(event) ? textOf(event.type) : textOf(event);
}

// A bare `error` is a frame, not an event.
function isFlatEvent({ type }: JsonObject): boolean {
  return typeof type === "string" && type !== "error" && agentEventTypes.has(type);
}

function withIds(object: JsonObject): JsonObject {
  const frame = { ...object };
  for (const key of ["session_id", "active_session_id", "primary_session_id"]) {
    if (typeof frame[key] === "number") frame[key] = String(frame[key]);
  }
  if (typeof frame.id === "number") frame.id = askIdOf(frame.id);
  return frame;
}

function sequenceOf({ event_seq }: JsonObject): JsonObject {
  return event_seq === undefined || typeof event_seq === "number" ? {} : { event_seq: undefined };
}

// The fields may stand beside the event, and a list of one may have come without the list.
function mendedEvent({ event, session_id: _session, event_seq: _seq, ...beside }: JsonObject): JsonObject {
  const { data = beside.data, ...fields } = isRecord(event) ? event : { ...beside, type: event };
  const list = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data];
  const { tool_call_id, usage, ...others } = namedEvent({ ...fields, data: list });
  return {
    ...others,
    ...(others.type === "error" ? { message: reasonText(others.message) } : {}),
    ...(tool_call_id === undefined ? {} : { tool_call_id: textOf(tool_call_id) }),
    // An agent that counts wrongly still ends its turn.
    ...(usageSchema.safeParse(usage).success ? { usage } : {}),
  };
}

function timeoutOf({ timeout_ms }: JsonObject): JsonObject {
  const ms = typeof timeout_ms === "string" && timeout_ms.trim() !== "" ? Number(timeout_ms) : Number.NaN;
  return Number.isFinite(ms) ? { timeout_ms: ms } : timeout_ms === null ? { timeout_ms: undefined } : {};
}

function mendedParams(params: unknown): unknown {
  if (!isRecord(params)) return params;
  const { options, fields, opts } = params;
  return {
    ...params,
    ...(Array.isArray(options) ? { options: options.map(mendedOption) } : {}),
    ...(Array.isArray(fields) ? { fields: fields.map(mendedField) } : {}),
    ...(isRecord(opts) && typeof opts.default === "number" ? { opts: { ...opts, default: String(opts.default) } } : {}),
  };
}

function mendedField(field: unknown): unknown {
  if (!isRecord(field) || !Array.isArray(field.options)) return field;
  return { ...field, options: field.options.map(mendedOption) };
}

function mendedOption(option: unknown): unknown {
  if (!isRecord(option)) return { label: textOf(option), value: textOf(option) };
  const value = textOf(option.value) ?? textOf(option.label);
  return { ...option, value, label: textOf(option.label) ?? value };
}

function ownValues(options: unknown, result: unknown): unknown {
  if (!Array.isArray(options)) return result;
  const own = new Map<unknown, unknown>();
  for (const option of options) {
    const value = isRecord(option) ? (option.value ?? option.label) : option;
    if (typeof value !== "string") own.set(textOf(value), value);
  }
  const back = (word: unknown) => (own.has(word) ? own.get(word) : word);
  return Array.isArray(result) ? result.map(back) : back(result);
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

// Version 1 of the lines wire, in the words of version 2. It had the fields of an event in a list, and other names for two
// options. Frames of both versions become the same frames here, and frames for a front end of version 1 are made here.
import type { AgentEvent, AgentEventType } from "./agent-events.js";
import { isRecord } from "./json-value.js";

type Fields = Record<string, unknown>;

/** The fields of each event in the order of version 1; "..." has all the fields that are left, in an object. */
const positions: Readonly<Record<AgentEventType, readonly string[]>> = {
  agent_start: [],
  agent_end: ["messages", "..."],
  turn_start: [],
  turn_end: ["message", "tool_results"],
  message_start: ["message"],
  message_update: ["message"],
  message_delta: ["index", "kind", "delta"],
  message_end: ["message"],
  tool_execution_start: ["tool_call_id", "tool", "arguments"],
  tool_execution_update: ["tool_call_id", "tool", "arguments", "output"],
  tool_execution_end: ["tool_call_id", "tool", "output", "is_error"],
  "permission.preview": ["..."],
  "permission.ready": ["..."],
  error: ["message"],
};

function positionsOf(type: unknown): readonly string[] | null {
  return typeof type === "string" && Object.hasOwn(positions, type) ? positions[type as AgentEventType] : null;
}

/** Whether an event has its fields in a list. An event without fields looks the same in both versions. */
export function isVersion1Event(event: unknown): event is Fields & { data: readonly unknown[] } {
  return isRecord(event) && Array.isArray(event["data"]);
}

/** An event of either version with named fields; of an unknown type, as it is. */
export function namedEvent(event: Fields): Fields {
  const names = isVersion1Event(event) ? positionsOf(event["type"]) : null;
  if (names === null) return event;
  const { type, data, ...others } = event as Fields & { data: readonly unknown[] };
  const fields = names.slice(0, data.length).map((name, place): Fields => {
    const value = data[place];
    if (name === "...") return isRecord(value) ? value : {};
    return { [name]: type === "error" ? reasonText(value) : value };
  });
  return Object.assign({}, others, ...fields, { type }) as Fields;
}

/** What a field is called in an event of version 1: `data[3]`. */
export function version1Path(type: unknown, field: string): string {
  const names = positionsOf(type) ?? [];
  const place = names.indexOf(field);
  return place >= 0 ? `data[${place}]` : `data[${names.indexOf("...")}].${field}`;
}

/** A frame as a front end of version 1 reads it. */
export function inVersion1<Frame extends { readonly type: string }>(frame: Frame): Frame {
  const fields: Fields = frame;
  if (frame.type === "event") return { ...frame, event: listedEvent(fields["event"] as AgentEvent) };
  if (frame.type === "ui_notify") return { ...frame, params: renamed(fields["params"], "level", "notify_type") };
  if (frame.type !== "ui_request" || !isRecord(fields["params"])) return frame;
  const opts = renamed(fields["params"]["opts"], "multiple", "multi");
  return { ...frame, params: { ...fields["params"], opts } };
}

/** The params of a question in the names of version 2. Those of version 1 are still read. */
export function currentQuestion(params: unknown): unknown {
  if (!isRecord(params)) return params;
  const opts = renamed(params["opts"], "multi", "multiple");
  return opts === params["opts"] ? params : { ...params, opts };
}

/** The same for a notice. */
export function currentNotice(params: unknown): unknown {
  return renamed(renamed(params, "notify_type", "level"), "type", "level");
}

function listedEvent({ type, ...fields }: AgentEvent): Fields {
  const names = positions[type];
  if (names.length === 0) return { type };
  const left: Fields = { ...fields };
  const data = names.map((name) => {
    const value = left[name];
    delete left[name];
    return value ?? null;
  });
  if (names.at(-1) !== "...") return { type, data };
  const listed = data.slice(0, -1);
  return { type, data: Object.keys(left).length === 0 ? listed : [...listed, left] };
}

function renamed(options: unknown, from: string, to: string): unknown {
  if (!isRecord(options) || options[from] === undefined || options[to] !== undefined) return options;
  const { [from]: value, ...others } = options;
  return { ...others, [to]: value };
}

/** Version 1 let the reason of an error be anything. */
export function reasonText(reason: unknown): string {
  const message = isRecord(reason) ? reason["message"] : reason;
  if (typeof message === "string") return message;
  return JSON.stringify(reason) ?? "no reason given";
}

// The lines wire: bytes ⇄ frames, in both directions. An invalid frame becomes a fault that names the field or the unknown
// type; decoding continues.

import { agentEventTypes } from "../../../contract/agent-events.js";
import type { Fault } from "../../../contract/errors.js";
import type { FrameTable } from "../../../contract/frame-table.js";
import { type LinesCommand, linesCommandTable } from "../../../contract/lines-commands.js";
import { type LinesOutput, linesOutputTable } from "../../../contract/lines-outputs.js";
import {
  currentNotice,
  currentQuestion,
  inVersion1,
  isVersion1Event,
  namedEvent,
  version1Path,
} from "../../../contract/lines-version-1.js";
import { plainWord } from "../../../contract/plain-word.js";
import { PROTOCOL_VERSION, type ProtocolVersion } from "../../../contract/protocol-versions.js";
import type { SchemaError } from "../../../contract/schema-problem.js";
import { createFrameDecoder, type Decoded, type FrameDecoder } from "../frames/frame-decoder.js";
import { faultOf, type JsonObject, whatIsWrong, writeLine } from "../frames/json-frame.js";

/** What an agent reads. */
export function createCommandDecoder(frameBytesMax?: number): FrameDecoder<LinesCommand> {
  return createFrameDecoder((object) => decodeBy(linesCommandTable, "command", object), frameBytesMax);
}

export function encodeCommand(command: LinesCommand): string {
  return writeLine(command);
}

export function encodeOutput(output: LinesOutput, version: ProtocolVersion = PROTOCOL_VERSION): string {
  return writeLine(version === "1" ? inVersion1(output) : output);
}

/** Frames of every version become frames of the newest. */
export function decodeOutput(object: JsonObject): Decoded<LinesOutput> {
  const { type, event } = object;
  if (type === "ui_request" || type === "ui_notify") {
    const params = type === "ui_notify" ? currentNotice(object.params) : currentQuestion(object.params);
    return decodeBy(linesOutputTable, "frame", params === object.params ? object : { ...object, params });
  }
  if (type !== "event" || !isVersion1Event(event)) return decodeBy(linesOutputTable, "frame", object);
  const decoded = decodeBy(linesOutputTable, "frame", { ...object, event: namedEvent(event) });
  return decoded.kind === "fault" ? { kind: "fault", fault: inListWords(decoded.fault, event, object) } : decoded;
}

// The author of the agent knows its fields by their place.
function inListWords(fault: Fault, { type }: JsonObject, frame: JsonObject): Fault {
  const message = fault.message.replace(
    /: event\.(\w+)/,
    (_whole, field: string) => `: event.${version1Path(type, field)}`,
  );
  return faultOf(fault.name, message, writeLine(frame));
}

function decodeBy<Frame>(table: FrameTable<Frame>, noun: string, object: JsonObject): Decoded<Frame> {
  const checker = table.get(object.type as string);
  if (checker === undefined) return { kind: "fault", fault: unknownType(noun, object, object) };
  const checked = checker.check(object);
  if ("frame" in checked) return { kind: "frame", frame: checked.frame };
  return { kind: "fault", fault: wrongFrame(object, checked.error) };
}

function wrongFrame(frame: JsonObject, error: SchemaError): Fault {
  const { type, event } = frame;
  if (type !== "event" || typeof event !== "object" || event === null)
    return whatIsWrong(plainWord(type), error, frame);
  const inner = event as JsonObject;
  if (!agentEventTypes.has(inner.type as string)) return unknownType("event", inner, frame);
  return whatIsWrong(`event ${plainWord(inner.type)}`, error, frame);
}

function unknownType(noun: string, { type }: JsonObject, frame: JsonObject): Fault {
  if (typeof type !== "string")
    return faultOf("invalidFrame", `a ${noun} without "type", which must be a string`, writeLine(frame));
  return faultOf("unknownType", `unknown ${noun}: ${type.slice(0, 80)}`, writeLine(frame));
}

// The rules that hold on every wire, whichever dialect it speaks, and the few that tell the lines and rpc wires apart.
import { table } from "./table.js";

export const wires = table("design", {
  "wires.split-on-newline-byte":
    "A stream of bytes is split at 0x0A and decoded afterwards, so every chunking gives the same frames.",
  "wires.crlf": "A carriage return before the newline does not belong to the frame.",
  "wires.last-line-without-newline": "A last line that the stream ends without a newline is still a frame.",
  "wires.unicode-line-separators": "U+2028 and U+2029 inside a string do not end a frame.",
  "wires.invalid-utf8":
    "Bytes that are not UTF-8 cost the characters they stand for and no more: a frame keeps the rest, a line of noise is a fault, and what follows arrives.",
  "wires.frame-size-limit":
    "A frame over the size limit, 32 MiB unless set otherwise, is reported once and skipped, and the stream goes on.",
  "wires.malformed-is-a-fault": "A malformed frame is reported with what is wrong and the stream goes on.",
  "wires.deep-nesting": "A frame nested ten thousand levels deep is a fault like any other and crashes nothing.",
  "wires.unknown-type-is-a-fault": "A frame of unknown type becomes a fault that can be seen, never a crash.",
  "wires.misspelt-type-is-refused":
    "A type that is almost a known one is refused, and the known one is named; one that is really new is only unknown.",
  "wires.unknown-fields-tolerated": "Fields that nobody knows are no reason to refuse a frame.",
  "wires.strict-sender": "Every frame Palaver sends fits its published schema.",
  "wires.event-data-optional": "An event without data is understood as one without arguments.",
  "wires.struct-tag-ignored": "No decision depends on a __struct__ tag.",
  "wires.warn-is-warning": "The levels warn and warning are one level.",
  "wires.close-settles-all": "Closing a wire settles every promise that waits on it.",
  "wires.bounded-queues": "Every queue and buffer has a named maximum, and reaching it is reported.",
  "wires.mistakes-mended":
    "On the lines wire a frame whose meaning is clear is understood, although it does not fit the schema.",
  "wires.refusal-is-answered":
    "A question that does not fit is answered at once with an error, and an end of a turn that does not fit ends the turn.",
  "wires.failed-start-ends":
    "An agent that is not ready within 30 s, or whose ready frame does not fit, is ended, and the cause is told.",
  "wires.closed-pipe-ends":
    "An agent that closes its standard output, or its standard input before we write, and lives on is told of and ended.",
  "wires.half-frame-is-a-fault": "A frame that is begun and not continued for 5 s is reported with its beginning.",
  "wires.repeated-event":
    "An event that is sent twice under one number is shown once, and an event of unknown type is told once and not missed.",
  "wires.protocol-version-in-ready": "The ready frame carries the protocol version.",
  "wires.capabilities-negotiated":
    "Capabilities are exchanged by initialize and initialized, and a feature one side lacks is not used.",
  "wires.structured-preflight":
    "With preflight events agreed on, a permission is previewed and announced by structured events alone.",
  "wires.legacy-preflight": "Without that agreement the legacy texts are sent, and only then are they parsed.",
  "wires.ui-cancel": "A question the agent withdraws is announced by ui_cancel with its id and the reason.",
  "wires.lines-error-wins":
    "On the lines wire a response with an error that is not null is a failure, whatever else it holds.",
  "wires.lines-null-result": "On the lines wire a null result without an error key is an invalid response.",
  "wires.rpc-result-wins": "On the rpc wire a response that has a result is a success, even beside an error.",
  "wires.published-schemas": "The published JSON Schemas are exactly what the contract declares.",
  "wires.conform-judges":
    "The conformance command passes an agent that keeps the protocol and names each rule that another breaks.",
});

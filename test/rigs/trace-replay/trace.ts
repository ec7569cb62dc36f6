// A recorded conversation between a front end and an agent: one JSON object a line, with the moment, the direction and the
// frame. What the recorder could not read is kept as raw text. Lines that are no record are passed over.
export type TraceEntry = {
  readonly from: "agent" | "client";
  readonly frame: Readonly<Record<string, unknown>> | null;
  /** What was written when it was no frame. */
  readonly raw: string;
};

export function readTrace(text: string): TraceEntry[] {
  return text.split("\n").flatMap((line): TraceEntry[] => {
    const record = parsed(line);
    const from = record["dir"] === "agent→client" ? "agent" : record["dir"] === "client→agent" ? "client" : null;
    if (from === null) return [];
    const { msg, raw } = record;
    const isFrame = typeof msg === "object" && msg !== null && !Array.isArray(msg);
    const frame = isFrame ? (msg as Record<string, unknown>) : null;
    return [{ from, frame, raw: typeof raw === "string" ? raw : JSON.stringify(msg ?? null) }];
  });
}

export type TraceProtocol = "acp" | "claude" | "pi" | "codelia" | "codex" | "lines" | "rpc";

/** Which protocol was recorded, told by whatever either side said; null when it is none of these. */
export function protocolOf(entries: readonly TraceEntry[]): TraceProtocol | null {
  for (const { from, frame } of entries) {
    const protocol = frame === null ? null : protocolIn(from, frame);
    if (protocol !== null) return protocol;
  }
  return null;
}

const piCommands: ReadonlySet<unknown> = new Set(["steer", "get_state", "get_commands", "extension_ui_response"]);
const claudeTypes: ReadonlySet<unknown> = new Set(["control_request", "control_response", "stream_event", "result"]);
const linesTypes: ReadonlySet<unknown> = new Set([
  "ready",
  "initialized",
  "ui_request",
  "ui_notify",
  "session_started",
]);
const rpcMethods: ReadonlySet<unknown> = new Set(["select", "confirm", "input", "editor", "form", "notify"]);

function protocolIn(from: TraceEntry["from"], frame: Readonly<Record<string, unknown>>): TraceProtocol | null {
  const { type, jsonrpc, method } = frame;
  if (jsonrpc === "2.0") return jsonRpcProtocol(frame);
  if (claudeTypes.has(type) || (type === "system" && "subtype" in frame)) return "claude";
  if (type === "user" && "message" in frame) return "claude";
  if (from === "client" && (piCommands.has(type) || (type === "prompt" && "message" in frame))) return "pi";
  if (from === "agent" && type === "response" && "success" in frame) return "pi";
  if (from === "agent" && linesTypes.has(type)) return "lines";
  return type === undefined && rpcMethods.has(method) ? "rpc" : null;
}

function jsonRpcProtocol({ method, params, result }: Readonly<Record<string, unknown>>): TraceProtocol | null {
  const given = { ...(params as object | undefined), ...(result as object | undefined) };
  if ("protocolVersion" in given || /^session\/\w+$/.test(String(method))) return "acp";
  const isCodelia = "protocol_version" in given || /^(?:run\.|agent\.event$)/.test(String(method));
  if (isCodelia) return "codelia";
  return "clientInfo" in given || /^(?:thread|turn)\//.test(String(method)) ? "codex" : null;
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

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

/** Whether the conversation is one of the Agent Client Protocol. */
export function isAcpTrace(entries: readonly TraceEntry[]): boolean {
  const greeting = entries.find(({ from, frame }) => from === "client" && frame?.["method"] === "initialize");
  const params = (greeting?.frame?.["params"] ?? {}) as Record<string, unknown>;
  return greeting?.frame?.["jsonrpc"] === "2.0" && "protocolVersion" in params && "clientCapabilities" in params;
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

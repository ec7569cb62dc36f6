// The client side of a recording, as far as it has to be played again: what it answered to each request of the agent, and
// which command of ours stands for each request of its own.
import type { LinesCommand } from "../../../src/contract/lines-commands.js";
import type { TraceEntry } from "./trace.js";

type Fields = Readonly<Record<string, unknown>>;

/** Its answers by the id of the agent's request. */
export function recordedAnswers(entries: readonly TraceEntry[]): Map<string, Fields> {
  const answers = new Map<string, Fields>();
  for (const { from, frame } of entries) {
    if (from === "client" && frame !== null && !("method" in frame)) answers.set(JSON.stringify(frame["id"]), frame);
  }
  return answers;
}

/** The session that the recording goes on with instead of opening one. */
export function resumedSession(entries: readonly TraceEntry[]): string | undefined {
  const first = entries.find(({ from, frame }) => from === "client" && /^session\//.test(String(frame?.["method"])));
  const method = first?.frame?.["method"];
  return method === "session/load" || method === "session/resume"
    ? String(paramsOf(first?.frame)["sessionId"])
    : undefined;
}

/** What a front end would have said to bring this request about; null when the machine says it by itself. */
export function commandFor(frame: Fields): LinesCommand | null {
  const params = paramsOf(frame);
  const sessionId = String(params["sessionId"]);
  switch (frame["method"]) {
    case "session/prompt":
      return { type: "prompt", text: promptText(params["prompt"]), session_id: sessionId };
    case "session/cancel":
      return { type: "abort", session_id: sessionId };
    case "session/new":
      return { type: "start_session", ...(typeof params["cwd"] === "string" ? { cwd: params["cwd"] } : {}) };
    case "session/load":
    case "session/resume":
      return { type: "start_session", session_file: sessionId };
    case "session/list":
      return { type: "list_sessions" };
    case "session/close":
      return { type: "close_session", session_id: sessionId };
    case "session/set_mode":
      return { type: "set_config", key: "mode", value: params["modeId"] };
    case "session/set_model":
      return { type: "set_config", key: "model", value: params["modelId"] };
    case "session/set_config_option":
      return { type: "set_config", key: String(params["configId"]), value: params["value"] };
    default:
      return null;
  }
}

export function paramsOf(frame: Fields | null | undefined): Fields {
  const params = frame?.["params"];
  return typeof params === "object" && params !== null ? (params as Fields) : {};
}

// An @ would send the machine looking for files that the recording does not have.
function promptText(blocks: unknown): string {
  const texts = Array.isArray(blocks)
    ? blocks.map((block: Fields | null | undefined) => String(block?.["text"] ?? ""))
    : [];
  return texts.join("\n").replaceAll("@", "＠");
}

// `report_status`, by which an agent reports on its work or asks, and `notify`. `report_status` is the oldest way to ask: its
// text is empty when the person cancelled, and the data beside it tells the two apart.
import * as z from "zod";
import type { Ask } from "../../contract/asks.js";
import { notifyLevelOf, notifyLevelSchema } from "../../contract/notices.js";
import type { AgentNotice, StatusReport } from "./mcp-ports.js";
import { defineTool, type McpTool, type SettledAsk, type ToolAnswer, unanswered } from "./mcp-tool.js";

const input = z.object({
  status: z
    .enum(["needs_input", "completed", "error"])
    .describe("needs_input asks the person and waits for the answer; the others only tell."),
  prompt: z.string().optional().describe("With needs_input: the question for the person."),
  message: z.string().optional().describe("What was done or what went wrong, or more words about the question."),
});

const output = z.object({
  status: z.enum(["needs_input", "completed", "error"]),
  response: z.string().optional().describe("With needs_input: what the person typed; empty when they cancelled."),
  outcome: z.enum(["answered", "cancelled"]).optional(),
  ask_id: z.string().optional(),
});

const NO_QUESTION = "The agent needs your input";

export function statusTool(onStatus: (report: StatusReport) => void): McpTool {
  return defineTool({
    name: "report_status",
    title: "Report status",
    description:
      "Tell the person how the work stands: needs_input when you cannot go on without an answer (the person is asked, and " +
      "you get what they typed), completed when the task is done, error when it failed.",
    input,
    output,
    hints: { reads: "may-change", world: "open" },
    async run({ status, prompt, message }, call) {
      const words = { ...(prompt === undefined ? {} : { prompt }), ...(message === undefined ? {} : { message }) };
      onStatus({ status, ...words, client: call.client });
      if (status === "needs_input") return responseOf(await call.ask(questionOf(prompt, message)));
      return { text: `Status '${status}' reported successfully`, structured: { status } };
    },
  });
}

// The first line is the question, the rest explains it.
function questionOf(prompt: string | undefined, message: string | undefined): Ask["question"] {
  const [title = "", ...rest] = (prompt ?? message ?? "").trim().split("\n");
  const more = [...rest, ...(prompt !== undefined && message !== undefined ? [message] : [])].join("\n").trim();
  const params = { title: title.trim() || NO_QUESTION, ...(more === "" ? {} : { message: more }) };
  return { kind: "input", params };
}

function responseOf({ id, outcome }: SettledAsk): ToolAnswer {
  if (outcome.kind !== "answered" && outcome.kind !== "cancelled") return unanswered(outcome);
  const response = outcome.kind === "answered" ? String(outcome.value ?? "") : "";
  const aside = outcome.kind === "cancelled" ? "\n(The person closed the question without answering.)" : "";
  return {
    text: `User response: ${response}${aside}`,
    structured: { status: "needs_input", response, outcome: outcome.kind, ask_id: id },
  };
}

export function notifyTool(onNotice: (notice: AgentNotice) => void): McpTool {
  return defineTool({
    name: "notify",
    title: "Tell the person something",
    description: "Shows the person a short notice and returns at once. It needs no answer.",
    input: z.object({ message: z.string().min(1), level: notifyLevelSchema.optional().describe("info when left out") }),
    output: z.object({ shown: z.literal(true) }),
    hints: { reads: "may-change", world: "open" },
    run({ message, level }, { client }) {
      onNotice({ level: notifyLevelOf(level), message, client });
      return { text: "The person was told.", structured: { shown: true } };
    },
  });
}

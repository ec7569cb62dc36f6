// `report_status`: what an agent says about its own work, and the oldest way to ask the person. Agents that were told about it
// expect one text back, empty when the person cancelled; the data beside it keeps the two apart for those who look.
import * as z from "zod";
import type { Ask } from "../../contract/asks.js";
import type { StatusReport } from "./mcp-ports.js";
import { defineTool, type McpTool, type SettledAsk, type ToolAnswer } from "./mcp-tool.js";
import { nobodyAnswered } from "./settled-words.js";

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

// The first line asks; what follows it explains.
function questionOf(prompt: string | undefined, message: string | undefined): Ask["question"] {
  const [title = "", ...rest] = (prompt ?? message ?? "").trim().split("\n");
  const more = [...rest, ...(prompt !== undefined && message !== undefined ? [message] : [])].join("\n").trim();
  const params = { title: title.trim() || NO_QUESTION, ...(more === "" ? {} : { message: more }) };
  return { kind: "input", params };
}

function responseOf({ id, outcome }: SettledAsk): ToolAnswer {
  if (outcome.kind !== "answered" && outcome.kind !== "cancelled") return nobodyAnswered(outcome);
  const response = outcome.kind === "answered" ? String(outcome.value ?? "") : "";
  const aside = outcome.kind === "cancelled" ? "\n(The person closed the question without answering.)" : "";
  return {
    text: `User response: ${response}${aside}`,
    structured: { status: "needs_input", response, outcome: outcome.kind, ask_id: id },
  };
}

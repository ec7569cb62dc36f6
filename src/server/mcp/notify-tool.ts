// `notify`: a line for the person that waits for nothing.
import * as z from "zod";
import { notifyLevelOf, notifyLevelSchema } from "../../contract/notices.js";
import type { AgentNotice } from "./mcp-ports.js";
import { defineTool, type McpTool } from "./mcp-tool.js";

export function notifyTool(onNotice: (notice: AgentNotice) => void): McpTool {
  return defineTool({
    name: "notify",
    title: "Tell the person something",
    description: "Shows the person a short notice and returns at once. Nobody has to answer it.",
    input: z.object({ message: z.string().min(1), level: notifyLevelSchema.optional().describe("info when left out") }),
    output: z.object({ shown: z.literal(true) }),
    hints: { reads: "may-change", world: "open" },
    run({ message, level }, { client }) {
      onNotice({ level: notifyLevelOf(level), message, client });
      return { text: "The person was told.", structured: { shown: true } };
    },
  });
}

// What a model may read and do in a daemon: state, actions and log.
import * as z from "zod";
import { actionResultSchema, logEntrySchema, stateSchema } from "../../contract/daemon.js";
import { TuiError } from "../handlers/tui.js";
import type { McpDaemon } from "./mcp-ports.js";
import { defineTool, type McpTool, ToolRefusal } from "./mcp-tool.js";

export const LINES_DEFAULT = 50;
const LINES_MAX = 1_000;

export function daemonTools(daemon: McpDaemon): readonly McpTool[] {
  return [stateTool(daemon), actionTool(daemon), logsTool(daemon)];
}

function stateTool({ readState }: McpDaemon): McpTool {
  return defineTool({
    name: "state",
    title: "Read the state",
    description:
      "Everything the daemon shows, read now: each entry has a label, a value, and the key to act on it (shortcut). " +
      "handler_type is 0 display, 1 edit, 2 execution, 3 interactive.",
    input: z.object({}),
    output: z.object({ entries: stateSchema }),
    hints: { reads: "only", world: "closed" },
    run() {
      const entries = readState();
      if (entries === null) throw new ToolRefusal("Nothing here provides state.");
      return { text: JSON.stringify(entries), structured: { entries } };
    },
  });
}

function actionTool({ act }: McpDaemon): McpTool {
  return defineTool({
    name: "action",
    title: "Act",
    description:
      "Changes a value or runs something, by the key that state gives (or one of its shortcuts), and waits until it has " +
      "finished, or for five seconds: while running is true, look at state and logs.",
    input: z.object({
      key: z.string().min(1),
      value: z.union([z.string(), z.number(), z.boolean()]).optional().describe("What to change it to."),
    }),
    output: actionResultSchema,
    hints: { reads: "may-change", world: "closed" },
    async run({ key, value = "" }) {
      const outcome = await withinLimits(() => act(key, String(value)));
      if (outcome.kind === "taken" && outcome.running === undefined) {
        return { text: `Applied ${key}.`, structured: { applied: key } };
      }
      if (outcome.kind === "taken") {
        return { text: `Started ${key}; it is still running.`, structured: { applied: key, running: true } };
      }
      throw new ToolRefusal(
        "reason" in outcome
          ? outcome.reason
          : `There is no action ${JSON.stringify(key.slice(0, 80))}; state lists all actions.`,
      );
    },
  });
}

function logsTool({ readLogs }: McpDaemon): McpTool {
  return defineTool({
    name: "logs",
    title: "Read the log",
    description: "The newest lines of the daemon's log, oldest first.",
    input: z.object({
      lines: z.number().int().min(1).max(LINES_MAX).optional().describe(`How many; ${LINES_DEFAULT} when left out.`),
      handler: z.string().optional().describe("Only lines of this handler."),
    }),
    output: z.object({ entries: z.array(logEntrySchema) }),
    hints: { reads: "only", world: "closed" },
    run({ lines = LINES_DEFAULT, handler }) {
      const entries = readLogs({ linesMax: lines, ...(handler === undefined ? {} : { handler }) });
      const text = entries.map((entry) => `${entry.timestamp} ${entry.handler_name}: ${entry.content}`).join("\n");
      return { text: text === "" ? "The log is empty." : text, structured: { entries } };
    },
  });
}

async function withinLimits<Outcome>(act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof TuiError && error.code === "overloaded") throw new ToolRefusal(error.message);
    throw error;
  }
}

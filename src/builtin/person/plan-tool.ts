// The tool by which a model shows what it is going to do, and how far it is: a few steps beside the conversation.
import * as z from "zod";
import type { UI } from "../../sdk/exports.js";
import type { Tool } from "../tool.js";

const STEPS_MAX = 12;

const inputSchema = z.object({
  title: z.string().optional().describe("Where you are, in a few words: what begins or has ended."),
  steps: z
    .array(z.object({ text: z.string(), status: z.enum(["pending", "in_progress", "completed"]) }))
    .max(STEPS_MAX)
    .describe("All steps, in order, with where each stands. An empty list takes the plan away."),
});

const marks = { pending: "·", in_progress: "▸", completed: "✓" } as const;

export function createPlanTool(ui: Pick<UI, "setWidget">): Tool<typeof inputSchema> {
  return {
    name: "plan",
    description:
      "Show the person your plan for work of several steps, and again whenever a step begins or ends. Not for small things.",
    inputSchema,
    async plan({ steps }) {
      const summary = `shows a plan of ${steps.length} steps`;
      return { access: "read", subject: "plan", reach: "inside", danger: null, preview: { summary } };
    },
    async run({ steps }) {
      const left = steps.filter(({ status }) => status !== "completed").length;
      // A plan that is done would only take room from what comes next.
      ui.setWidget("plan", left === 0 ? null : steps.map(({ text, status }) => `${marks[status]} ${text}`));
      return { text: `${left} of ${steps.length} steps left.`, outcome: "done" };
    },
  };
}

// Binds a run to its plan. What the person approved was a plan for one input object; whoever runs the tool with that
// same object gets exactly this plan or a refusal, without having to carry the plan along.
import type { Tool, ToolPlan } from "../tool.js";

export function withPlanMemory(tool: Tool): Tool {
  const plans = new WeakMap<object, ToolPlan>();
  return {
    ...tool,
    async plan(input, context) {
      const plan = await tool.plan(input, context);
      if (isObject(input)) plans.set(input, plan);
      return plan;
    },
    run(input, context) {
      const plan = context.plan ?? (isObject(input) ? plans.get(input) : undefined);
      return tool.run(input, plan === undefined ? context : { ...context, plan });
    },
  };
}

function isObject(input: unknown): input is object {
  return typeof input === "object" && input !== null;
}

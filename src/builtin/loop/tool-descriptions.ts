// Tools as a model reads them. A schema is translated once; tools are the same objects for the whole session.
import * as z from "zod";
import type { ToolDescription } from "../models/model.js";
import type { Tool } from "../tool.js";

const described = new WeakMap<Tool, ToolDescription>();

export function describeTools(tools: readonly Tool[]): ToolDescription[] {
  return tools.map((tool) => {
    const known = described.get(tool);
    if (known !== undefined) return known;
    const { name, description } = tool;
    const { $schema, ...inputSchema } = z.toJSONSchema(tool.inputSchema, { io: "input" });
    const made = { name, description, inputSchema };
    described.set(tool, made);
    return made;
  });
}

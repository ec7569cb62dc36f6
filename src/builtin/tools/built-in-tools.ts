// The tools that the embedded agent has from the start, from harmless to powerful.
import type { Tool } from "../tool.js";
import { bashTool } from "./bash-tool.js";
import { editTool, writeTool } from "./change-tools.js";
import { globTool } from "./glob-tool.js";
import { grepTool } from "./grep-tool.js";
import { lsTool } from "./ls-tool.js";
import { readTool } from "./read-tool.js";

export function builtInTools(): readonly Tool[] {
  return [readTool, lsTool, globTool, grepTool, editTool, writeTool, bashTool];
}

// The items of a thread, by type: who said what, what was done. An item is told when it starts and when it is complete; an
// item of the history is told complete only.
import { type CodexItem, type CodexItemType, codexItemSchemas } from "../../../contract/codex.js";
import { takeByType } from "../frame-table.js";
import type { StepBuilder } from "../step-builder.js";
import type { CodexMessages } from "./codex-messages.js";
import {
  agentTool,
  type CodexTools,
  commandTool,
  dynamicTool,
  patchTool,
  pictureTool,
  searchTool,
  serverTool,
  type ToolItem,
  viewTool,
} from "./codex-tools.js";

type Stage = "started" | "completed";

/** Known, and of no use to a person. */
const quietItems: ReadonlySet<string> = new Set(["hookPrompt", "functionCallOutput", "subAgentActivity", "sleep"]);

const COMPACTING = "making room: the conversation is being summarised";
const COMPACTED = "the conversation was summarised to make room";

export class CodexItems {
  private readonly out: StepBuilder;
  private readonly messages: CodexMessages;
  private readonly tools: CodexTools;
  private stage: Stage = "started";

  private readonly takers: { readonly [Type in CodexItemType]: (item: CodexItem<Type>) => void } = {
    userMessage: (item) => this.atEnd(() => this.messages.personSaid(item)),
    agentMessage: (item) => this.atEnd(() => this.messages.said(item)),
    plan: (item) => this.atEnd(() => this.messages.said(item)),
    reasoning: (item) => this.atEnd(() => this.messages.thought(item)),
    commandExecution: (item) => this.tool(commandTool(item)),
    fileChange: (item) => {
      this.tools.keepPatches(item.id, item.changes);
      this.tool(patchTool(item));
    },
    mcpToolCall: (item) => {
      this.tools.keepCall(item);
      this.tool(serverTool(item));
    },
    dynamicToolCall: (item) => this.tool(dynamicTool(item)),
    collabAgentToolCall: (item) => this.tool(agentTool(item)),
    webSearch: (item) => this.tool(searchTool(item)),
    imageView: (item) => this.tool(viewTool(item)),
    imageGeneration: (item) => this.tool(pictureTool(item)),
    enteredReviewMode: ({ review }) => this.atEnd(() => this.notice(`codex reviews ${review}`)),
    exitedReviewMode: ({ id, review }) => this.atEnd(() => this.messages.said({ id, text: review })),
    contextCompaction: () => {
      this.out.tell({ type: "working.changed", message: this.stage === "started" ? COMPACTING : null });
      this.atEnd(() => this.notice(COMPACTED));
    },
  };
  private readonly table = { noun: "item", schemas: codexItemSchemas, takers: this.takers };

  constructor(out: StepBuilder, messages: CodexMessages, tools: CodexTools) {
    this.out = out;
    this.messages = messages;
    this.tools = tools;
  }

  take(stage: Stage, item: { readonly type: string }): void {
    this.stage = stage;
    if (!quietItems.has(item.type)) takeByType(this.table, this.out, item.type, item);
  }

  private atEnd(tell: () => void): void {
    if (this.stage === "completed") tell();
  }

  private tool(item: ToolItem): void {
    if (this.stage === "started") this.tools.start(item);
    else this.tools.finish(item);
  }

  private notice(message: string): void {
    this.out.tell({ type: "notice.shown", level: "info", message });
  }
}

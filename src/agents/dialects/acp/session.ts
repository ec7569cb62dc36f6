// One session of the agent: what flows in it, what runs in it, and what was allowed in it.
import { Grants } from "./grants.js";
import { MessageFlow } from "./message-flow.js";
import { Settings } from "./settings.js";
import { ToolCalls, type ToolSurroundings } from "./tool-calls.js";

export class Session {
  readonly id: string;
  readonly cwd: string;
  readonly messages: MessageFlow;
  readonly tools: ToolCalls;
  readonly settings: Settings;
  readonly grants: Grants;
  turn: "none" | "running" | "stopping" = "none";
  /** While the agent tells what was, nothing of it happens now; what it tells again is on the screen already. */
  history: "being-told" | "told-again" | "told" = "told";
  /** How much was told of it so far. */
  updates = 0;
  /** Whether somebody already waits for the end of a message outside of a turn. */
  strayTimer = false;
  turns = 0;
  context: { used: number; size: number } | null = null;
  cost: number | null = null;

  constructor(around: ToolSurroundings) {
    const { sessionId, cwd, out } = around;
    this.id = sessionId;
    this.cwd = cwd;
    this.messages = new MessageFlow(sessionId, out);
    this.tools = new ToolCalls(around);
    this.settings = new Settings();
    this.grants = new Grants(cwd);
  }
}

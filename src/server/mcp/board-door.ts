// The daemon's board of asks as the place where questions of MCP clients go.
import type { AskRegistry } from "../../host/asks/ask-registry.js";
import type { AskDoor } from "./mcp-ports.js";

export function boardDoor(board: Pick<AskRegistry, "ask" | "withdraw" | "nowMs">): AskDoor {
  return {
    ask: (ask) => board.ask(ask),
    withdraw: (askId, reason) => board.withdraw({ type: "withdraw", askId, reason, atMs: board.nowMs() }),
  };
}

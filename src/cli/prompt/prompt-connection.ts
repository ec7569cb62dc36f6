// The connection of one prompt: the agent's events reach the run one by one, just before they are in the state, and the asks of
// the run's own MCP server come in beside them.
import type { FrontHandlers } from "../../agents/dialect-link.js";
import { causeIn } from "../../agents/exit-cause.js";
import type { McpAskBridge } from "../../agents/mcp-ask-bridge.js";
import { AgentConnection, type ConnectedAgent, type ConnectionPorts } from "../../host/agent-connection.js";
import type { Change } from "../../session/engine/engine-messages.js";
import { MINI } from "../../views/mini/ask-view.js";
import type { PromptPorts } from "../../views/mini/prompt-options.js";

export interface PromptConnectionOptions extends Pick<ConnectionPorts, "clock" | "audit" | "onSecret"> {
  /** Null when the run has no server of its own. */
  readonly bridge: McpAskBridge | null;
}

export function promptConnector(agent: ConnectedAgent, options: PromptConnectionOptions): PromptPorts["connect"] {
  const { bridge, ...ports } = options;
  return ({ onEvent, onEnded }) => {
    const openLink = (handlers: FrontHandlers) =>
      agent.openLink({
        ...handlers,
        onEvent(event) {
          onEvent(event);
          handlers.onEvent(event);
          connection.catchUp();
        },
      });
    const withServer = (handlers: FrontHandlers) =>
      bridge?.open(handlers, async (between) => openLink(between)) ?? openLink(handlers);
    const connection = new AgentConnection(
      { name: agent.name, openLink: withServer },
      {
        ...ports,
        by: MINI,
        onEnded: ({ code, error, stderrTail }) => onEnded({ code, error, cause: causeIn(stderrTail) }),
      },
      // What was printed is not read again.
      { journalUnitsMax: 0 },
    );
    if (bridge !== null) connection.source.subscribe((changes) => tellBridge(bridge, changes));
    return connection;
  };
}

function tellBridge(bridge: McpAskBridge, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.type !== "ask.settled") continue;
    const { ask, outcome } = change;
    if (outcome.kind === "cancelled" || outcome.kind === "withdrawn") bridge.settled(ask.id, outcome);
  }
}

// Middleware between an agent's link and its front end: recorder, secret watch, asks of MCP servers. It sees events, commands and
// the exit; the link around it is made here, so that no middleware can lose back-pressure or the exit.
//
//   agent ─event→ middleware ─event→ front end ─command→ middleware ─command→ agent
import type { Sent } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { AgentExit } from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";

/** Created for each opening of the link; `toFront` passes an event on. */
export type LinkMiddleware = (toFront: (event: SessionEvent) => void) => {
  event(event: SessionEvent): void;
  /** Returns the result of `toAgent`, or "delivered" when the middleware handled the command. */
  command(command: LinesCommand, toAgent: SessionLink["send"]): Sent;
  exited(exit: AgentExit): void;
};

type Front = { onEvent(event: SessionEvent): void };

export function withMiddleware<Handlers extends Front>(
  open: (handlers: Handlers) => SessionLink | Promise<SessionLink>,
  middleware: LinkMiddleware,
): (handlers: Handlers) => Promise<SessionLink> {
  return async (handlers) => {
    const between = middleware((event) => handlers.onEvent(event));
    const link = await open({ ...handlers, onEvent: (event: SessionEvent) => between.event(event) });
    const exited = link.exited.then((exit) => {
      between.exited(exit);
      return exit;
    });
    const toAgent = (command: LinesCommand) => link.send(command);
    return {
      send: (command) => between.command(command, toAgent),
      setFlow: (flow) => link.setFlow(flow),
      exited,
      async stop() {
        await link.stop();
        return exited;
      },
    };
  };
}

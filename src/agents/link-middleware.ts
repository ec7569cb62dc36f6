// What stands between an agent's link and its front end: a recorder, a watch for secrets, questions of MCP servers. A stage
// sees events, commands and the end; the link around it is made here, so that no stage can lose back-pressure or the exit.
//
//   agent ─event→ stage ─event→ front end ─command→ stage ─command→ agent
import type { Sent } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { AgentExit } from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";

/** Made for each opening of the link; `toFront` passes an event on, also one of the stage's own. */
export type LinkStage = (toFront: (event: SessionEvent) => void) => {
  event(event: SessionEvent): void;
  /** The result of `toAgent`, or "delivered" when the stage itself took the command. */
  command(command: LinesCommand, toAgent: SessionLink["send"]): Sent;
  exited(exit: AgentExit): void;
};

type Front = { onEvent(event: SessionEvent): void };

export function stagedLink<Handlers extends Front>(
  open: (handlers: Handlers) => SessionLink | Promise<SessionLink>,
  stage: LinkStage,
): (handlers: Handlers) => Promise<SessionLink> {
  return async (handlers) => {
    const between = stage((event) => handlers.onEvent(event));
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

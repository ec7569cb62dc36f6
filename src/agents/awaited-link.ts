// A link that is not there yet: whatever it needs is still being loaded or made. What is said to it meanwhile waits, and one
// that never comes about ends like an agent that could not be started.
import type { LinesCommand } from "../contract/lines-commands.js";
import type { AgentExit } from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";

/** Nobody says more than this to an agent that has not said a word. */
const EARLY_COMMANDS_MAX = 1_000;

export function awaitedLink(opening: Promise<SessionLink>): SessionLink {
  const early: LinesCommand[] = [];
  let link: SessionLink | null = null;
  const opened = opening.then((ready) => {
    link = ready;
    for (const command of early.splice(0)) ready.send(command);
    return ready;
  });
  const exited = opened.then((ready) => ready.exited, failedStart);
  return {
    send(command) {
      if (link !== null) return link.send(command);
      if (early.length >= EARLY_COMMANDS_MAX) return false;
      early.push(command);
      return true;
    },
    setFlow: (flow) => link?.setFlow(flow),
    exited,
    stop: () => opened.then((ready) => ready.stop(), failedStart),
  };
}

function failedStart(error: unknown): AgentExit {
  return { code: null, signal: null, error: error instanceof Error ? error.message : String(error), stderrTail: "" };
}

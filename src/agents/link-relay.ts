// Wrappers around links: a link that is still being opened or is restarted, and middleware between agent and front end.
// Commands wait for the first agent; each agent gets the current flow control.

import type { Sent } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import { errorMessage } from "../contract/plain-word.js";
import type { SessionEvent } from "../contract/session-events.js";
import type { AgentExit } from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";

/** Further early commands are lost. */
const EARLY_COMMANDS_MAX = 1_000;

export class LinkRelay {
  private readonly early: { readonly command: LinesCommand; readonly settle: (sent: Sent) => void }[] = [];
  private flow: Parameters<SessionLink["setFlow"]>[0] = "flowing";
  private target: SessionLink | null = null;
  private isFailed = false;

  // Commands that are sent while early ones are delivered queue up behind them.
  connect(target: SessionLink): void {
    if (this.flow === "paused") target.setFlow("paused");
    for (let next = this.early.shift(); next !== undefined; next = this.early.shift()) {
      next.settle(target.send(next.command));
    }
    this.target = target;
  }

  /** There will be no agent: waiting commands are lost. */
  fail(): void {
    for (const { settle } of this.early.splice(0)) settle("lost");
    this.isFailed = true;
  }

  link(ending: Pick<SessionLink, "exited" | "stop">): SessionLink {
    return { ...ending, send: this.send, setFlow: this.setFlow };
  }

  private readonly send = (command: LinesCommand): Sent => {
    if (this.target !== null) return this.target.send(command);
    if (this.isFailed || this.early.length >= EARLY_COMMANDS_MAX) return "lost";
    return new Promise((settle) => {
      this.early.push({ command, settle });
    });
  };

  private readonly setFlow = (flow: Parameters<SessionLink["setFlow"]>[0]): void => {
    this.flow = flow;
    this.target?.setFlow(flow);
  };
}

/** A link that is still being opened; a failure looks like an agent that could not be started. */
export function awaitedLink(opening: Promise<SessionLink>): SessionLink {
  const relay = new LinkRelay();
  const opened = opening.then((ready) => {
    relay.connect(ready);
    return ready;
  });
  opened.catch(() => relay.fail());
  const exited = opened.then((ready) => ready.exited, failedStart);
  return relay.link({ exited, stop: () => opened.then((ready) => ready.stop(), failedStart) });
}

function failedStart(error: unknown): AgentExit {
  return { code: null, signal: null, error: errorMessage(error), stderrTail: "" };
}

/** Opens the agent, the first time with null; `restart` may be called by an effect of the agent. */
export type OpenAgain<Reason> = (reason: Reason | null, restart: (reason: Reason) => void) => SessionLink;

/**
 * An agent that may be restarted behind one link, which ends with the last process.
 *
 *   open(null) ─restart(reason)→ stop ─exited→ open(reason) ─exited→ exited
 */
export function restartableLink<Reason>(open: OpenAgain<Reason>): SessionLink {
  const relay = new LinkRelay();
  let next: Reason | null = null;
  let isStopped = false;
  const start = (reason: Reason | null): SessionLink => {
    const link = open(reason, (again) => {
      next = again;
      void current.stop();
    });
    relay.connect(link);
    return link;
  };
  let current = start(null);
  const end = async () => {
    let exit = await current.exited;
    for (let reason = next; reason !== null && !isStopped; reason = next) {
      next = null;
      current = start(reason);
      exit = await current.exited;
    }
    return exit;
  };
  const exited = end();
  return relay.link({
    exited,
    async stop() {
      isStopped = true;
      await current.stop();
      return exited;
    },
  });
}

/**
 * Middleware between an agent's link and its front end: recorder, secret watch, asks of MCP servers. It sees events, commands and
 * the exit; the link around it is made here, so that no middleware can lose back-pressure or the exit. It is created for each
 * opening of the link; `toFront` passes an event on.
 *
 *   agent ─event→ middleware ─event→ front end ─command→ middleware ─command→ agent
 */
type LinkMiddleware = (toFront: (event: SessionEvent) => void) => {
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
    const between = middleware(handlers.onEvent);
    const link = await open({ ...handlers, onEvent: between.event });
    const exited = link.exited.then((exit) => {
      between.exited(exit);
      return exit;
    });
    return {
      send: (command) => between.command(command, link.send),
      setFlow: (flow) => link.setFlow(flow),
      exited,
      async stop() {
        await link.stop();
        return exited;
      },
    };
  };
}

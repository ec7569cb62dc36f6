// A link whose agent is not there yet, or changes. Commands wait for the first agent, and every agent is held back while the
// front end wants it. Two kinds are made of it: a link that is still being loaded, and an agent that is started again.
import type { Sent } from "../contract/asks.js";
import type { LinesCommand } from "../contract/lines-commands.js";
import { errorMessage } from "../contract/plain-word.js";
import type { AgentExit } from "./agent-process.js";
import type { SessionLink } from "./dialect-link.js";

/** More commands than this are refused before the agent is there. */
const EARLY_COMMANDS_MAX = 1_000;

export class LinkRelay {
  private readonly early: { readonly command: LinesCommand; readonly settle: (sent: Sent) => void }[] = [];
  private flow: Parameters<SessionLink["setFlow"]>[0] = "flowing";
  private target: SessionLink | null = null;
  private isFailed = false;

  connect(target: SessionLink): void {
    this.target = target;
    if (this.flow === "paused") target.setFlow("paused");
    for (const { command, settle } of this.early.splice(0)) settle(target.send(command));
  }

  /** There will be no agent: what waits for one is lost. */
  fail(): void {
    for (const { settle } of this.early.splice(0)) settle("lost");
    this.isFailed = true;
  }

  link(ending: Pick<SessionLink, "exited" | "stop">): SessionLink {
    return { ...ending, send: (command) => this.send(command), setFlow: (flow) => this.setFlow(flow) };
  }

  private send(command: LinesCommand): Sent {
    if (this.target !== null) return this.target.send(command);
    if (this.isFailed || this.early.length >= EARLY_COMMANDS_MAX) return "lost";
    return new Promise((settle) => {
      this.early.push({ command, settle });
    });
  }

  private setFlow(flow: Parameters<SessionLink["setFlow"]>[0]): void {
    this.flow = flow;
    this.target?.setFlow(flow);
  }
}

/** A link that is still being loaded or made; one that cannot be made ends like an agent that could not be started. */
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

/** Opens the agent, the first time with null; `restart` may be called by whatever runs inside of it. */
export type OpenAgain<Wish> = (wish: Wish | null, restart: (wish: Wish) => void) => SessionLink;

/**
 * An agent that may be started again: its front end has one link, which ends when the last process has ended.
 *
 *   open(null) ─restart(wish)→ stop ─exited→ open(wish) ─exited→ exited
 */
export function restartableLink<Wish>(open: OpenAgain<Wish>): SessionLink {
  const relay = new LinkRelay();
  let next: Wish | null = null;
  let isLeft = false;
  const start = (wish: Wish | null): SessionLink => {
    const link = open(wish, (wanted) => {
      next = wanted;
      void current.stop();
    });
    relay.connect(link);
    return link;
  };
  let current = start(null);
  const end = async () => {
    let exit = await current.exited;
    for (let wish = next; wish !== null && !isLeft; wish = next) {
      next = null;
      current = start(wish);
      exit = await current.exited;
    }
    return exit;
  };
  const exited = end();
  return relay.link({
    exited,
    async stop() {
      isLeft = true;
      await current.stop();
      return exited;
    },
  });
}

// An agent that may have to be started again while its front end stays: to the front end there is one link, which ends when
// the last process has ended.
//
//   open(null) ─restart(wish)→ stop ─exited→ open(wish) ─exited→ exited
import type { SessionLink } from "./dialect-link.js";

/** Opens the agent, the first time with null; `restart` may be called by whatever runs inside of it. */
export type OpenAgain<Wish> = (wish: Wish | null, restart: (wish: Wish) => void) => SessionLink;

export function restartableLink<Wish>(open: OpenAgain<Wish>): SessionLink {
  let next: Wish | null = null;
  let isLeft = false;
  const start = (wish: Wish | null): SessionLink =>
    open(wish, (wanted) => {
      next = wanted;
      void current.stop();
    });
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
  return {
    send: (command) => current.send(command),
    setFlow: (flow) => current.setFlow(flow),
    exited,
    async stop() {
      isLeft = true;
      await current.stop();
      return exited;
    },
  };
}

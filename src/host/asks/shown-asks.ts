// Reports which questions of a hub a member has seen. The daemon that asked is told at once, again after every read of the
// hub, because it may have been away, and once more with the answer.
import { hostname } from "node:os";
import type { HubShown, Showing } from "../../contract/hub-bodies.js";
import { type AskAddress, type Hub, subjectKey } from "../../hub/hub.js";
import { bytesOf } from "./hub-link.js";
import type { HubAsk } from "./hub-view.js";

interface ShownAsksOptions {
  readonly hub: Hub;
  readonly person: string;
  readonly view: Showing["view"];
  readonly wallMs: () => number;
}

export class ShownAsks {
  private readonly options: ShownAsksOptions;
  /** Of the questions that are open. */
  private readonly showings = new Map<string, { readonly address: AskAddress; readonly showing: Showing }>();

  constructor(options: ShownAsksOptions) {
    this.options = options;
  }

  /** The question is in front of the user; said once. */
  shown({ address }: HubAsk): void {
    const key = keyOf(address);
    if (this.showings.has(key)) return;
    const { view, wallMs } = this.options;
    this.showings.set(key, { address, showing: { view, at: new Date(wallMs()).toISOString() } });
    this.tell(key);
  }

  of(address: AskAddress): Showing | undefined {
    return this.showings.get(keyOf(address))?.showing;
  }

  again(): void {
    for (const key of this.showings.keys()) this.tell(key);
  }

  closed(address: AskAddress): void {
    this.showings.delete(keyOf(address));
  }

  private tell(key: string): void {
    const found = this.showings.get(key);
    if (found === undefined) return;
    const { hub, person } = this.options;
    const body: HubShown = { version: 1, from: hostname(), ...found.showing };
    hub.tellShown({ kind: "shown", ...found.address, person }, bytesOf(body));
  }
}

function keyOf({ machine, daemon, ask }: AskAddress): string {
  return subjectKey({ kind: "open", machine, daemon, ask });
}

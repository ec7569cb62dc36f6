// The surface without a screen: a daemon's handlers, for others to look at and act on from elsewhere. It keeps the handlers
// themselves and asks them when somebody looks, so that what it tells is never old.
import type { StateEntry } from "../../contract/daemon.js";
import { LogHub } from "../logs/log-hub.js";
import { handlerLog } from "../logs/log-message.js";
import type { Handler } from "./handler.js";
import { HandlerRegistry } from "./handler-registry.js";
import type { TabSection } from "./tab-section.js";
import type { Tui } from "./tui.js";

export interface HeadlessTuiOptions {
  /** Where log lines go; a hub of its own when none is given. */
  readonly logs?: LogHub;
}

export class HeadlessTui implements Tui {
  readonly logs: LogHub;
  private readonly registry: HandlerRegistry;
  private readonly ended: Promise<void>;
  private end: () => void = () => undefined;

  constructor({ logs = new LogHub() }: HeadlessTuiOptions = {}) {
    this.logs = logs;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    this.registry = new HandlerRegistry({
      logFor: (place) => handlerLog(logs, place),
      onActionEnded: () => this.refreshUI(),
    });
  }

  newTabSection(title: string, description: string): TabSection {
    return this.registry.newSection(title, description);
  }

  addHandler(handler: Handler, color: string, section: TabSection): void {
    this.registry.add(handler, color, section);
    this.refreshUI();
  }

  start(): Promise<void> {
    return this.ended;
  }

  refreshUI(): void {
    this.logs.announce("refresh");
  }

  returnFocus(): void {}

  setActiveTab(section: TabSection): void {
    this.registry.activate(section);
  }

  getHandlerStates(): readonly StateEntry[] {
    return this.registry.states();
  }

  dispatchAction(key: string, value: string): boolean {
    return this.registry.dispatch(key, value);
  }

  /** Somebody elsewhere looks at this tab; false when there is none of this title. */
  activateTab(title: string): boolean {
    return this.registry.activateTitle(title);
  }

  /** Esc in a field, from elsewhere; false when the handler has nothing to cancel. */
  cancelAction(key: string): boolean {
    return this.registry.cancel(key);
  }

  async shutdown(): Promise<void> {
    this.end();
  }
}

// The surface on a screen: a client. It shows handlers and runs them for the person in front of it, but it serves no state
// and takes no actions from elsewhere: those go to the daemon. What draws it is a port, because this room has no screen.
import type { StateEntry } from "../../contract/daemon.js";
import { LogHub } from "../logs/log-hub.js";
import { handlerLog } from "../logs/log-message.js";
import type { Handler } from "./handler.js";
import { HandlerRegistry } from "./handler-registry.js";
import type { TabDetails, TabSection } from "./tab-section.js";
import type { Tui } from "./tui.js";

/** What the view may know and do. */
export interface DevTuiModel {
  readonly logs: LogHub;
  tabs(): readonly TabDetails[];
  /** Asked of the handlers at this moment. */
  fields(): readonly StateEntry[];
  /** The person changed or ran a field. */
  perform(key: string, value: string): boolean;
  cancel(key: string): boolean;
}

export interface DevTuiView {
  /** Shows the model until the person leaves or the signal is aborted. */
  open(model: DevTuiModel, signal: AbortSignal): Promise<void>;
  /** Something changed; returns at once. */
  refresh(): void;
  focusMain(): void;
  bringToFront(tabTitle: string): void;
}

export class DevTui implements Tui {
  readonly logs = new LogHub();
  private readonly view: DevTuiView;
  private readonly registry: HandlerRegistry;
  private readonly leaving = new AbortController();
  private running: Promise<void> | null = null;

  constructor(view: DevTuiView) {
    this.view = view;
    this.registry = new HandlerRegistry({
      logFor: (place) => handlerLog(this.logs, place),
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
    this.running ??= this.leaving.signal.aborted
      ? Promise.resolve()
      : this.view.open(this.model(), this.leaving.signal);
    return this.running;
  }

  refreshUI(): void {
    this.view.refresh();
  }

  returnFocus(): void {
    this.view.focusMain();
  }

  setActiveTab(section: TabSection): void {
    const { title } = this.registry.detailsOf(section);
    this.registry.activate(section);
    this.view.bringToFront(title);
  }

  getHandlerStates(): null {
    return null;
  }

  dispatchAction(_key: string, _value: string): false {
    return false;
  }

  async shutdown(): Promise<void> {
    this.leaving.abort();
    await this.running;
  }

  private model(): DevTuiModel {
    const { registry, logs } = this;
    return {
      logs,
      tabs: () => registry.sections(),
      fields: () => registry.states(),
      perform: (key, value) => registry.dispatch(key, value),
      cancel: (key) => registry.cancel(key),
    };
  }
}

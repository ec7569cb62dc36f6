// All handlers of a surface, in the order in which they came: what counts as a handler, how it is found and how it is run.
import type { StateEntry } from "../../contract/daemon.js";
import { type Handler, type HandlerLog, kindOf } from "./handler.js";
import { type LooseHandler, type RegisteredHandler, shortcutsOf, stateEntryOf } from "./registered-handler.js";
import { createTabSection, type TabDetails, type TabSection, tabDetails } from "./tab-section.js";
import { TuiError } from "./tui-error.js";

/** More than this is a program that registers in a loop. */
const HANDLERS_MAX = 10_000;

/** How many actions may be under way at once; a handler that never ends holds one of these. */
const ACTIONS_RUNNING_MAX = 1_000;

export interface RegistryPorts {
  /** The log of a handler that is being registered. */
  logFor(place: { tabTitle: string; name: string; color: string; isStreaming(): boolean }): HandlerLog;
  /** An action came to its end, well or not: whoever shows state should look again. */
  onActionEnded(): void;
}

export class HandlerRegistry {
  private readonly ports: RegistryPorts;
  private readonly handlers: RegisteredHandler[] = [];
  private readonly byKey = new Map<string, RegisteredHandler>();
  private readonly activated = new WeakSet<object>();
  private readonly tabs: TabDetails[] = [];
  private runningCount = 0;

  constructor(ports: RegistryPorts) {
    this.ports = ports;
  }

  newSection(title: string, description: string): TabSection {
    const details = { title, description };
    this.tabs.push(details);
    return createTabSection(this, details);
  }

  add(handler: Handler, color: string, section: TabSection): void {
    const { title } = tabDetails(this, section);
    const kind = kindOf(handler);
    if (kind === null) {
      throw new TuiError("handler_unknown", `what was added to the tab "${title}" is no handler: see its methods`);
    }
    if (this.handlers.length >= HANDLERS_MAX) {
      throw new TuiError("handlers_full", `a surface takes ${HANDLERS_MAX} handlers and no more`);
    }
    const name = handler.name();
    const loose: LooseHandler = handler;
    const isStreaming = () => loose.alwaysShowAllLogs?.() === true;
    const log = this.ports.logFor({ tabTitle: title, name, color, isStreaming });
    const key = this.freeKey(title, name);
    const registered: RegisteredHandler = { tabTitle: title, name, color, kind, key, log, handler: loose };
    this.handlers.push(registered);
    this.byKey.set(key, registered);
    loose.setLog?.(log);
  }

  states(): StateEntry[] {
    return this.handlers.map(stateEntryOf);
  }

  /** Starts the action a key stands for. False when no handler has this key, or the one that has it can do nothing. */
  dispatch(key: string, value: string): boolean {
    const found = this.findByKey(key) ?? this.findByShortcut(key);
    const action = found === undefined ? null : actionOf(found.registered, value === "" ? found.valueDefault : value);
    if (found === undefined || action === null) return false;
    this.start(found.registered, action);
    return true;
  }

  /** Esc in the field of the handler a key stands for. */
  cancel(key: string): boolean {
    const registered = this.findByKey(key)?.registered;
    const { handler } = registered ?? {};
    if (registered === undefined || handler?.cancel === undefined) return false;
    this.start(registered, () => handler.cancel?.());
    return true;
  }

  activate(section: TabSection): void {
    this.activateTitle(tabDetails(this, section).title);
  }

  /** A tab came to the front. A handler hears of it once, also when it stands in several tabs. False: there is no such tab. */
  activateTitle(title: string): boolean {
    for (const registered of this.handlers) {
      const { handler } = registered;
      if (registered.tabTitle !== title || handler.onTabActive === undefined || this.activated.has(handler)) continue;
      this.activated.add(handler);
      this.start(registered, () => handler.onTabActive?.());
    }
    return this.tabs.some((tab) => tab.title === title);
  }

  // The first of a name is reached by it. A namesake in another tab is "TAB/NAME", and one in the same tab is numbered.
  private freeKey(tabTitle: string, name: string): string {
    const qualified = `${tabTitle}/${name}`;
    let key = this.byKey.has(name) ? qualified : name;
    for (let number = 2; this.byKey.has(key); number += 1) key = `${qualified}#${number}`;
    return key;
  }

  private findByKey(key: string): Found | undefined {
    if (key === "") return undefined;
    const registered = this.byKey.get(key) ?? this.handlers.find(({ tabTitle, name }) => `${tabTitle}/${name}` === key);
    return registered === undefined ? undefined : { registered, valueDefault: "" };
  }

  private findByShortcut(key: string): Found | undefined {
    if (key === "") return undefined;
    const registered = this.handlers.find(({ handler }) =>
      shortcutsOf(handler).some((shortcut) => Object.hasOwn(shortcut, key)),
    );
    return registered === undefined ? undefined : { registered, valueDefault: key };
  }

  // The caller goes on at once; actions begin in the order in which they came.
  private start({ log }: RegisteredHandler, action: () => void | Promise<void>): void {
    if (this.runningCount >= ACTIONS_RUNNING_MAX) {
      throw new TuiError("overloaded", `${ACTIONS_RUNNING_MAX} actions are under way already`);
    }
    this.runningCount += 1;
    setImmediate(async () => {
      try {
        await action();
      } catch (error) {
        log("error:", error);
      } finally {
        this.runningCount -= 1;
        this.ports.onActionEnded();
      }
    });
  }
}

interface Found {
  readonly registered: RegisteredHandler;
  /** What an action without a value means: a shortcut stands for itself. */
  readonly valueDefault: string;
}

function actionOf({ kind, handler }: RegisteredHandler, value: string): (() => void | Promise<void>) | null {
  if (kind === "edit" || kind === "interactive") return () => handler.change?.(value);
  return kind === "execution" ? () => handler.execute?.() : null;
}

// The handlers of a daemon, for clients elsewhere to look at and act on. Handlers are read each time a client asks, so the
// state is never stale; an error that a handler throws becomes its value or a line in its log.
import type { StateEntry } from "../../contract/daemon.js";
import { type HandlerKind, handlerTypes } from "../../contract/handler-types.js";
import { errorMessage } from "../../contract/plain-word.js";
import { LogHub } from "../logs/log-hub.js";
import {
  type Handler,
  type HandlerLog,
  handlerLog,
  handlerProblem,
  kindOf,
  type OptionalMethods,
  type Shortcut,
} from "./handler.js";
import { type ProcessOptions, SupervisedProcess } from "./supervised-process.js";
import { createTabSection, type TabDetails, type TabSection, type Tui, TuiError, tabDetails } from "./tui.js";

/** A program that registers more than this does so in a loop. */
const HANDLERS_MAX = 10_000;

/** A handler that never ends holds one of these. */
const ACTIONS_RUNNING_MAX = 1_000;

export interface HeadlessTuiOptions {
  /** Where log lines go; a new hub if missing. */
  readonly logs?: LogHub;
}

export type AddedProcessOptions = ProcessOptions & {
  readonly section?: TabSection;
  /** Of its name in the log. */
  readonly color?: string;
};

export class HeadlessTui implements Tui {
  readonly logs: LogHub;
  private readonly handlers: RegisteredHandler[] = [];
  private readonly byKey = new Map<string, RegisteredHandler>();
  private readonly activated = new WeakSet<object>();
  private readonly tabs: TabDetails[] = [];
  private readonly processes: SupervisedProcess[] = [];
  private ownTab: TabSection | null = null;
  private readonly ended: Promise<void>;
  private end: () => void = () => undefined;
  private runningCount = 0;

  constructor({ logs = new LogHub() }: HeadlessTuiOptions = {}) {
    this.logs = logs;
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  newTabSection(title: string, description: string): TabSection {
    const details = { title, description };
    this.tabs.push(details);
    return createTabSection(this, details);
  }

  addHandler(handler: Handler, color: string, section: TabSection): void {
    const { title } = tabDetails(this, section);
    const kind = kindOf(handler);
    if (kind === null) {
      throw new TuiError(
        "handler_unknown",
        `the object added to the tab "${title}" is not a handler: ${handlerProblem(handler)}`,
      );
    }
    if (this.handlers.length >= HANDLERS_MAX) {
      throw new TuiError("handlers_full", `a surface takes at most ${HANDLERS_MAX} handlers`);
    }
    const name = handler.name();
    const loose: LooseHandler = handler;
    const isStreaming = () => loose.alwaysShowAllLogs?.() === true;
    const log = handlerLog(this.logs, { tabTitle: title, name, color, isStreaming });
    const key = this.freeKey(title, name);
    const registered: RegisteredHandler = { tabTitle: title, name, color, kind, key, log, handler: loose };
    this.handlers.push(registered);
    this.byKey.set(key, registered);
    loose.setLog?.(log);
    this.refreshUI();
  }

  /**
   * Runs a program beside the daemon: its lines are a log, its state is shown, and its action restarts it. It ends with the
   * daemon. A string is a command line for the shell. Without a section it is in the tab PROCESSES.
   */
  addProcess(name: string, command: string | readonly string[], options: AddedProcessOptions = {}): void {
    const { section = this.processTab(), color = "#6cb6ff", ...how } = options;
    const started = new SupervisedProcess(name, command, how, () => this.refreshUI());
    this.addHandler(started, color, section);
    this.processes.push(started);
    started.start();
  }

  start(): Promise<void> {
    return this.ended;
  }

  refreshUI(): void {
    this.logs.announce("refresh");
  }

  returnFocus(): void {}

  setActiveTab(section: TabSection): void {
    this.activateTab(tabDetails(this, section).title);
  }

  getHandlerStates(): readonly StateEntry[] {
    return this.handlers.map(stateEntryOf);
  }

  dispatchAction(key: string, value: string): boolean {
    return this.runAction(key, value) !== null;
  }

  /** Null when no handler takes the key. The promise settles when the handler has finished, and rejects with its error. */
  runAction(key: string, value: string): Promise<void> | null {
    const named = this.findByKey(key);
    const found = named ?? this.findByShortcut(key);
    // A shortcut without a value means itself.
    const action = found === undefined ? null : actionOf(found, value === "" && named === undefined ? key : value);
    return found === undefined || action === null ? null : this.run(found, action);
  }

  /** Calls `onTabActive` of the tab's handlers, once per handler. False when there is no such tab. */
  activateTab(title: string): boolean {
    for (const registered of this.handlers) {
      const { handler } = registered;
      if (registered.tabTitle !== title || handler.onTabActive === undefined || this.activated.has(handler)) continue;
      this.activated.add(handler);
      void this.run(registered, () => handler.onTabActive?.());
    }
    return this.tabs.some((tab) => tab.title === title);
  }

  /** Esc in the handler's field; false when it has nothing to cancel. */
  cancelAction(key: string): boolean {
    const registered = this.findByKey(key);
    const { handler } = registered ?? {};
    if (registered === undefined || handler?.cancel === undefined) return false;
    void this.run(registered, () => handler.cancel?.());
    return true;
  }

  async shutdown(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.close()));
    this.end();
  }

  private processTab(): TabSection {
    this.ownTab ??= this.newTabSection("PROCESSES", "Programs that this daemon keeps running");
    return this.ownTab;
  }

  // The first handler of a name has it as its key. One of the same name in another tab is "TAB/NAME", in the same tab numbered.
  private freeKey(tabTitle: string, name: string): string {
    const qualified = `${tabTitle}/${name}`;
    let key = this.byKey.has(name) ? qualified : name;
    for (let number = 2; this.byKey.has(key); number += 1) key = `${qualified}#${number}`;
    return key;
  }

  private findByKey(key: string): RegisteredHandler | undefined {
    if (key === "") return undefined;
    return this.byKey.get(key) ?? this.handlers.find(({ tabTitle, name }) => `${tabTitle}/${name}` === key);
  }

  private findByShortcut(key: string): RegisteredHandler | undefined {
    if (key === "") return undefined;
    return this.handlers.find(({ handler }) => shortcutsOf(handler).some((shortcut) => Object.hasOwn(shortcut, key)));
  }

  // Returns at once; actions begin in the order in which they came. A caller may ignore the promise.
  private run({ log }: RegisteredHandler, action: () => void | Promise<void>): Promise<void> {
    if (this.runningCount >= ACTIONS_RUNNING_MAX) {
      throw new TuiError("overloaded", `${ACTIONS_RUNNING_MAX} actions are already running`);
    }
    this.runningCount += 1;
    const done = new Promise<void>((resolve) => setImmediate(resolve)).then(action).finally(() => {
      this.runningCount -= 1;
      this.refreshUI();
    });
    done.catch((error: unknown) => log("error:", error));
    return done;
  }
}

interface RegisteredHandler {
  readonly tabTitle: string;
  readonly name: string;
  readonly color: string;
  readonly kind: HandlerKind;
  /** Unique on its surface; actions name it. */
  readonly key: string;
  readonly log: HandlerLog;
  readonly handler: LooseHandler;
}

/** Every method that any kind may have. */
interface LooseHandler extends OptionalMethods {
  name(): string;
  label?(): string;
  value?(): string;
  content?(): string;
  change?(value: string): void | Promise<void>;
  execute?(): void | Promise<void>;
  waitingForUser?(): boolean;
}

function actionOf({ kind, handler }: RegisteredHandler, value: string): (() => void | Promise<void>) | null {
  if (kind === "edit" || kind === "interactive") return () => handler.change?.(value);
  return kind === "execution" ? () => handler.execute?.() : null;
}

/** The published entry: these fields, in this order. */
function stateEntryOf({ tabTitle, name, color, kind, key, handler }: RegisteredHandler): StateEntry {
  const shortcuts = shortcutsOf(handler);
  return {
    tab_title: tabTitle,
    handler_name: name,
    handler_color: color,
    handler_type: handlerTypes[kind],
    label: readText(() => handler.label?.()),
    value: readText(() => (kind === "display" ? handler.content?.() : handler.value?.())),
    shortcut: key,
    shortcuts: shortcuts.length === 0 ? null : shortcuts.map((shortcut) => ({ ...shortcut })),
  };
}

function shortcutsOf(handler: LooseHandler): readonly Shortcut[] {
  try {
    return handler.shortcuts?.() ?? [];
  } catch {
    return [];
  }
}

function readText(read: () => unknown): string {
  try {
    return textOf(read());
  } catch (error) {
    return `error: ${errorMessage(error)}`;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (typeof value === "object" || typeof value === "function")
    throw new TypeError("it must be text, not an object or a promise");
  return String(value);
}

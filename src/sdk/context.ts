// A `UI` that delegates to another one, which can be replaced while the agent runs: the agent keeps its Context while users
// connect and disconnect.
import { type DialogOptions, dialogsOf, type UI } from "./ui.js";

export type Context = UI & {
  /** From now on everything goes to this one. Dialogs that are open stay where they were asked. */
  use(next: UI): void;
};

export function createContext(first: UI): Context {
  let ui = first;
  return {
    use(next) {
      ui = next;
    },
    get hasUI() {
      return ui.hasUI;
    },
    ...dialogsOf(() => ui),
    notify: (message, level) => ui.notify(message, level),
    setStatus: (key, text) => ui.setStatus(key, text),
    setWidget: (key, content, options) => ui.setWidget(key, content, options),
    setWorkingMessage: (message) => ui.setWorkingMessage(message),
    setTitle: (title) => ui.setTitle(title),
    setEditorText: (text) => ui.setEditorText(text),
    getEditorText: () => ui.getEditorText(),
  };
}

/** The same `UI` for one piece of work: when the signal aborts, every question it still has open is withdrawn. */
export function withinSignal(ui: UI, signal: AbortSignal): UI {
  const bound = (options?: DialogOptions) => ({
    ...options,
    signal: options?.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
  });
  return {
    ...createContext(ui),
    hasUI: ui.hasUI,
    ...dialogsOf(() => ui, bound),
  };
}

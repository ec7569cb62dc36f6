// A `UI` that delegates to another one, which may be exchanged while the agent runs: an agent keeps its Context, and
// the person may come, go, or sit somewhere else.
import { everyDialog, type UI } from "./ui.js";

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
    ...everyDialog((name) => (request, options) => ui[name](request, options)),
    notify: (message, level) => ui.notify(message, level),
    setStatus: (key, text) => ui.setStatus(key, text),
    setWidget: (key, content, options) => ui.setWidget(key, content, options),
    setWorkingMessage: (message) => ui.setWorkingMessage(message),
    setTitle: (title) => ui.setTitle(title),
    setEditorText: (text) => ui.setEditorText(text),
    getEditorText: () => ui.getEditorText(),
  };
}

/** The options of a dialog, which the signal withdraws as well. */
export function boundTo(signal: AbortSignal) {
  return <Options extends { signal?: AbortSignal }>(options?: Options) => ({
    ...options,
    signal: options?.signal === undefined ? signal : AbortSignal.any([signal, options.signal]),
  });
}

/** The same `UI` for one piece of work: when the signal aborts, every question it still has open is withdrawn. */
export function withinSignal(ui: UI, signal: AbortSignal): UI {
  const bound = boundTo(signal);
  return {
    ...createContext(ui),
    hasUI: ui.hasUI,
    ...everyDialog((name) => (request, options) => ui[name](request, bound(options))),
  };
}

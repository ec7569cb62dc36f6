// A `UI` over any wire: dialogs go through the desk, signals straight out. The adapters differ only in how their
// frames look and where the answers come from.
import type { NotifyLevel } from "../contract/notices.js";
import { type Asker, askForm, askSeveral, type DialogSkills, isYes } from "./form-fallback.js";
import type { PendingDialogs } from "./pending-dialogs.js";
import type { DialogOptions, UI, WidgetOptions } from "./ui.js";

/** Something shown without waiting. The names are those of the methods; each wire has its own spelling. */
export type Signal =
  | { name: "notify"; message: string; level: NotifyLevel }
  | { name: "setStatus"; key: string; text: string | null }
  | { name: "setWidget"; key: string; content: string | string[] | null; opts: Record<string, unknown> }
  | { name: "setWorkingMessage"; message: string | null }
  | { name: "setTitle"; title: string }
  | { name: "setEditorText"; text: string };

export type WiredUiPorts = {
  sendSignal(signal: Signal): void;
  /** What the front end said it can do. It may say so at any time. */
  skills(): DialogSkills;
};

export function createWiredUi(desk: PendingDialogs, { sendSignal, skills }: WiredUiPorts): UI {
  let editorText = "";
  const asker = (options?: DialogOptions): Asker => ({
    skills: skills(),
    ask: (method, params) => desk.ask(method, params, options),
  });
  return {
    hasUI: true,
    select: async ({ title, options: offered }, options) => {
      const answer = await desk.ask("select", { title, options: [...offered] }, options);
      return typeof answer === "string" ? answer : null;
    },
    multiSelect: ({ title, options: offered }, options) => askSeveral({ title, options: [...offered] }, asker(options)),
    confirm: async ({ title, message = "" }, options) => isYes(await desk.ask("confirm", { title, message }, options)),
    input: ({ title, placeholder = "" }, options) => desk.ask("input", { title, placeholder }, options),
    editor: ({ title, prefill = "" }, options) => desk.ask("editor", { title, prefill }, options),
    form: ({ fields, ...others }, options) => askForm({ ...others, fields: [...fields] }, asker(options)),
    notify: (message, level = "info") => sendSignal({ name: "notify", message, level }),
    setStatus: (key, status) => sendSignal({ name: "setStatus", key, text: status }),
    setWidget: (key, content, options: WidgetOptions = {}) =>
      sendSignal({ name: "setWidget", key, content: copied(content), opts: { ...options } }),
    setWorkingMessage: (message) => sendSignal({ name: "setWorkingMessage", message }),
    setTitle: (title) => sendSignal({ name: "setTitle", title }),
    setEditorText: (next) => {
      editorText = next;
      sendSignal({ name: "setEditorText", text: next });
    },
    getEditorText: () => editorText,
  };
}

function copied(content: string | readonly string[] | null): string | string[] | null {
  return typeof content === "string" || content === null ? content : [...content];
}

// A `UI` over any wire: dialogs go through the desk, signals straight out. The adapters differ only in how their
// frames look and where the answers come from.
import type { NotifyLevel } from "../contract/notices.js";
import type { Answer, DialogQuestion } from "./answers.js";
import type { DialogDesk } from "./dialog-desk.js";
import type { DialogOptions, UI, WidgetOptions } from "./ui.js";

/** Something shown without waiting. The names are those of the methods; each wire has its own spelling. */
export type Signal =
  | { name: "notify"; message: string; level: NotifyLevel }
  | { name: "setStatus"; key: string; text: string | null }
  | { name: "setWidget"; key: string; content: string | string[] | null; opts: Record<string, unknown> }
  | { name: "setWorkingMessage"; message: string | null }
  | { name: "setTitle"; title: string }
  | { name: "setEditorText"; text: string };

export function createWiredUi(desk: DialogDesk, sendSignal: (signal: Signal) => void): UI {
  let editorText = "";
  const text = async (question: DialogQuestion, options: DialogOptions = {}) =>
    asText(await desk.open(question, options));
  return {
    hasUI: true,
    select: ({ title, options: offered }, options) =>
      text({ method: "select", params: { title, options: offered } }, options),
    confirm: async ({ title, message = "" }, options = {}) =>
      (await desk.open({ method: "confirm", params: { title, message } }, options)) === true,
    input: ({ title, placeholder = "" }, options) => text({ method: "input", params: { title, placeholder } }, options),
    editor: ({ title, prefill = "" }, options) => text({ method: "editor", params: { title, prefill } }, options),
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

function asText(answer: Answer): string | null {
  return typeof answer === "string" ? answer : null;
}

function copied(content: string | readonly string[] | null): string | string[] | null {
  return typeof content === "string" || content === null ? content : [...content];
}

// The adapter for when no one can answer: every question is cancelled at once, so nothing waits and nothing is allowed.
// Notices and the working message go to a log; the rest is discarded.
import type { NotifyLevel } from "../contract/notices.js";
import { everyDialog, type UI } from "./ui.js";
import { refused } from "./wired-ui.js";

export type HeadlessLog = (level: NotifyLevel | "debug", message: string) => void;

export function createHeadlessUi(options: { log?: HeadlessLog } = {}): UI {
  const { log = () => {} } = options;
  return {
    hasUI: false,
    ...everyDialog((name) => async () => (name === "permission" ? refused : name === "confirm" ? false : null)),
    notify: (message, level = "info") => log(level, message),
    setStatus: () => {},
    setWidget: () => {},
    setWorkingMessage: (message) => {
      if (message !== null) log("debug", message);
    },
    setTitle: () => {},
    setEditorText: () => {},
    getEditorText: () => "",
  };
}

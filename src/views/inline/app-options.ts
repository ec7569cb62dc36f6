// Makes the options of an app from the ports of a run: the files for history and draft, the appearance, the keys.

import type { AppOptions } from "./app.js";
import { draftPath, keepDraft } from "./draft-file.js";
import { historyPath, openHistory, stateFolder } from "./history-file.js";
import type { RunPorts } from "./run-in-terminal.js";

type OptionPorts = Pick<RunPorts, "environment" | "folder" | "clock" | "look" | "keymap" | "typingGuardMs">;

export function openAppOptions(agent: string, ports: OptionPorts): AppOptions {
  const { environment, folder, clock, look, keymap, typingGuardMs } = ports;
  return {
    ...{ agent, folder, look, keymap, typingGuardMs },
    home: environment["HOME"] ?? "",
    history: openHistory(historyPath(environment), folder),
    draft: keepDraft(draftPath(stateFolder(environment), folder, agent), clock),
    shell: environment["SHELL"] || "sh",
  };
}

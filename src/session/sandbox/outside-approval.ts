// The approval to run a command outside the sandbox. It has a tool name of its own, so that a permission for bash is none for
// this: only a rule or a flag that names it gives it beforehand.
import type { DialogParams } from "../../contract/dialogs.js";

export const OUTSIDE_TOOL = "bash_outside_sandbox";

const TITLE_COMMAND_CHARS_MAX = 50;

export function outsideApproval(command: string, because: string, callId: string): DialogParams<"confirm"> {
  const [line = "", ...more] = command.split("\n");
  const isCut = more.length > 0 || line.length > TITLE_COMMAND_CHARS_MAX;
  return {
    title: `run outside the sandbox: ${line.slice(0, TITLE_COMMAND_CHARS_MAX)}${isCut ? "…" : ""}`,
    message: `It failed in the sandbox, probably because ${because}. The same command would run again.\n${command}`,
    opts: {
      tool: OUTSIDE_TOOL,
      tool_call_id: callId,
      command,
      danger_level: "danger",
      danger: "runs outside the sandbox: it can write anywhere you can, read your secrets and use the network",
      allow_remember: false,
      allow_reason: true,
    },
  };
}

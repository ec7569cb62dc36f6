// The Claude Agent SDK asks before it uses a tool; here the user answers through Palaver. In a turn of `serveLines`:
//
//   for await (const message of query({ prompt: text, options: { canUseTool: canUseToolWith(ui) } })) …

/** `ui` is that of a turn, of `createTerminalUi()` or of a daemon. */
export function canUseToolWith(ui) {
  return async (tool, input, { signal, suggestions, suppressAlwaysAllowRule, toolUseID } = {}) => {
    const { command, file_path: path, ...others } = input;
    const shown = { command, path, message: JSON.stringify(others, null, 2), toolCallId: toolUseID };
    const remember = suggestions !== undefined && suppressAlwaysAllowRule !== true;
    const answer = await ui.permission({ tool, ...shown, remember }, { signal });
    if (!answer.ok) return { behavior: "deny", message: answer.reason || "Denied by the user." };
    return { behavior: "allow", updatedInput: input, ...(answer.remember ? { updatedPermissions: suggestions } : {}) };
  };
}

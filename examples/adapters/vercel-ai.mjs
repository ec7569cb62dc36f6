// Tools of the Vercel AI SDK that ask before they run; here the user answers through Palaver.
//
//   await generateText({ model, prompt: text, tools: { deploy: withPermission(ui, "deploy", deployTool) } });

/** `ui` is that of a turn, of `createTerminalUi()` or of a daemon. "Always" holds for the tool that is returned. */
export function withPermission(ui, name, tool) {
  let isAlways = false;
  return {
    ...tool,
    async execute(input, options) {
      const shown = { tool: name, message: JSON.stringify(input, null, 2), toolCallId: options.toolCallId };
      const answer = isAlways
        ? { ok: true }
        : await ui.permission({ ...shown, remember: true }, { signal: options.abortSignal });
      isAlways ||= answer.remember === true;
      return answer.ok ? tool.execute(input, options) : `Denied by the user. ${answer.reason}`.trim();
    },
  };
}

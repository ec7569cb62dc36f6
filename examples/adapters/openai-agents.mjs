// A run of the OpenAI Agents SDK stops at tools that need an approval; here the user answers through Palaver, and the run goes on.
//
//   const result = await runWithApprovals(ui, run, agent, text);      with `run` from @openai/agents

/** `ui` is that of a turn, of `createTerminalUi()` or of a daemon. */
export async function runWithApprovals(ui, run, agent, input) {
  let result = await run(agent, input);
  while (result.interruptions.length > 0) {
    for (const call of result.interruptions) {
      const { name, arguments: given } = call.rawItem;
      const answer = await ui.permission({ tool: name, message: given, remember: true });
      if (answer.ok) result.state.approve(call, { alwaysApprove: answer.remember });
      else result.state.reject(call);
    }
    result = await run(agent, result.state);
  }
  return result;
}

// A graph of LangGraph stops at `interrupt(question)`; here the user answers through Palaver, and the graph goes on.
//
//   const state = await invokeWithQuestions(ui, graph, { input: text }, { configurable: { thread_id: "1" }, Command });

/** A question is text, or an object with the fields of `ui.select` and a `kind`: select, confirm, input, editor or form. */
export async function invokeWithQuestions(ui, graph, input, { Command, ...config }) {
  let state = await graph.invoke(input, config);
  while (state.__interrupt__?.length > 0) {
    const answers = {};
    for (const { id, value } of state.__interrupt__) answers[id] = await asked(ui, value);
    state = await graph.invoke(new Command({ resume: answers }), config);
  }
  return state;
}

function asked(ui, question) {
  if (typeof question !== "object") return ui.input({ title: String(question) });
  const { kind = "input", ...request } = question;
  return ui[kind](request);
}

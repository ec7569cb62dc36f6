// The agent that is always there: no model, no network. It says so, does what it honestly can (look at a folder), and
// asks one question, so that every part of the conversation can be seen and tried.
import { readdir } from "node:fs/promises";
import type { LinesAgent, Turn } from "../ui/lines-agent.js";

export const offlineAgent: LinesAgent = {
  name: "palaver",
  async onPrompt(turn) {
    if (/every kind/i.test(turn.text)) await askEverything(turn);
    else if (/folder|directory|files|taste/i.test(turn.text)) await showFolder(turn);
    else await explain(turn);
  },
};

async function explain({ text, say }: Turn): Promise<void> {
  const words = text.split(/\s+/).filter(Boolean).length;
  await say(`You wrote ${words} ${words === 1 ? "word" : "words"}. `);
  await say("I am Palaver's built-in agent and have no model to think about them with. ");
  await say('Ask me "what is in this folder?", and I will look.\n');
}

async function showFolder({ say, emit, ui }: Turn): Promise<void> {
  await say("I am Palaver's built-in agent: no model, no network. I can look at this folder for you.\n\n");
  const id = "look-1";
  await emit({ type: "tool_execution_start", data: [id, "ls", { path: "." }] });
  const names = (await readdir(".")).sort();
  await emit({ type: "tool_execution_end", data: [id, "ls", `${names.length} entries`, false] });
  const shown = names.slice(0, 8).map((name) => `- ${name}\n`);
  for (const line of shown) await say(line);
  if (names.length > shown.length) await say(`- … and ${names.length - shown.length} more\n`);
  const more = names.length > shown.length && (await ui.confirm({ title: "List all of them?" }));
  if (more) for (const name of names.slice(shown.length)) await say(`- ${name}\n`);
}

async function askEverything({ ui, say }: Turn): Promise<void> {
  const colour = await ui.select({
    title: "Which colour?",
    options: [
      { label: "Red", value: "red" },
      { label: "Green", value: "green" },
    ],
  });
  const sure = await ui.confirm({ title: "Are you sure?" });
  const name = await ui.input({ title: "Your name?", placeholder: "Ada" });
  const story = await ui.editor({ title: "Your story?", prefill: "Once upon a time\n" });
  await say(`Colour ${colour ?? "none"}, ${sure ? "sure" : "not sure"}, name ${name ?? "none"}, `);
  await say(`${story === null ? "no story" : `a story of ${story.length} characters`}.\n`);
}

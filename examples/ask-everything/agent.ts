#!/usr/bin/env node
// An agent in TypeScript: it asks one question of every kind and tells what it got. `serveLines` does the protocol:
// it greets, answers ping and abort, withdraws questions, and ends every turn. Try it (Node 22.18 and newer):
//   palaver conform -- node examples/ask-everything/agent.ts
import { serveLines } from "palaver/ui";

await serveLines({
  name: "ask-everything",
  async onPrompt({ ui, say }) {
    await say("Let me ask you. ");

    const colour = await ui.select({
      title: "Which colour?",
      options: [
        { label: "Red", value: "red" },
        { label: "Green", value: "green" },
      ],
    });
    await say(`Colour: ${colour ?? "none"}. `);

    const sure = await ui.confirm({ title: "Are you sure?" });
    await say(`Sure: ${sure}. `);

    const name = await ui.input({ title: "Your name?", placeholder: "Ada" });
    await say(`Name: ${name ?? "none"}. `);

    const story = await ui.editor({ title: "Your story?", prefill: "Once upon a time" });
    await say(`Story: ${story ?? "none"}. `);

    const files = await ui.files({ title: "Which files?", multiple: true });
    await say(`Files: ${files?.join(", ") ?? "none"}. `);

    const service = await ui.form({ title: "A service", fields: { port: { kind: "number", default: 80 } } });
    await say(`Port: ${service?.port ?? "none"}. `);

    const { ok } = await ui.permission({ tool: "paint", path: "wall", remember: true });
    await say(`Painted: ${ok}`);
  },
});

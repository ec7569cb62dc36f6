// A program of its own on a terminal: it asks with palaver/ui, prints what it got, and ends by itself.
import { createTerminalUi } from "palaver/ui";

const ui = createTerminalUi();
process.stdout.write("before\n");
const colour = await ui.select({ title: "Which colour?", options: ["red", "green"] });
const name = await ui.input({ title: "Your name?" });
const { ok, reason } = await ui.permission({ tool: "rm", command: "rm -r build" });
ui.notify("careful\x1b[2J");
process.stdout.write(`${JSON.stringify({ hasUI: ui.hasUI, colour, name, ok, reason })}\n`);

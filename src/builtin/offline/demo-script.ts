// The tour behind /demo: everything a session can show, with real tools, approvals and dialogs, in a folder made for it. Each
// step says in one line what to try. A "no" and a cancel are answers like any other: the tour continues.
import { calling, type Script } from "./offline-request.js";

/** The files that the tour reads and changes, by path. */
export const demoFiles: Readonly<Record<string, string>> = {
  "src/parser.ts": [
    "export function joinNames(names: string[]): string {",
    "  const out = names.map((name) => name.trim());",
    '  return out.join(",");',
    "}",
    "",
  ].join("\n"),
  "build/old.js": "// made by an earlier build\n",
  "server.log": Array.from(
    { length: 240 },
    (_, at) => `12:04:${String(at % 60).padStart(2, "0")} request ${at + 1} done\n`,
  ).join(""),
};

/** Runs without an approval. */
export const LONG_OUTPUT = "cat server.log";
const STEPS = ["stream", "diff and approval", "dangerous command", "questions", "long output", "queue"];
const WORD_MS = 40;
const SLOW_WORD_MS = 350;

const STREAM = `## 1 · Streaming

What I write arrives word by word, as **Markdown**, and stays in your terminal's scrollback as plain text:

| key | what it does |
|---|---|
| esc | stops me while I write or work |
| ctrl+o | opens the transcript, with search |

\`\`\`ts
return out.join(", "); // code has its colours
\`\`\`

*Try: make the window narrower and wider while I write. Nothing is lost or doubled.*

`;

const NEXT = `## That was Palaver

- \`palaver run claude\` (or gemini, codex, opencode, …): the same UI on your agent; \`palaver agents\` lists them
- \`/model\`: choose a model for the built-in agent
- \`palaver ask confirm "Deploy?"\`: the same dialogs for scripts
- \`/help\` lists commands, \`/keys\` lists keys, ctrl+c twice quits
`;

/** `/demo` where no dialog can be shown. */
export const demoText = `Palaver is one terminal UI for coding agents, daemons and scripts.
In a terminal, palaver demo is a two-minute tour:

  1  an answer that streams, with Markdown and code, and survives resizing
  2  a diff that waits for your approval
  3  a dangerous command, with its dangers in words
  4  questions: a list, a form
  5  a plan beside the work, and a long output, folded
  6  messages that wait in a queue while the agent works

Then:
  palaver                            the built-in agent, with or without a model
  palaver run claude                 any agent; palaver agents lists them
  echo "list files" | palaver        one prompt from a pipe
  palaver ask confirm "Deploy?"      a question for a script
`;

export function* demoScript(): Script {
  yield* step(0);
  yield { stream: STREAM, wordMs: WORD_MS };
  yield* step(1);
  yield {
    say: "## 2 · A diff to approve\n\n*Try: d for the full view; then allow it, or say no. Both are fine here.*\n",
  };
  yield* calling("edit", {
    path: "src/parser.ts",
    edits: [{ old_text: 'out.join(",")', new_text: 'out.join(", ")' }],
  });
  yield* step(2);
  yield {
    say: "## 3 · A dangerous command\n\n*Try: read why it is dangerous. It only deletes a folder made for this tour.*\n",
  };
  yield* calling("bash", { command: "rm -rf build && ls" });
  yield* step(3);
  yield* questions();
  yield* step(4);
  yield { say: "## 5 · A long output\n\n*Try: ctrl+o opens all of it; / searches there.*\n" };
  yield* calling("bash", { command: LONG_OUTPUT });
  yield* step(5);
  yield {
    say: "## 6 · The queue\n\n*Try: type a message and press enter while I count. It waits until I am done.*\n\n",
  };
  yield { stream: `${Array.from({ length: 20 }, (_, at) => at + 1).join(" ")}\n\n`, wordMs: SLOW_WORD_MS };
  yield* step(STEPS.length);
  yield { say: NEXT };
}

function* step(at: number): Script {
  const status = (index: number) => (index < at ? "completed" : index === at ? "in_progress" : "pending");
  const title = at < STEPS.length ? `step ${at + 1} of ${STEPS.length}: ${STEPS[at]}` : "the tour is over";
  yield* calling("plan", { title, steps: STEPS.map((text, index) => ({ text, status: status(index) })) });
}

function* questions(): Script {
  yield { say: "## 4 · Questions\n\n*Try: type to filter the list; then fill in the form. Esc cancels.*\n" };
  yield* calling("ask", {
    kind: "select",
    title: "Which package manager?",
    options: [
      { label: "npm", description: "comes with Node" },
      { label: "pnpm", description: "saves disk space" },
      { label: "yarn", description: "has workspaces" },
    ],
  });
  yield* calling("ask", {
    kind: "form",
    title: "A new project",
    fields: [
      { name: "name", label: "Name", kind: "text", required: true },
      { name: "port", label: "Port", kind: "number" },
      { name: "private", label: "Private?", kind: "confirm" },
    ],
  });
}

// Requests about files and commands. They go through the same tools, permissions and dialogs as those of any model.
import { calling, type OfflineRequest, type Script, type ToolOutcome } from "./offline-request.js";

/** How many names are said at once; the rest comes when the person wants it. */
const NAMES_FIRST = 8;
const LINES_MAX = 200;

export const fileRequests: readonly OfflineRequest[] = [
  {
    name: "list",
    words: "list a folder",
    examples: ["what is in this folder?", "what is in src?", "list src", "show me the files"],
    patterns: [
      /^what(?:'s|\s+is|\s+are)?\s+(?:there\s+)?(?:in|inside)\s+(?<path>.+)$/i,
      /^(?:list|ls|dir)(?:\s+(?:the\s+)?(?:files|contents?)(?:\s+(?:in|of))?)?(?:\s+(?<path>.+))?$/i,
      /^(?:show|see)\s+(?:me\s+)?(?:the\s+|all\s+)?(?:files|folder|directory)(?:\s+(?:in|of)\s+(?<path>.+))?$/i,
      /^(?:which|what)\s+files\s+are\s+(?:there|here)(?:\s+in\s+(?<path>.+))?\??$/i,
    ],
    script: ({ path = "" }) => listFolder(pathIn(path)),
  },
  {
    name: "replace",
    words: "change a file, after showing the change",
    examples: ['replace "teh" with "the" in README.md', "change X to Y in FILE"],
    patterns: [
      /^(?:replace|substitute)\s+(?<old>"[^"]+"|'[^']+'|`[^`]+`|.+?)\s+(?:with|by)\s+(?<new>"[^"]*"|'[^']*'|`[^`]*`|.+?)\s+in\s+(?<path>\S+)$/i,
      /^change\s+(?<old>"[^"]+"|'[^']+'|`[^`]+`|.+?)\s+(?:to|into)\s+(?<new>"[^"]*"|'[^']*'|`[^`]*`|.+?)\s+in\s+(?<path>\S+)$/i,
    ],
    script: ({ old = "", new: next = "", path = "" }) => replaceIn(pathIn(path), unquoted(old), unquoted(next)),
  },
  {
    name: "create",
    words: "write a file, after showing it",
    examples: ['create notes.txt with "hello"', 'write "hello" to notes.txt'],
    patterns: [
      /^(?:create|make|write)\s+(?:a\s+)?(?:new\s+)?(?:file\s+)?(?<path>\S+)\s+(?:with|containing|that says)(?:\s+the\s+text)?:?\s+(?<content>[\s\S]+)$/i,
      /^(?:write|put|save)\s+(?<content>"[^"]*"|'[^']*'|`[^`]*`)\s+(?:to|into|in)\s+(?<path>\S+)$/i,
    ],
    script: ({ path = "", content = "" }) => create(pathIn(path), `${unquoted(content)}\n`),
  },
  {
    name: "files",
    words: "find files by name",
    examples: ["find files *.ts", "which files match src/**/*.ts?"],
    patterns: [
      /^(?:find|list|show)\s+(?:me\s+)?(?:all\s+)?files\s+(?:named\s+|matching\s+|like\s+)?(?<pattern>\S+)$/i,
      /^which\s+files\s+match\s+(?<pattern>\S+)$/i,
      /^glob\s+(?<pattern>\S+)$/i,
    ],
    script: ({ pattern = "" }) => showOutcome("glob", { pattern: unquoted(pattern.replace(/\?$/, "")) }),
  },
  {
    name: "find",
    words: "search in files",
    examples: ["find parser in src", 'search for "join(" in src', "where is parser used?"],
    patterns: [
      /^(?:find|search(?:\s+for)?|grep(?:\s+for)?|look\s+for)\s+(?<text>"[^"]+"|'[^']+'|`[^`]+`|.+?)(?:\s+(?:in|under|inside)\s+(?<path>[^\s"']+))?$/i,
      /^where\s+(?:is|are|do\s+(?:you|we|i)\s+use)\s+(?<text>.+?)(?:\s+used)?(?:\s+in\s+(?<path>\S+))?$/i,
    ],
    script: ({ text = "", path = "" }) => {
      const pattern = unquoted(text.replace(/\?$/, "")).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return showOutcome("grep", { pattern, path: pathIn(path) });
    },
  },
  {
    name: "run",
    words: "run a command, after asking",
    examples: ["run npm test", "$ git status"],
    patterns: [/^(?:run|execute)\s+(?<command>[\s\S]+)$/i, /^[$!]\s*(?<command>[\s\S]+)$/],
    script: ({ command = "" }) => run(unquoted(command)),
  },
  {
    name: "show",
    words: "show a file",
    examples: ["show package.json", "read README.md"],
    patterns: [/^(?:show|read|open|cat|print|display|view)\s+(?:me\s+)?(?<path>\S+|"[^"]+"|'[^']+')$/i],
    script: ({ path = "" }) => showOutcome("read", { path: pathIn(path) }),
  },
];

function* listFolder(path: string): Script {
  yield { say: `I look at ${path === "." ? "this folder" : path}.\n\n` };
  const outcome = yield* calling("ls", { path });
  const names = outcome.isError ? [] : namesIn(outcome);
  const more = names.slice(NAMES_FIRST);
  if (outcome.isError) yield { say: failure(outcome) };
  else yield { say: names.length === 0 ? "It is empty.\n" : listed(names.slice(0, NAMES_FIRST)) };
  if (more.length === 0) return;
  yield { say: `- … and ${more.length} more\n` };
  const answer = yield* calling("ask", { kind: "confirm", title: "List all of them?" });
  if (answer.details.answer === true) yield { say: listed(more) };
}

function* replaceIn(path: string, old: string, next: string): Script {
  yield { say: `I replace ${inline(old)} with ${inline(next)} in ${path}.\n` };
  const outcome = yield* calling("edit", { path, edits: [{ old_text: old, new_text: next, replace_all: true }] });
  yield { say: outcome.isError ? failure(outcome) : `Done: ${path} is changed.\n` };
}

function* create(path: string, content: string): Script {
  yield { say: `I write ${path}.\n` };
  const outcome = yield* calling("write", { path, content });
  yield { say: outcome.isError ? failure(outcome) : `Done: ${path} is written.\n` };
}

function* run(command: string): Script {
  yield { say: `I run ${inline(command)}.\n` };
  const outcome = yield* calling("bash", { command });
  yield { say: outcome.isError ? `It failed.\n\n${fenced(outcome.text)}` : fenced(outcome.text) };
}

function* showOutcome(tool: string, input: Record<string, unknown>): Script {
  const outcome = yield* calling(tool, input);
  yield { say: outcome.isError ? failure(outcome) : fenced(outcome.text) };
}

function failure({ text }: ToolOutcome): string {
  return `That did not work: ${text.trim()}\n`;
}

// A fence is longer than any inside it, so that what is shown cannot end it.
function fenced(text: string): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const more = lines.length > LINES_MAX ? `… and ${lines.length - LINES_MAX} more lines\n` : "";
  return `${fence}\n${lines.slice(0, LINES_MAX).join("\n")}\n${fence}\n${more}`;
}

function inline(text: string): string {
  return text.includes("`") || text.includes("\n") ? JSON.stringify(text) : `\`${text}\``;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `- ${name}\n`).join("");
}

// A listing has a name a line, a size behind it, and notes in brackets.
function namesIn({ text }: ToolOutcome): string[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("["))
    .map((line) => line.replace(/ {2}\S.*$/, ""));
}

/** A path out of a sentence: quotes, punctuation at its end and "the folder" around it do not belong to it. */
function pathIn(text: string): string {
  const bare = unquoted(
    text
      .trim()
      .replace(/[?!]+$/, "")
      .trim(),
  );
  if (/^(?:(?:this|the|my|current)\s+)*(?:folder|directory|dir|project|repo(?:sitory)?|here)?$/i.test(bare)) return ".";
  return bare.replace(/^(?:the\s+)?(?:folder|directory|file)\s+/i, "").replace(/\s+(?:folder|directory)$/i, "");
}

function unquoted(text: string): string {
  const quoted = /^(["'`“«])([\s\S]*)(["'`”»])$/.exec(text.trim());
  return quoted?.[2] ?? text.trim();
}

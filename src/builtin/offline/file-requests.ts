// Requests about files and commands. They go through the same tools, permissions and dialogs as those of any model.
import {
  calling,
  type OfflineRequest,
  type Results,
  type Script,
  type Step,
  type ToolOutcome,
} from "./offline-request.js";

const LINES_MAX = 200;
const QUOTED = `"[^"]+"|'[^']+'|\`[^\`]+\``;
/** A name with an ending, a dot at its beginning or a slash: a file, and not a word. */
const FILE = String.raw`[\w@~./-]*(?:\.[A-Za-z]\w{0,9}|/[\w.-]+)`;
const TO_END_OF = String.raw`\s+(?:to|at)\s+(?:the\s+end\s+of\s+)?(?:the\s+)?(?:file\s+)?`;
/** Programs that a user types as in a shell; what follows must not read like a sentence. */
const PROGRAMS =
  "git|npm|npx|pnpm|yarn|node|cargo|docker|kubectl|tsc|deno|bun|pip|pip3|pytest|python3?|mvn|gradle|gh|curl|wget|pwd|date|whoami|echo|mkdir|touch|cp|mv|rm|chmod|head|tail|wc|du|df|ps|env";
const LANGUAGES: Readonly<Record<string, string>> = {
  typescript: "ts",
  javascript: "{js,mjs,cjs}",
  python: "py",
  rust: "rs",
  ruby: "rb",
  markdown: "md",
  yaml: "{yml,yaml}",
  shell: "sh",
  text: "txt",
};
const KINDS = String.raw`(?<kind>${Object.keys(LANGUAGES).join("|")}|json|css|html|go|java|c|toml|sql|\*?\.\w+|ts|js|py|md)`;

export const fileRequests: readonly OfflineRequest[] = [
  {
    name: "create",
    words: "write a file, after you approve it",
    examples: ['create notes.txt with "hello"', 'write "hello" to notes.txt'],
    patterns: [
      /^(?:create|make|write|add|new|generate)\s+(?:me\s+)?(?:an?\s+|the\s+)?(?:new\s+|empty\s+|text\s+)*(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+)\s+(?:with|containing|contains|that (?:says|contains)|saying)(?:\s+(?:the\s+)?(?:text|content|contents|line|words))?:?\s+(?<content>[\s\S]+)$/i,
      /^(?:write|put|save)\s+(?<content>"[^"]*"|'[^']*'|`[^`]*`)\s+(?:to|into|in)\s+(?:the\s+|a\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+)$/i,
      /^(?:write|put|save)\s+(?<content>\S+)\s+(?:to|into)\s+(?:the\s+|a\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+\.\w+)$/i,
      new RegExp(
        `^(?:create|make|touch|add)\\s+(?:an?\\s+|the\\s+)?(?:new\\s+|empty\\s+)*(?:file\\s+)?(?:called\\s+|named\\s+)?(?<path>${FILE})$`,
        "i",
      ),
    ],
    script: ({ path = "", content = "" }, results) =>
      changing("write", { path: pathIn(path), content: content === "" ? "" : `${unquoted(content)}\n` }, results),
  },
  {
    name: "replace",
    words: "change a file, after you approve the diff",
    examples: ['replace "teh" with "the" in README.md', "rename X to Y in FILE"],
    patterns: [
      /^(?:replace|substitute|change|rename|swap|turn)\s+(?:all\s+|every\s+|the\s+word\s+)?(?<old>"[^"]+"|'[^']+'|`[^`]+`|.+?)\s+(?:with|by|to|into|for)\s+(?<new>"[^"]*"|'[^']*'|`[^`]*`|.+?)\s+in\s+(?:the\s+file\s+)?(?<path>\S+)$/i,
      /^in\s+(?<path>\S+?),?\s+(?:replace|substitute|change|rename)\s+(?<old>"[^"]+"|'[^']+'|`[^`]+`|.+?)\s+(?:with|by|to|into)\s+(?<new>"[^"]*"|'[^']*'|`[^`]*`|.+?)$/i,
    ],
    script: ({ old = "", new: next = "", path = "" }, results) => {
      const edits = [{ old_text: unquoted(old), new_text: unquoted(next), replace_all: true }];
      return changing("edit", { path: pathIn(path), edits }, results);
    },
  },
  {
    name: "append",
    words: "",
    examples: ['append "done" to notes.txt'],
    patterns: [
      new RegExp(
        `^(?:append|add)\\s+(?:(?:a|the)\\s+)?(?:(?:line|text|words?)\\s+)?(?<content>${QUOTED})${TO_END_OF}(?<path>${QUOTED}|${FILE})$`,
        "i",
      ),
      new RegExp(
        `^append\\s+(?:(?:a|the)\\s+)?(?:(?:line|text)\\s+)?(?!to\\b)(?<content>\\S+(?:\\s+\\S+){0,8}?)${TO_END_OF}(?<path>${QUOTED}|${FILE})$`,
        "i",
      ),
    ],
    script: ({ content = "", path = "" }, results) =>
      run(`printf '%s\\n' ${shellWord(unquoted(content))} >> ${shellWord(pathIn(path))}`, results),
  },
  {
    name: "asked of git",
    words: "",
    examples: ["what has changed?", "show the diff", "show the last commits", "which branch am I on?"],
    patterns: [
      /^(?<status>(?:which|what)\s+(?:files\s+)?(?:(?:have|has|did\s+(?:i|you|we))\s+)?(?:been\s+)?changed?\b.*)$/i,
      /^(?:show|see)\s+(?:me\s+)?(?:the\s+|my\s+)?(?<diff>diff|changes)$/i,
      /^(?:show|list|see)\s+(?:me\s+)?(?:the\s+)?(?<log>(?:last|latest|recent)\s+(?:\d+\s+)?commits?|commits|git\s+(?:log|history)|history)$/i,
      /^(?:which|what)\s+(?<branch>branch)\b.*$/i,
    ],
    script: ({ status, diff, log }, results) => {
      const asked = status !== undefined ? "status --short" : diff !== undefined ? "diff" : "";
      return run(`git ${asked || (log !== undefined ? "log --oneline -10" : "branch --show-current")}`, results);
    },
  },
  {
    name: "place and time",
    words: "",
    examples: ["what folder am I in?", "what time is it?"],
    patterns: [
      /^(?<place>(?:what|which)\s+(?:folder|directory)\s+(?:am\s+i|are\s+we|is\s+this)\b.*|where\s+am\s+i|(?:what\s+is\s+)?the\s+current\s+(?:folder|directory))$/i,
      /^what(?:'s|\s+is)?\s+(?:time|day|date)\s+is\s+(?:it|today)\b.*$/i,
      /^what(?:'s|\s+is)\s+the\s+(?:time|date)\b.*$/i,
    ],
    script: ({ place }, results) => run(place === undefined ? "date" : "pwd", results),
  },
  {
    name: "count lines",
    words: "",
    examples: ["how many lines does package.json have?"],
    patterns: [
      new RegExp(
        `^how\\s+(?:many\\s+lines|long)\\s+(?:does\\s+|do\\s+|are\\s+(?:there\\s+)?in\\s+|has\\s+|is\\s+|in\\s+)?(?:the\\s+)?(?:file\\s+)?(?<path>${QUOTED}|${FILE})(?:\\s+(?:file\\s+)?(?:have|got|contain))?$`,
        "i",
      ),
      new RegExp(
        `^count\\s+(?:the\\s+)?lines\\s+(?:of|in)\\s+(?:the\\s+)?(?:file\\s+)?(?<path>${QUOTED}|${FILE})$`,
        "i",
      ),
    ],
    script: ({ path = "" }, results) => countLines(pathIn(path), results),
  },
  {
    name: "tests",
    words: "",
    examples: ["run the tests"],
    patterns: [
      /^(?:run|execute|start|do)\s+(?:all\s+|the\s+|my\s+|our\s+|unit\s+)*tests?(?:\s+suite)?$/i,
      /^test(?: it| this| everything)?$/i,
    ],
    script: (_, results) => runTests(results),
  },
  {
    name: "run",
    words: "run a command, after you approve it",
    examples: ["run npm test", "$ git status", "git status"],
    patterns: [
      /^(?:run|execute|exec)\s+(?:the\s+command\s+|command\s+)?(?<command>[\s\S]+)$/i,
      /^[$!]\s*(?<command>[\s\S]+)$/,
      new RegExp(`^(?<command>(?:${PROGRAMS})(?:\\s+(?!(?:is|are|was|does|has|can|should)\\b)[\\s\\S]+)?)$`),
      /^(?<command>(?:go (?:build|test|run|mod|vet|fmt)|make(?= [a-z][\w-]*$)|ls (?=-)|cat .*[|>]|grep -)[\s\S]*)$/,
    ],
    script: ({ command = "" }, results) => run(unquoted(command), results),
  },
  {
    name: "delete",
    words: "delete a file, after you approve it",
    examples: ["delete notes.txt"],
    patterns: [new RegExp(`^(?:delete|remove|trash)\\s+(?:the\\s+)?(?:file\\s+)?(?<path>${QUOTED}|${FILE})$`, "i")],
    script: ({ path = "" }, results) => run(`rm -- ${shellWord(pathIn(path))}`, results),
  },
  {
    name: "rename",
    words: "rename a file, after you approve it",
    examples: ["rename notes.txt to todo.txt"],
    patterns: [
      new RegExp(
        `^(?:rename|move|mv)\\s+(?:the\\s+)?(?:file\\s+)?(?<from>${QUOTED}|${FILE})\\s+(?:in)?to\\s+(?<to>${QUOTED}|\\S+)$`,
        "i",
      ),
    ],
    script: ({ from = "", to = "" }, results) =>
      run(`mv -- ${shellWord(pathIn(from))} ${shellWord(pathIn(to))}`, results),
  },
  {
    name: "files",
    words: "find files by name, in all folders",
    examples: ["find files *.ts", "which files match src/**/*.ts?", "list all typescript files", "where is parser.ts?"],
    patterns: [
      /^(?:find|search)\s+(?:me\s+)?(?:for\s+)?(?:all\s+|the\s+|any\s+)*files?\s+(?:called\s+|named\s+|matching\s+|like\s+)?(?<pattern>\S*[.*]\S*)$/i,
      /^(?:list|show)\s+(?:me\s+)?(?:all\s+|the\s+)*files\s+(?:called\s+|named\s+|matching\s+|like\s+)?(?<pattern>\S*[.*]\S*)$/i,
      /^which\s+files\s+(?:match|are\s+called|are\s+named)\s+(?<pattern>\S+)$/i,
      /^glob\s+(?<pattern>\S+)$/i,
      new RegExp(
        `^(?:find|list|show|search|get|which|what|where|are\\s+there|do\\s+you\\s+see|is\\s+there)\\s+(?:me\\s+)?(?:for\\s+)?(?:are\\s+)?(?:all\\s+|any\\s+|the\\s+|a\\s+|of\\s+)*${KINDS}\\s+files?(?:\\s+(?:are\\s+)?(?:here|there|in\\s+(?:this|the)\\s+(?:folder|project|repo|repository|directory)))*$`,
        "i",
      ),
      new RegExp(
        `^(?:find|locate|search(?:\\s+for)?|look\\s+for|where\\s+is|where's)\\s+(?:the\\s+)?(?:file\\s+)?(?<pattern>${FILE})$`,
        "i",
      ),
    ],
    script: ({ pattern = "", kind = "" }) =>
      findFiles(kind === "" ? unquoted(pattern.replace(/\?$/, "")) : endingOf(kind)),
  },
  {
    name: "list",
    words: "list a folder",
    examples: ["what is in this folder?", "what is in src?", "list src", "show me the files"],
    patterns: [
      /^what(?:'s|\s+is|\s+are)?\s+(?:there\s+)?(?:in|inside)\s+(?<path>.+)$/i,
      /^(?:list|ls|dir)(?:\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:files|folders|contents?)(?:\s+(?:in|of))?)?(?:\s+(?:here|(?<path>.+)))?$/i,
      /^(?:show|see)\s+(?:me\s+)?(?:the\s+|all\s+|my\s+|your\s+)*(?:files|folder|directory|contents)(?:\s+(?:in|of)\s+(?<path>.+))?$/i,
      /^(?:show|open|see)\s+(?:me\s+)?(?:the\s+)?(?<path>\S+)\s+(?:folder|directory)$/i,
      /^(?:which|what)\s+(?:files|folders)\s+(?:are|do\s+(?:you|we|i)\s+(?:have|see))\s*(?:there|here)?(?:\s*in\s+(?<path>.+))?$/i,
    ],
    script: ({ path = "" }) => (isFile(pathIn(path)) ? show(pathIn(path)) : listFolder(pathIn(path))),
  },
  {
    name: "show",
    words: "show a file",
    examples: ["show package.json", "read README.md", "what does package.json contain?"],
    patterns: [
      new RegExp(
        `^(?:show|read|open|cat|print|display|view|see|type|get)\\s+(?:me\\s+)?(?:the\\s+)?(?:contents?\\s+of\\s+)?(?:the\\s+)?(?:file\\s+)?(?<path>${QUOTED}|\\S+)(?:\\s+file)?$`,
        "i",
      ),
      /^what\s+(?:does|do)\s+(?:the\s+)?(?:file\s+)?(?<path>\S+)\s+(?:contain|say|hold|look\s+like|have)(?:\s+in\s+it)?$/i,
      new RegExp(`^(?<path>${FILE})$`),
    ],
    script: ({ path = "" }) => show(pathIn(path)),
  },
  {
    name: "find",
    words: "search in files",
    examples: ["find parser in src", 'search for "join(" in src', "where is parser used?"],
    patterns: [
      /^(?:grep|rg)\s+(?:for\s+)?(?<text>"[^"]+"|'[^']+'|`[^`]+`|\S+)\s+(?:in\s+)?(?<path>[^\s"']+)$/i,
      /^(?:find|search(?:\s+for)?|grep(?:\s+for)?|rg|look\s+for)\s+(?!out\b|the\s+bug|a\s+bug|bugs?\b|why\b|how\b)(?:all\s+|every\s+|any\s+|uses\s+of\s+|the\s+(?:word|text)\s+)*(?<text>"[^"]+"|'[^']+'|`[^`]+`|\S+(?:\s+\S+){0,2}?)(?:\s+(?:comments?|marks?))?(?:\s+(?:everywhere|(?:in|across)\s+(?:all\s+(?:the\s+)?files|(?:the|this)\s+(?:whole|entire)\s+\w+|(?:the\s+)?(?:code|codebase|repo(?:sitory)?|project))|(?:in|under|inside)\s+(?<path>[^\s"']+|(?:this|the)\s+\w+)))?$/i,
      /^where\s+(?:is|are|do\s+(?:you|we|i)\s+use)\s+(?:(?:the\s+)?(?:function|class|method|variable|constant|type|interface)\s+)?(?<text>.+?)(?:\s+(?:used|defined|declared|called|mentioned))?(?:\s+in\s+(?<path>\S+))?$/i,
      /^(?:who|what)\s+(?:uses|calls|mentions)\s+(?<text>\S+)$/i,
      /^(?:which|what)\s+files?\s+(?:contains?|mentions?|uses?|has|have)\s+(?<text>"[^"]+"|'[^']+'|`[^`]+`|\S+)$/i,
    ],
    script: ({ text = "", path = "" }) => {
      const pattern = unquoted(text.replace(/\?$/, "")).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return answering("grep", { pattern, path: pathIn(path) });
    },
  },
];

// The front end shows one line of a tool that only looks; what it found is the answer.
function* answering(tool: string, input: Record<string, unknown>): Script {
  const outcome = yield* calling(tool, input);
  yield { say: outcome.isError ? failure(outcome) : fenced(outcome.text) };
}

function* listFolder(path: string): Script {
  const outcome = yield* calling("ls", { path });
  yield { say: outcome.isError ? failure(outcome) : listed(namesIn(outcome)) };
}

function* findFiles(pattern: string): Script {
  yield* answering("glob", { pattern: pattern.includes("/") ? pattern : `**/${pattern}` });
}

// A folder is listed, and a file that is somewhere else is looked for.
function* show(path: string): Script {
  const outcome = yield* calling("read", { path });
  if (!outcome.isError) yield { say: fileText(outcome, path) };
  else if (/\bfolder\b/.test(outcome.text)) yield* listFolder(path);
  else if (/does not exist/.test(outcome.text) && !path.includes("/")) yield* showFound(path);
  else yield { say: failure(outcome) };
}

function* showFound(name: string): Script {
  const { text, isError, details } = yield* calling("glob", { pattern: `**/${name}` });
  const [only = ""] = text.split("\n");
  if (isError || details.files === 0) yield { say: `There is no file ${name} here.\n` };
  else if (details.files !== 1) yield { say: fenced(text) };
  else {
    const outcome = yield* calling("read", { path: only });
    yield { say: outcome.isError ? failure(outcome) : fileText(outcome, only) };
  }
}

/** A change, which the front end shows with its diff. */
function* changing(tool: string, input: Record<string, unknown>, results: Results): Script {
  const outcome = yield* calling(tool, input);
  if (results === "said") yield { say: outcome.isError ? failure(outcome) : `${outcome.text.trim()}\n` };
}

function* run(command: string, results: Results): Generator<Step, void, readonly ToolOutcome[]> {
  const outcome = yield* calling("bash", { command });
  if (results === "said")
    yield { say: outcome.isError ? `It failed.\n\n${fenced(outcome.text)}` : fenced(outcome.text) };
}

// A file in another folder is found by its name.
function* countLines(path: string, results: Results): Script {
  const { text, isError, details } = yield* calling("glob", { pattern: path.includes("/") ? path : `**/${path}` });
  if (isError || details.files === 0) yield { say: `There is no file ${path} here.\n` };
  else if (details.files === 1) yield* run(`wc -l ${shellWord(text.split("\n")[0] ?? path)}`, results);
  else yield { say: fenced(text) };
}

const TEST_COMMANDS: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$/, "npm test"],
  [/^Cargo\.toml$/, "cargo test"],
  [/^go\.mod$/, "go test ./..."],
  [/^(?:pyproject\.toml|pytest\.ini|setup\.py)$/, "pytest"],
  [/^Makefile$/, "make test"],
];

function* runTests(results: Results): Script {
  const names = namesIn(yield* calling("ls", { path: "." }));
  const found = TEST_COMMANDS.find(([file]) => names.some((name) => file.test(name)));
  if (found === undefined) yield { say: "I do not know how tests are run here; try `run COMMAND`.\n" };
  else yield* run(found[1], results);
}

function failure({ text }: ToolOutcome): string {
  // The row of the call has the user's reason.
  if (text.startsWith("Denied by the user")) return "All right, it stays as it is.\n";
  return `That did not work: ${text.trim()}\n`;
}

// A fence is longer than any inside it, so that what is shown cannot end it.
function fenced(text: string, language = ""): string {
  const lines = text.replace(/\n+$/, "").split("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const more = lines.length > LINES_MAX ? `… and ${lines.length - LINES_MAX} more lines\n` : "";
  return `${fence}${language}\n${lines.slice(0, LINES_MAX).join("\n")}\n${fence}\n${more}`;
}

// Without the numbers of its lines, so that it can be copied and has its colours.
function fileText({ text }: ToolOutcome, path: string): string {
  const language = /\.(\w{1,10})$/.exec(path)?.[1] ?? "";
  return fenced(text.replace(/^ *\d+\t/gm, ""), language);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "It is empty.\n" : names.map((name) => `- ${name}\n`).join("");
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
      .replace(/[?!,]+$/, "")
      .trim(),
  );
  if (/^(?:(?:this|the|my|current)\s+)*(?:folder|directory|dir|project|repo(?:sitory)?|here)?$/i.test(bare)) return ".";
  return bare
    .replace(/^(?:the\s+)?(?:(?:folder|directory|file)\s+)?/i, "")
    .replace(/\s+(?:folder|directory|file)$/i, "")
    .replace(/^readme$/i, "README.md");
}

function isFile(path: string): boolean {
  return /(?:^|\/)[^/]*\.\w+$/.test(path);
}

function endingOf(kind: string): string {
  const ending = kind.toLowerCase().replace(/^\*?\./, "");
  return `*.${LANGUAGES[ending] ?? ending}`;
}

function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function unquoted(text: string): string {
  const quoted = /^(["'`“«])([\s\S]*)(["'`”»])$/.exec(text.trim());
  return quoted?.[2] ?? text.trim();
}

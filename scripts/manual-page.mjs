// The manual page, made of what the commands say about themselves: their helps become sections, rows of options become
// tagged paragraphs, examples stay as they are. A pure function, so that a test can tell whether the page is current.

const EXITS = [
  [0, "done"],
  [1, "the agent failed, or a check found errors"],
  [2, "bad usage or settings"],
  [3, "an answer was needed and no one could give it"],
  [4, "the user cancelled"],
  [124, "timed out"],
  [130, "interrupted"],
];

const FILES = [
  [
    "~/.config/palaver/config.toml",
    "your settings; under XDG_CONFIG_HOME if that is set, or the file named by PALAVER_CONFIG",
  ],
  [".palaver.toml", "the settings of a project; settings that run programs are ignored until you trust the file"],
  ["~/.local/state/palaver", "sessions, drafts, rules and daemons; under XDG_STATE_HOME if that is set"],
];

/** `commands` with name, usage, summary and help; `settings` with the variable that sets each, and words. */
export function manualPage({ version, commands, settings }) {
  return [
    `.TH PALAVER 1 "" "Palaver ${version}" "User Commands"`,
    ".SH NAME",
    text("palaver - one terminal UI for every coding agent, daemon and script"),
    ".SH SYNOPSIS",
    ".nf",
    text("palaver"),
    ...commands.map(({ usage }) => text(`palaver ${usage}`)),
    ".fi",
    ".SH DESCRIPTION",
    text(
      "An agent, a build daemon or a script streams its output, asks a question or waits for an approval. Palaver shows",
    ),
    text("it, asks the user and returns the answer: in a terminal UI, in a small dialog over a stream, or without a"),
    text("screen. Without arguments it opens the terminal UI on the built-in agent; without a terminal it reads a"),
    text("prompt from standard input."),
    ".SH COMMANDS",
    ...commands.flatMap(commandSection),
    ".SH ENVIRONMENT",
    ...settings.flatMap(({ variable, words }) => tagged(variable, words)),
    ".SH FILES",
    ...FILES.flatMap(([path, words]) => tagged(path, words)),
    ".SH EXIT STATUS",
    ...EXITS.flatMap(([code, words]) => tagged(String(code), words)),
    "",
  ].join("\n");
}

const TABLE = /(<!-- commands: npm run manual -->\n)[\s\S]*?(<!-- end of commands -->)/;

/** The README with its table of commands made anew, between the two marks. */
export function readmePage(page, commands) {
  const rows = commands.map(({ usage, summary }) => `| \`palaver ${usage.replaceAll("|", "\\|")}\` | ${summary} |`);
  const first =
    "| `palaver` | open the terminal UI on the built-in agent; without a terminal, read a prompt from stdin |";
  const table = ["", "| command | what it does |", "|---|---|", first, ...rows, "", ""].join("\n");
  return page.replace(TABLE, (_, begin, end) => begin + table + end);
}

function commandSection({ name, summary, help }) {
  const [usage = "", ...lines] = help.trimEnd().split("\n");
  return [`.SS ${text(name)}`, text(`${capital(summary)}.`), ".PP", bold(usage), ...linesOf(lines)];
}

//   A sentence at the margin …        .PP and filled
//     --flag VALUE   words            .TP
//                    more words       goes on
//     anything else                   stays as it is
function linesOf(lines) {
  const page = [];
  let state = "gap";
  for (const line of lines) {
    const row = /^ {2,8}(\S.*?) {2,}(\S.*)$/.exec(line) ?? /^ {2}(--\S+ [A-Z]+) (\S.*)$/.exec(line);
    const more = /^ {10,}(\S.*)$/.exec(line);
    if (line.trim() === "") state = close(page, state);
    else if (line === "Examples") {
      state = close(page, state);
      page.push(".PP", bold("Examples"), ".PP", ".nf", ".RS 2");
      state = "examples";
    } else if (state === "examples") page.push(text(line.replace(/^ {2}/, "")));
    else if (row !== null) {
      page.push(...tagged(row[1], row[2]));
      state = "row";
    } else if (more !== null && state === "row") page.push(text(more[1]));
    else if (line.startsWith("  ")) page.push(".PP", ".nf", text(line), ".fi");
    else {
      if (state !== "prose") page.push(".PP");
      page.push(text(line));
      state = "prose";
    }
  }
  close(page, state);
  return page;
}

function close(page, state) {
  if (state === "examples") page.push(".RE", ".fi");
  return "gap";
}

function tagged(tag, words) {
  return [".TP", bold(tag), text(words)];
}

function bold(words) {
  return `.B ${text(words).replaceAll('"', "\\(dq")}`;
}

// A dot or a quote at the start of a line would be a request, and a plain hyphen would be set as a dash.
function text(words) {
  const escaped = words.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

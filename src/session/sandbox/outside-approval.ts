// The approval to run a command outside the sandbox. It has a tool name of its own, so that a permission for bash is none for
// this: only a rule or a flag that names it gives it beforehand.
export const OUTSIDE_TOOL = "bash_outside_sandbox";

const TITLE_COMMAND_CHARS_MAX = 50;

export function outsideApproval(command: string, because: string) {
  const [line = "", ...more] = command.split("\n");
  const isCut = more.length > 0 || line.length > TITLE_COMMAND_CHARS_MAX;
  return {
    title: `run outside the sandbox: ${line.slice(0, TITLE_COMMAND_CHARS_MAX)}${isCut ? "…" : ""}`,
    message: `It failed in the sandbox, probably because ${because}. The same command would run again.\n${command}`,
    tool: OUTSIDE_TOOL,
    command,
    danger: "runs outside the sandbox: it can write anywhere you can, read your secrets and use the network",
  };
}

// Whether the sandbox may be why a command failed, from what it printed. It is a guess: a wrong one costs a question.
const SIGNS: readonly { readonly pattern: RegExp; readonly because: string }[] = [
  {
    pattern: /read-only file system|\bEROFS\b/i,
    because: "it wanted to write outside the workspace, or to a file that is protected there",
  },
  {
    pattern:
      /network is unreachable|could not resolve|temporary failure in name resolution|name or service not known|\bE(?:AI_AGAIN|NETUNREACH|NOTFOUND)\b|getaddrinfo|no address associated|nodename nor servname|failed to lookup address|dial tcp|connection refused|couldn't connect to server|\bECONNREFUSED\b/i,
    because: "it wanted to use the network",
  },
  {
    pattern: /operation not permitted|permission denied|\bE(?:PERM|ACCES)\b/i,
    because: "it wanted something that is not permitted there",
  },
];

const MISSING = /no such file|not found|cannot (?:access|find)|\bENOENT\b/i;

/** git stash says nothing when it cannot write in .git. */
const SILENT = /\bgit\s(?:.*\s)?stash\b/;
const WORDLESS = /^\s*(?:\[exit code \d+\]\s*)?$/;

/** Why, as the rest of a sentence; null when nothing in the output says so. */
export function stoppedBySandbox({
  command = "",
  output,
  hidden = [],
}: {
  command?: string;
  output: string;
  /** Folders that look empty inside. */
  hidden?: readonly string[];
}): string | null {
  const isHidden = (line: string) => MISSING.test(line) && hidden.some((folder) => line.includes(`${folder}/`));
  if (output.split("\n").some(isHidden)) return "it wanted a file that is hidden there";
  if (SILENT.test(command) && WORDLESS.test(output)) return "it wanted to write in .git, which is protected there";
  return SIGNS.find(({ pattern }) => pattern.test(output))?.because ?? null;
}

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

export type FailedCommand = {
  readonly command?: string;
  readonly output: string;
  /** Folders that look empty inside. */
  readonly hidden?: readonly string[];
};

/** Why, as the rest of a sentence; null when nothing in the output says so. */
export function stoppedBySandbox({ command = "", output, hidden = [] }: FailedCommand): string | null {
  const isHidden = (line: string) => MISSING.test(line) && hidden.some((folder) => line.includes(`${folder}/`));
  if (output.split("\n").some(isHidden)) return "it wanted a file that is hidden there";
  if (SILENT.test(command) && WORDLESS.test(output)) return "it wanted to write in .git, which is protected there";
  return SIGNS.find(({ pattern }) => pattern.test(output))?.because ?? null;
}

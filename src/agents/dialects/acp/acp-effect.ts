// What an agent on this wire may want done to the outside world, as data. The link performs these; the machine decides
// whether they may be performed, and every permission was given before one of them comes into being.

export type AcpEffect =
  /** Where a path really leads. → PathPlace */
  | { type: "path.locate"; id: string; path: string; workspace: string }
  /**
   * Lines from `line` (counted from 1) on, `limit` of them; the whole file when both are null. Refuses when the path leads
   * elsewhere by now. → FileText
   */
  | { type: "file.read"; id: string; path: string; realPath: string; line: number | null; limit: number | null }
  /** What a write would change, and where it would really end up. → FilePlace */
  | { type: "file.inspect"; id: string; path: string; workspace: string }
  /** Writes to the place that was inspected, and refuses when the path leads elsewhere or holds something else by now. → null */
  | { type: "file.write"; id: string; path: string; realPath: string; content: string; oldText: string | null }
  /** Which of these names of a prompt are files. → MentionedFile[] */
  | { type: "mentions.find"; id: string; names: readonly string[]; workspace: string; pictures: "read" | "leave" }
  /** Runs in this folder, which is no link by now either. Reports TerminalProgress while it runs. → TerminalExit */
  | {
      type: "terminal.run";
      id: string;
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      cwd: string;
    }
  /** Ends the process that the effect `of` started, and its children. → null */
  | { type: "terminal.kill"; id: string; of: string }
  /** Starts the agent again with these variables, which it reads at its start, and goes on with the session if it can. */
  | {
      type: "agent.restart";
      id: string;
      env: Readonly<Record<string, string>>;
      methodId: string;
      sessionId: string | null;
    }
  /** The person said yes to opening this address. → null */
  | { type: "address.open"; id: string; url: string };

export type FileText = { text: string };

export type PathPlace = {
  /** Without symbolic links, as far as the path exists. */
  realPath: string;
  exists: boolean;
  /** The workspace without symbolic links, and on which side of its border the path is. */
  workspace: string;
  place: "inside" | "outside";
  /** Whether its name says that it holds a secret. */
  looksSecret: boolean;
};

export type FilePlace = PathPlace & {
  /** Null when there is no such file yet. */
  oldText: string | null;
  /** Whether what the file holds is UTF-8, so that `oldText` is all of it. */
  isText: boolean;
};

export type MentionedFile = {
  name: string;
  path: string;
  /** A `file:` address. */
  uri: string;
  sizeBytes: number;
  picture?: { data: string; mimeType: string };
};

export type TerminalProgress = { kind: "started" } | { kind: "output"; text: string };

export type TerminalExit = { exitCode: number | null; signal: string | null };

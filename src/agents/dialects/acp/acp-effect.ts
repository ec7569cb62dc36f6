// Effects that the ACP dialect asks its link to perform, as data. The dialect decides whether one may be performed: every
// permission was given before the effect exists.

export type AcpEffect =
  /** Resolves a path through symbolic links. → PathPlace */
  | { type: "path.locate"; id: string; path: string; workspace: string }
  /** `limit` lines from `line` (1 is the first), or the whole file. Fails if the path now leads elsewhere. → FileText */
  | { type: "file.read"; id: string; path: string; realPath: string; line: number | null; limit: number | null }
  /** The real path and the current content of a file that is to be written. → FilePlace */
  | { type: "file.inspect"; id: string; path: string; workspace: string }
  /** Writes to the inspected place. Fails if the path now leads elsewhere or the content has changed. → null */
  | { type: "file.write"; id: string; path: string; realPath: string; content: string; oldText: string | null }
  /** Which names in a prompt are files. → MentionedFile[] */
  | { type: "mentions.find"; id: string; names: readonly string[]; workspace: string; pictures: "read" | "leave" }
  /** Runs in this folder; fails if it has become a link. Reports TerminalProgress while it runs. → TerminalExit */
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
  /** Restarts the agent with these variables, and resumes the session if the agent can. */
  | {
      type: "agent.restart";
      id: string;
      env: Readonly<Record<string, string>>;
      methodId: string;
      sessionId: string | null;
    }
  /** Opens an address that the user agreed to. → null */
  | { type: "address.open"; id: string; url: string };

export type FileText = { text: string };

export type PathPlace = {
  /** Without symbolic links, as far as the path exists. */
  realPath: string;
  exists: boolean;
  /** The workspace without symbolic links, and whether the path is in it. */
  workspace: string;
  place: "inside" | "outside";
  /** By its name. */
  looksSecret: boolean;
};

export type FilePlace = PathPlace & {
  /** Null when there is no such file yet. */
  oldText: string | null;
  /** Whether the content is valid UTF-8, so that `oldText` is complete. */
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

// The names under which tools are allowed and matched, the same for every agent: read, search, edit, run, fetch. Each stands for what
// agents call such a tool; an agent's own name works as well, in any case.
const names: Readonly<Record<string, readonly string[]>> = {
  read: ["view", "cat", "open", "read_file", "read_many_files", "notebookread"],
  search: ["grep", "glob", "ls", "list", "find", "list_directory", "search_file_content"],
  edit: [
    "write",
    "multiedit",
    "notebookedit",
    "apply_patch",
    "patch",
    "replace",
    "write_file",
    "create",
    "str_replace",
  ],
  run: ["bash", "shell", "execute", "exec", "command", "terminal", "run_shell_command", "local_shell"],
  fetch: ["webfetch", "web_fetch", "websearch", "web_search", "google_web_search"],
};

const canonical = new Map(Object.entries(names).flatMap(([name, own]) => [name, ...own].map((each) => [each, name])));

/** The name that means this tool for every agent; its own, if there is none. */
export function canonicalTool(tool: string): string {
  const word = tool.toLowerCase();
  return canonical.get(word) ?? word;
}

/** Whether a tool that was named covers this one. `read` does not cover the other kinds, and neither covers it. */
export function isSameTool(named: string, tool: string): boolean {
  return canonicalTool(named) === canonicalTool(tool);
}

// Every agent names its tools and their arguments in its own way. A script says what should be done; this finds the tool for
// it among those that the agent offers, and fills in whatever its schema demands.
import { type Fields, fieldsOf, type OfferedTool } from "./model-request.js";

export type Deed =
  | { readonly do: "write"; readonly path: string; readonly content: string }
  | { readonly do: "shell"; readonly command: string }
  /** Through Palaver's own server of tools. */
  | { readonly do: "ask"; readonly title: string }
  /** The same by the oldest of its tools. */
  | { readonly do: "report"; readonly prompt: string };

const names: Readonly<Record<Deed["do"], RegExp>> = {
  write: /^(?:write|write_?file|create_?file)$/i,
  shell: /^(?:run_shell_command|bash|shell|exec(?:ute)?_?command)$/i,
  ask: /palaver[\w/]*ask_confirm$/i,
  report: /palaver[\w/]*report_status$/i,
};

/** Null when the agent offers nothing of the kind. */
export function toolFor(deed: Deed, offered: readonly OfferedTool[]): { name: string; args: Fields } | null {
  const tool = offered.find(({ name }) => names[deed.do].test(name));
  // An agent without a tool for files writes them with a command.
  if (tool === undefined && deed.do === "write") return toolFor({ do: "shell", command: writeCommand(deed) }, offered);
  if (tool === undefined) return null;
  const properties = fieldsOf(tool.schema["properties"]);
  const required = Array.isArray(tool.schema["required"]) ? tool.schema["required"] : [];
  const args = Object.entries(properties).flatMap(([name, schema]) => {
    const value = valueFor(name, deed) ?? (required.includes(name) ? plainValue(fieldsOf(schema)) : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { name: tool.name, args: Object.fromEntries(args) };
}

function writeCommand({ path, content }: Extract<Deed, { do: "write" }>): string {
  return `printf '%s' '${content}' > '${path}'`;
}

function valueFor(property: string, deed: Deed): string | undefined {
  // codex asks for a command that wants to leave its sandbox.
  if (deed.do === "shell" && property === "sandbox_permissions") return "require_escalated";
  if (deed.do === "shell") return /^(?:command|cmd)$/i.test(property) ? deed.command : undefined;
  if (deed.do === "ask") return property === "title" ? deed.title : undefined;
  if (deed.do === "report") return { status: "needs_input", prompt: deed.prompt }[property];
  if (/^(?:file_?|absolute_?)?path$/i.test(property)) return deed.path;
  return /^(?:content|contents|file_text|text)$/i.test(property) ? deed.content : undefined;
}

/** The plainest value that fits a schema. */
export function plainValue(schema: Fields): unknown {
  const [first] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  if (first !== undefined) return first;
  const { type } = schema;
  switch (String(Array.isArray(type) ? type[0] : type).toLowerCase()) {
    case "object":
      return Object.fromEntries(
        Object.entries(fieldsOf(schema["properties"])).map(([name, inner]) => [name, plainValue(fieldsOf(inner))]),
      );
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 0;
    default:
      return "stand-in";
  }
}

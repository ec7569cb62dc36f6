// Makes the reference part of docs/protocol.md from the contract: every frame with its fields and an example.
// The page around it is written by hand; what stands between two markers is replaced.

/** The page with its generated parts made anew. */
export function protocolPage(page, contract) {
  const commands = contract.publishedSchema("lines-commands");
  const outputs = contract.publishedSchema("lines-outputs");
  const rpc = contract.publishedSchema("rpc");
  const parts = {
    commands: frames(commands, "Command."),
    outputs: frames(outputs, "Output."),
    events: frames(outputs, "Event."),
    shapes: shapes({ ...commands.$defs, ...outputs.$defs }),
    rpc: frames(rpc, "Rpc."),
    errors: errorTable(contract.wireErrorCodes),
  };
  return Object.entries(parts).reduce((text, [name, part]) => replaced(text, name, part), page);
}

function replaced(page, name, part) {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/protocol.md has no place for "${name}"`);
  return `${page.slice(0, from + begin.length)}\n\n${part}\n\n${page.slice(to)}`;
}

function frames(schema, prefix) {
  return Object.entries(schema.$defs)
    .filter(([id, definition]) => id.startsWith(prefix) && definition.properties)
    .map(([id, definition]) => frame(id.slice(prefix.length), definition, schema.$defs))
    .join("\n\n");
}

// What frames refer to by name: everything in the schemas that is no frame or event itself.
function shapes(definitions) {
  return Object.entries(definitions)
    .filter(([id]) => !/^(Command|Output|Event)\./.test(id))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([id, definition]) => shape(id, definition, definitions))
    .join("\n\n");
}

function shape(id, definition, definitions) {
  if (definition.properties) return frame(id, definition, definitions, () => true);
  const { $defs, description, ...type } = definition;
  return [`#### \`${id}\``, description, `Either ${typeName(type, definitions)}.`].filter(Boolean).join("\n\n");
}

// The heading of a frame is its type, and it has an example; what is inside a frame has neither.
const isNoConstant = (property) => property.const === undefined;

function frame(name, definition, definitions, isShown = isNoConstant) {
  const parts = [`#### \`${name}\``];
  if (definition.description) parts.push(definition.description);
  const fields = fieldTable(definition, definitions, isShown);
  if (fields) parts.push(fields);
  for (const example of definition.examples ?? []) parts.push(`\`\`\`json\n${JSON.stringify(example)}\n\`\`\``);
  return parts.join("\n\n");
}

function fieldTable({ properties, required = [] }, definitions, isShown) {
  const rows = Object.entries(properties)
    .filter(([, property]) => isShown(property))
    .map(
      ([name, property]) =>
        `| \`${name}\` | ${typeName(property, definitions)} | ${required.includes(name) ? "yes" : ""} | ${meaning(property, definitions)} |`,
    );
  return rows.length === 0 ? "" : ["| field | type | required | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

// A field without words of its own has those of its type.
function meaning({ description, $ref }, definitions) {
  return (description ?? definitions[$ref?.slice("#/$defs/".length)]?.description ?? "").replaceAll("|", "\\|");
}

function typeName(property, definitions) {
  if (property.const !== undefined) return `\`${JSON.stringify(property.const)}\``;
  if (property.$ref) return refName(property.$ref, definitions);
  if (property.enum) return property.enum.map((word) => `\`${word}\``).join(" or ");
  const branches = property.anyOf ?? property.oneOf;
  if (branches) return [...new Set(branches.map((branch) => typeName(branch, definitions)))].join(" or ");
  if (property.prefixItems) return `[${property.prefixItems.map((item) => typeName(item, definitions)).join(", ")}, …]`;
  if (property.type === "array") return `list of ${typeName(property.items ?? {}, definitions)}`;
  if (property.type === "object") return objectName(property, definitions);
  return [property.type ?? "anything"].flat().join(" or ");
}

function objectName({ properties = {} }, definitions) {
  const names = Object.entries(properties).map(([name, property]) => `\`${name}\`: ${typeName(property, definitions)}`);
  return names.length === 0 ? "object" : `{ ${names.join(", ")} }`;
}

function refName(ref, definitions) {
  const id = ref.slice("#/$defs/".length);
  return id.startsWith("Event.") || !definitions[id] ? "an [event](#events)" : `[${id}](#${id.toLowerCase()})`;
}

function errorTable(codes) {
  const rows = Object.entries(codes).map(([name, code]) => `| ${code} | ${name} |`);
  return ["| code | name |", "|---|---|", ...rows].join("\n");
}

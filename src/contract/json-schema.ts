// The wires as JSON Schema, for agents in other languages. The files under schema/ are made from here, and a test
// holds them to it.
import * as z from "zod";
import { isRecord } from "./json-value.js";
import { linesCommandSchema } from "./lines-commands.js";
import { linesOutputSchema } from "./lines-outputs.js";
import { PROTOCOL_VERSION, type PublishedSchemaName } from "./protocol-versions.js";
import { rpcNotificationSchema, rpcRequestSchema, rpcResponseSchema } from "./rpc.js";
import { sessionEventSchema } from "./session-events.js";

const published = {
  "lines-commands": { title: "The lines protocol, from the front end to the agent", schema: linesCommandSchema },
  "lines-outputs": { title: "The lines protocol, from the agent to the front end", schema: linesOutputSchema },
  rpc: {
    title: "The rpc protocol, in both directions",
    schema: z.union([rpcRequestSchema, rpcNotificationSchema, rpcResponseSchema]),
  },
  "session-events": { title: "What happens in a session, in Palaver's own format", schema: sessionEventSchema },
} as const satisfies Record<PublishedSchemaName, object>;

/** An id and no address: the version of the lines protocol is part of it, and nothing has to be fetched. */
function schemaId(name: PublishedSchemaName): string {
  return `urn:palaver:schema:${PROTOCOL_VERSION}:${name}`;
}

export function publishedSchema(name: PublishedSchemaName): Record<string, unknown> {
  const { title, schema } = published[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return { $schema, $id: schemaId(name), title, ...(singleTypes(rest) as object) };
}

// `"type": ["string", "number"]` is refused by strict validators; the same as alternatives is not.
function singleTypes(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(singleTypes);
  if (!isRecord(part)) return part;
  const { examples, ...rest } = part;
  const all = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, singleTypes(value)]));
  const { type, ...others } = all;
  const typed = Array.isArray(type) ? { anyOf: type.map((each: unknown) => ({ type: each })), ...others } : all;
  return examples === undefined ? typed : { ...typed, examples };
}

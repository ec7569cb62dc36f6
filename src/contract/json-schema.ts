// The wires as JSON Schema, for agents in other languages. The files under schema/ are made from here, and a test
// holds them to it.
import * as z from "zod";
import { linesCommandSchema } from "./lines-commands.js";
import { linesOutputSchema } from "./lines-outputs.js";
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
} as const;

export type PublishedSchemaName = keyof typeof published;

export const publishedSchemaNames = Object.keys(published) as PublishedSchemaName[];

export function publishedSchema(name: PublishedSchemaName): Record<string, unknown> {
  const { title, schema } = published[name];
  return { title, ...z.toJSONSchema(schema, { io: "input" }) };
}

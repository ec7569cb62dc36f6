// The OpenAPI description of a daemon, built from its routes and their schemas. Served at /openapi.json.
import * as z from "zod";
import { refusalSchema } from "../../contract/daemon.js";
import type { Route, RouteAnswer } from "./route.js";

/** What the guard and the application answer on every route. */
const COMMON_ANSWERS: Readonly<Record<number, string>> = {
  400: "The request is malformed",
  401: "The token is missing or wrong",
  403: "The Host or Origin is not the daemon's",
  405: "The path does not take this method",
};

export function openApiOf(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Palaver daemon", version, description: "State, actions, logs and asks of one project." },
    paths,
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
  };
}

function operationOf({ path, summary, access, query = [], body, answers }: Route): Record<string, unknown> {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = query.map((parameter) => ({ ...parameter, in: "query", schema: { type: "string" } }));
  return {
    summary,
    ...(access === "open" ? { security: [] } : {}),
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses: responsesOf(answers),
  };
}

function bodyOf({ schema, contentTypes, required }: NonNullable<Route["body"]>): Record<string, unknown> {
  const jsonSchema = jsonSchemaOf(schema, "input");
  return { required, content: Object.fromEntries(contentTypes.map((type) => [type, { schema: jsonSchema }])) };
}

function responsesOf(answers: Route["answers"]): Record<string, unknown> {
  const common = Object.entries(COMMON_ANSWERS).map(
    ([status, description]) => [status, { description, schema: refusalSchema }] as const,
  );
  const all: Record<string, RouteAnswer> = { ...Object.fromEntries(common), ...answers };
  return Object.fromEntries(
    Object.entries(all).map(([status, { description, schema, contentType = "application/json" }]) => [
      status,
      {
        description,
        ...(schema === undefined ? {} : { content: { [contentType]: { schema: jsonSchemaOf(schema) } } }),
      },
    ]),
  );
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output" = "output"): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

// A route as data. The application and the published description are both built from the same list.
import * as z from "zod";
import { refusalSchema } from "../../contract/daemon.js";
import { parsedJson } from "../../contract/json-value.js";
import { problemOf } from "../../contract/schema-problem.js";
import type { Caller } from "./request-guard.js";

export interface RouteRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** The parts of the path that the route named, such as `:id`. */
  readonly pathParams: Readonly<Record<string, string>>;
  readonly caller: Caller;
  /** The address of the other end. */
  readonly from: string;
  /** The client went away, or its device was revoked. */
  readonly signal: AbortSignal;
  /** The body as text; throws an `HttpRefusal` when it is too large or no UTF-8. */
  text(): Promise<string>;
  readonly raw: Request;
}

export interface RouteParameter {
  readonly name: string;
  readonly description: string;
}

export interface RouteAnswer {
  readonly description: string;
  /** Missing when there is no body. */
  readonly schema?: z.ZodType;
  /** application/json unless it says otherwise. */
  readonly contentType?: string;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** `/asks/:id/answer` */
  readonly path: string;
  readonly summary: string;
  /**
   * Missing: it needs the token, or the cookie of a paired device. "owner": the token. "share": a share may call it too, for the
   * session that is `:id` in the path. "open": anyone may.
   */
  readonly access?: "open" | "owner" | "share";
  readonly query?: readonly RouteParameter[];
  /** JSON, and required, unless it says otherwise. */
  readonly body?: {
    readonly schema: z.ZodType;
    readonly contentTypes?: readonly string[];
    readonly required?: boolean;
  };
  /** Without the answers of the guard, which every route has, and 413, which every body may get. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  handle(request: RouteRequest): HttpResult | Promise<HttpResult>;
}

export type RouteGroup = readonly Route[];

/** Throws unless this caller may use the route. */
export function admitCaller(
  { access, path }: Route,
  { pathParams, caller }: Pick<RouteRequest, "pathParams" | "caller">,
): void {
  if (caller.kind === "owner" || access === "open") return;
  if (caller.kind === "open") throw new HttpRefusal(401, "the token is missing or wrong");
  const { scope, session } = caller.device;
  if (access === "owner") throw new HttpRefusal(403, "only the owner of the daemon can do this, with its token");
  if (scope === "full") return;
  const isIts = access === "share" && (!path.includes(":id") || pathParams["id"] === session);
  if (!isIts) throw new HttpRefusal(403, "this link shows one session and allows nothing else");
}

/** What a caller is called where others see it. A device has the name that it was paired under. */
export function callerName(caller: Caller, given: string | null | undefined): string {
  if (caller.kind === "device") return caller.device.name;
  return given?.slice(0, NAME_CHARS_MAX) || "http";
}

const NAME_CHARS_MAX = 80;

/** Thrown by a route: the response has this status and message. */
export class HttpRefusal extends Error {
  override readonly name = "HttpRefusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A finished text, or a Response, which can be a stream. */
export type HttpResult = TextAnswer | Response;

/** Written to the socket directly: a Response costs more than most routes do. */
export class TextAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.text = text;
    this.headers = headers;
  }
}

export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): TextAnswer {
  return new TextAnswer(status, JSON.stringify(value), { "content-type": "application/json", ...headers });
}

/** With transfer-encoding the response head is sent at once, not with the first event. */
const streamHeaders = {
  "content-type": "text/event-stream",
  "transfer-encoding": "chunked",
  "x-accel-buffering": "no",
};

export function streamAnswer(events: ReadableStream<Uint8Array>): Response {
  return new Response(events, { headers: streamHeaders });
}

/** Server-sent events that the client pulls: nothing is prepared for one that does not read. `next` ends them with null. */
export function pulledEvents(head: string, next: () => Promise<string | null>, leave: () => void): Response {
  const encoder = new TextEncoder();
  const events = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(head)),
      async pull(controller) {
        const text = await next();
        if (text !== null) return controller.enqueue(encoder.encode(text));
        leave();
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return streamAnswer(events);
}

/** Validates a JSON body; a failure is a 400 with path and reason. */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Pick<RouteRequest, "text">,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const value = parsedJson(await request.text());
  if (value === undefined) throw new HttpRefusal(400, "the body is not JSON");
  const params = schema.safeParse(value);
  if (params.success) return params.data;
  const { where, what } = problemOf(params.error);
  throw new HttpRefusal(400, where === "" ? what : `${where}: ${what}`);
}

// The OpenAPI description of a daemon, built from its routes and their schemas. Served at /openapi.json.
const JSON_ONLY = ["application/json"];

/** What the guard and the application answer on every route. */
const COMMON_ANSWERS: Readonly<Record<number, string>> = {
  400: "The request is malformed",
  401: "The token is missing or wrong",
  403: "The Host or Origin is not the daemon's",
  405: "The path does not take this method",
};

const TOO_LARGE: RouteAnswer = { description: "The body is too large" };

export function openApiOf(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Schemas = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Palaver daemon", version, description: "State, actions, logs and asks of one project." },
    paths,
    components: {
      schemas,
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        device: { type: "apiKey", in: "cookie", name: "palaver_device" },
      },
    },
    security: [{ token: [] }, { device: [] }],
  };
}

function operationOf(
  { path, summary, access, query = [], body, answers }: Route,
  schemas: Schemas,
): Record<string, unknown> {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = query.map((parameter) => ({ ...parameter, in: "query", schema: { type: "string" } }));
  return {
    summary,
    ...(access === "open" ? { security: [] } : access === "owner" ? { security: [{ token: [] }] } : {}),
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { requestBody: bodyOf(body, schemas) }),
    responses: responsesOf(body === undefined ? answers : { 413: TOO_LARGE, ...answers }, schemas),
  };
}

function bodyOf(
  { schema, contentTypes = JSON_ONLY, required = true }: NonNullable<Route["body"]>,
  schemas: Schemas,
): Record<string, unknown> {
  const jsonSchema = jsonSchemaOf(schema, "input", schemas);
  return { required, content: Object.fromEntries(contentTypes.map((type) => [type, { schema: jsonSchema }])) };
}

function responsesOf(answers: Route["answers"], schemas: Schemas): Record<string, unknown> {
  const common = Object.entries(COMMON_ANSWERS).map(
    ([status, description]) => [status, { description, schema: refusalSchema }] as const,
  );
  const all: Record<string, RouteAnswer> = { ...Object.fromEntries(common), ...answers };
  return Object.fromEntries(
    Object.entries(all).map(([status, { description, schema, contentType = "application/json" }]) => [
      status,
      {
        description,
        ...(schema === undefined
          ? {}
          : { content: { [contentType]: { schema: jsonSchemaOf(schema, "output", schemas) } } }),
      },
    ]),
  );
}

/** The named schemas of the document. */
type Schemas = Record<string, unknown>;

const DEFINITION = "#/$defs/";

// A named schema that is read has more required fields than the same schema in a request, so it gets two names.
function jsonSchemaOf(schema: z.ZodType, io: "input" | "output", schemas: Schemas): unknown {
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io });
  const nameOf = (name: string) => (io === "input" ? name : `${name}Output`);
  const renamed = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) =>
      key === "$ref" && typeof value === "string" && value.startsWith(DEFINITION)
        ? `#/components/schemas/${nameOf(value.slice(DEFINITION.length))}`
        : value,
    );
  for (const [name, { id: _id, ...definition }] of Object.entries($defs)) schemas[nameOf(name)] = renamed(definition);
  return renamed(rest);
}

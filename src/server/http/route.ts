// A route as data. The application and the published description are both built from the same list.
import type * as z from "zod";
import { problemOf } from "../../contract/schema-problem.js";

export interface RouteRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** The parts of the path that the route named, such as `:id`. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** The client went away. */
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
  /** Missing: it needs the token. */
  readonly access?: "open";
  readonly query?: readonly RouteParameter[];
  readonly body?: { readonly schema: z.ZodType; readonly contentTypes: readonly string[]; readonly required: boolean };
  /** Without the answers of the guard, which every route has. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  handle(request: RouteRequest): HttpResult | Promise<HttpResult>;
}

export type RouteGroup = readonly Route[];

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

/** Validates a JSON body; a failure is a 400 with path and reason. */
export async function readJsonBody<Schema extends z.ZodType>(
  request: Pick<RouteRequest, "text">,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const params = schema.safeParse(parsed(await request.text()));
  if (params.success) return params.data;
  const { where, what } = problemOf(params.error);
  throw new HttpRefusal(400, where === "" ? what : `${where}: ${what}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal(400, "the body is not JSON");
  }
}

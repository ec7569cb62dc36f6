// A route as data: what it answers to, what it takes and gives as schemas, and the function that does it. The application
// and the published description are both made from the same list, so that neither can promise what the other lacks.
import type * as z from "zod";

export interface RouteRequest {
  readonly url: URL;
  readonly headers: Headers;
  /** The parts of the path that the route named, such as `:id`. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** The client went away. */
  readonly signal: AbortSignal;
  /** The body as text; throws an `HttpRefusal` when it is too large or no UTF-8. */
  text(): Promise<string>;
  /** The request as it came, for parts that want it whole. */
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
  /** The answers that are this route's own; what the guard answers is added to every route. */
  readonly answers: Readonly<Record<number, RouteAnswer>>;
  handle(request: RouteRequest): HttpResult | Promise<HttpResult>;
}

/** A part of a daemon that brings routes with it: state, logs, asks, and whatever else is hosted. */
export type RouteGroup = readonly Route[];

/** Thrown anywhere below a route: the request is answered with this status and sentence. */
export class HttpRefusal extends Error {
  override readonly name = "HttpRefusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a route answers: a text that is there already, or a Response, which can be a stream. */
export type HttpResult = TextAnswer | Response;

/** Written to the socket as it is: the streams and headers of a Response cost more than most routes themselves. */
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

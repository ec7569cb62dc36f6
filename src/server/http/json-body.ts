// The body of a request as JSON of a known shape; what is none, or has another shape, is refused with the place and the reason.
import type * as z from "zod";
import { problemOf } from "../../contract/schema-problem.js";
import { HttpRefusal, type RouteRequest } from "./route.js";

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

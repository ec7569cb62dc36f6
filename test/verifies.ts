// How a test says which promises it proves: `verifies("daemon.14", "wires.crlf")` as a statement in the test's body.
// The compiler checks the ids, this check catches what slipped past it, and the tidy test counts the citations.
import { type RequirementId, requirements } from "./requirements.js";

const known: ReadonlySet<string> = new Set(requirements.map(({ id }) => id));

export function verifies(...ids: RequirementId[]): void {
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Error(`No such requirement: ${unknown.join(", ")}. See test/requirements.ts.`);
}

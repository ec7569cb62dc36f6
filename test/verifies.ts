// How a test says which promises it proves: `verifies("wires.any-chunking")` in the test's body. The compiler checks the ids.
import { expect } from "vitest";
import type { requirements } from "./requirements.js";

export function verifies(..._ids: (keyof typeof requirements)[]): void {
  if (expect.getState().currentTestName === undefined) throw new Error("verifies() proves nothing outside of a test");
}

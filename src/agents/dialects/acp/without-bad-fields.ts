// What is left of a frame when the fields that make no sense are taken out: the protocol wants a reader to do without a field
// that it cannot read, and without an item of a list that it cannot read, rather than without all of it.
//
//   { toolCallId: "c1", title: "Read", locations: [{ path: 7 }, { path: "/a" }] }
//   { toolCallId: "c1", title: "Read", locations: [{ path: "/a" }] }
import type { JsonObject } from "../frames/json-frame.js";

type Path = readonly PropertyKey[];

/** Nothing comes of a frame that lacks what it needs: the same fields are bad again. */
export function withoutBadFields(frame: JsonObject, bad: readonly Path[]): JsonObject {
  const left: JsonObject = { ...frame };
  for (const [field, ...rest] of fromTheEnd(bad)) {
    if (typeof field !== "string") continue;
    const [index] = rest;
    const list = left[field];
    if (typeof index === "number" && Array.isArray(list)) left[field] = list.toSpliced(index, 1);
    else delete left[field];
  }
  return left;
}

// Later items go first, so that the places of the others stay what they are; one with two faults goes once.
function fromTheEnd(bad: readonly Path[]): Path[] {
  const places = new Map(bad.map((path) => [JSON.stringify(path.slice(0, 2).map(String)), path]));
  const indexOf = ([, index]: Path) => (typeof index === "number" ? index : -1);
  return [...places.values()].sort((a, b) => indexOf(b) - indexOf(a));
}

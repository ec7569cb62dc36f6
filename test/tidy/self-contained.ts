// The project speaks of itself alone: a reader who has nothing but a clone finds no pointer to places or papers that
// are not in it. The patterns are put together from pieces, so that this file does not match itself.
import { type Finding, findingsOf, type SourceFile } from "./source-file.js";

const slash = "/";
const machineFolders = ["work", "root", "farm"].join("|");
const absentPapers = ["DESIGN", "STYLE", "LOOK"].join("|");

const FOREIGN: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: new RegExp(`(?<![\\w.~${slash}-])${slash}(?:${machineFolders})(?![\\w-])[\\w./-]*`),
    message: "is a path of one machine: use a path inside the project or a temporary folder",
  },
  {
    pattern: new RegExp(`\\bseed${"[\\s-]+"}projects?\\b`, "i"),
    message: "is not part of this project: say it in its words",
  },
  {
    pattern: new RegExp(`\\b(?:${absentPapers})\\.md\\b`),
    message: "is not in this project: point to a page under docs/ instead",
  },
];

export function checkSelfContained(file: SourceFile): Finding[] {
  return FOREIGN.flatMap(({ pattern, message }) =>
    findingsOf(file, "text", pattern, (match) => `"${match}" ${message}`),
  );
}

// Finds helpers that clean up in a hook of their own. Files of tests share their workers and the helpers in them, and a hook is
// set for the first file alone: what the others open would stay open. `onTestFinished` belongs to the test that runs.
import { type Finding, lineAt, type SourceFile } from "./source-file.js";

const HOOK = /^(?:before|after)(?:Each|All)\s*\(/gm;
/** Where each file has a process of its own. */
const ALONE = /(?:^|\/)(?:e2e|simulator)\//;

export function checkSharedHooks({ path, text, code }: SourceFile): Finding[] {
  if (!path.startsWith("test/") || path.endsWith(".test.ts") || ALONE.test(path)) return [];
  return [...code.matchAll(HOOK)].map(({ index }) => ({
    path,
    line: lineAt(text, index),
    message:
      "sets a hook for the first file only that uses it: use onTestFinished in the function that opens something",
  }));
}

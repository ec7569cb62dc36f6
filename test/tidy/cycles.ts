// Finds files of src/ that import each other in a circle when they are evaluated: one of them would see the other half-done.
import { importsOf, resolveImport } from "./imports.js";
import type { Finding, SourceFile } from "./source-file.js";

export function checkCycles(files: readonly SourceFile[]): Finding[] {
  const left = new Map(files.filter(({ path }) => path.startsWith("src/")).map((file) => [file.path, targetsOf(file)]));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    // A file that imports none of those left, or that none of them imports, is in no circle.
    const imported = new Set([...left.values()].flat());
    for (const [path, targets] of left) {
      if (!imported.has(path) || !targets.some((target) => left.has(target))) left.delete(path);
    }
  }
  return [...left].map(([path, targets]) => ({
    path,
    line: 1,
    message: `is in an import cycle with ${targets.filter((target) => left.has(target)).join(", ")}: move what they share`,
  }));
}

function targetsOf(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ kind }) => kind === "value")
    .flatMap(({ specifier }) => resolveImport(file.path, specifier) ?? []);
}

// The name that was probably meant by one that does not exist: misspelt settings, keys and frame types are reported with it.

/** The nearest of `names`, when it is near enough to be a typing mistake; null otherwise. Case does not count. */
export function nearestName(
  word: string,
  names: Iterable<string>,
  slipsMax: number = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3)),
): string | null {
  let nearest: { name: string; slips: number } | null = null;
  for (const name of names) {
    const slips = slipsBetween(word.toLowerCase(), name.toLowerCase());
    if (slips <= slipsMax && (nearest === null || slips < nearest.slips)) nearest = { name, slips };
  }
  return nearest?.name ?? null;
}

/** Letters put in, left out, changed or swapped with their neighbour; the last two rows of the usual table are enough. */
export function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}

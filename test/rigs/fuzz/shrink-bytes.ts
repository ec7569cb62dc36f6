// Makes a failing input small enough to be read: takes away ever smaller pieces as long as the rest fails in the same way.

const TRIES_MAX = 3_000;

export async function shrinkBytes(
  bytes: Uint8Array,
  failure: string,
  failureOf: (bytes: Uint8Array) => Promise<string | null>,
): Promise<Uint8Array> {
  const kind = kindOf(failure);
  let best = bytes;
  let tries = TRIES_MAX;
  for (let size = Math.ceil(bytes.length / 2); size >= 1 && tries > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && tries > 0; tries--) {
      const candidate = without(best, at, size);
      const again = await failureOf(candidate);
      if (again !== null && kindOf(again) === kind) best = candidate;
      else at += size;
    }
  }
  return best;
}

// Words in a message may quote the input; its beginning says which promise was broken.
function kindOf(failure: string): string {
  return (failure.split("\n")[0] ?? "").slice(0, 40);
}

function without(bytes: Uint8Array, at: number, size: number): Uint8Array {
  const rest = new Uint8Array(Math.max(at, bytes.length - size));
  rest.set(bytes.subarray(0, at));
  rest.set(bytes.subarray(at + size), at);
  return rest;
}

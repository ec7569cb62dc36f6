// What the stand-in for a model's API answers, one step for each request, the same for both APIs.

export type ModelStep = {
  readonly think?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown; readonly id?: string }[];
  /** Refuses the request instead. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** After the text: "cut" breaks the connection, "end" ends it without a word, "hang" keeps it open. */
  readonly ending?: "cut" | "end" | "hang";
  readonly finish?: "stop" | "length";
  readonly usage?: { readonly input: number; readonly output: number; readonly cacheRead?: number };
  /** How much text comes in one event. */
  readonly pieceChars?: number;
};

export function piecesOf(text: string, pieceChars = 12): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceChars) pieces.push(text.slice(at, at + pieceChars));
  return pieces;
}

export function idOf(call: { readonly id?: string }, place: number): string {
  return call.id ?? `call_${place + 1}`;
}

export function usageOf({ usage }: ModelStep) {
  return { input: usage?.input ?? 100, output: usage?.output ?? 10, cacheRead: usage?.cacheRead ?? 0 };
}

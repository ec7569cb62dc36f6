// Small things about words: paths and quotes as they stand in a sentence, and which example is nearest to a text.

/** A path out of a sentence: quotes, punctuation at its end and "the folder" around it do not belong to it. */
export function pathIn(text: string): string {
  const bare = unquoted(
    text
      .trim()
      .replace(/[?!]+$/, "")
      .trim(),
  );
  if (/^(?:(?:this|the|my|current)\s+)*(?:folder|directory|dir|project|repo(?:sitory)?|here)?$/i.test(bare)) return ".";
  return bare.replace(/^(?:the\s+)?(?:folder|directory|file)\s+/i, "").replace(/\s+(?:folder|directory)$/i, "");
}

export function unquoted(text: string): string {
  const quoted = /^(["'`“«])([\s\S]*)(["'`”»])$/.exec(text.trim());
  return quoted?.[2] ?? text.trim();
}

/** The example that shares the most words with the text; null when none shares any. */
export function nearest<Item>(
  text: string,
  items: readonly Item[],
  examplesOf: (item: Item) => readonly string[],
): Item | null {
  const spoken = wordsOf(text);
  const scored = items.map((item) => ({
    item,
    score: Math.max(...examplesOf(item).map((each) => shared(spoken, each))),
  }));
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score > 0 ? best.item : null;
}

function shared(spoken: ReadonlySet<string>, example: string): number {
  const words = wordsOf(example);
  const common = [...words].filter((word) => spoken.has(word)).length;
  return common / Math.sqrt(words.size || 1);
}

const fillers: ReadonlySet<string> = new Set(
  "a an the is in me my this to of with it something could please".split(" "),
);

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(words.filter((word) => !fillers.has(word)));
}

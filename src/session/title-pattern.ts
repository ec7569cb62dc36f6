// Patterns for titles of questions: `*` stands for any run of characters and `?` for one, and nothing else is special. A
// title is a sentence, not a path, so that a star reaches over slashes too. Matching takes time in proportion to the text.

export function titleMatches(pattern: string, title: string): boolean {
  let [at, from] = [0, 0];
  // Where to go on when what follows the last star does not fit: one character later.
  let [starAt, starFrom] = [-1, 0];
  while (from < title.length) {
    const wanted = pattern[at];
    if (wanted === "*") {
      [starAt, starFrom] = [at, from];
      at += 1;
    } else if (wanted === "?" || wanted === title[from]) {
      at += 1;
      from += 1;
    } else if (starAt >= 0) {
      starFrom += 1;
      [at, from] = [starAt + 1, starFrom];
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

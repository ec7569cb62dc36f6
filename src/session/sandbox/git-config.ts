// Git's file format for settings, as far as the sandbox needs it: the values of some keys, whatever section they are in. A key
// can stand on one line with its section, a value over several lines and in quotes.

/** `keys` in lower case. */
export function gitSettings(text: string, keys: readonly string[]): { key: string; value: string }[] {
  const found = text.replace(/\\\r?\n/g, "").matchAll(/(?:^|\])[^\S\n]*([a-z]+)[^\S\n]*=[^\S\n]*(.*)$/gim);
  return [...found]
    .map(([, key = "", value = ""]) => ({ key: key.toLowerCase(), value: plain(value) }))
    .filter(({ key }) => keys.includes(key));
}

/** Without quotes, escapes and the comment behind it. */
function plain(value: string): string {
  const parts = value.matchAll(/"((?:\\.|[^"\\])*)"?|\\(.)|([^"\\#;]+)|[#;].*/g);
  const unescaped = (text: string) => text.replace(/\\(.)/g, "$1");
  return [...parts]
    .map(([, quoted, escaped, bare]) => unescaped(quoted ?? "") + (escaped ?? bare ?? ""))
    .join("")
    .trim();
}

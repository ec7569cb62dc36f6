// A file is one idea and its name is the noun for it, in kebab-case; names that could hold anything are refused.
import type { Finding } from "./source-file.js";

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SUFFIX = /(?:\.test|\.d|\.config)?\.(?:ts|mjs|py|sh)$/;
const SHAPELESS = new Set(["utils", "util", "helpers", "helper", "index", "common", "misc"]);

export function checkFileName({ path }: { readonly path: string }): Finding[] {
  const parts = path.replace(SUFFIX, "").split("/");
  const shapeless = parts.filter((part) => SHAPELESS.has(part));
  const crooked = parts.filter((part) => !KEBAB.test(part));
  const messages = [
    ...shapeless.map((part) => `"${part}" could hold anything: name it after the one idea it owns`),
    ...crooked.map((part) => `"${part}" is not kebab-case: use lower-case words joined by hyphens`),
  ];
  return messages.map((message) => ({ path, line: 1, message }));
}

// The declarations in dist/types refer to those of zod, which is bundled like everything else. Those it needs are copied beside
// them, so that the package depends on nothing.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const REFERENCE = /(from |import\()"(\.[^"]*)\.js"/g;

/** `types` is the folder of our declarations, `zod` that of the package. */
export function ownTypes(types, zod) {
  copyDeclarations(zod, join(types, "zod"));
  for (const name of readdirSync(types, { recursive: true })) {
    const path = join(types, name);
    if (!name.endsWith(".d.ts") || name.startsWith("zod")) continue;
    const to = relative(dirname(path), join(types, "zod", "index.js"));
    const text = readFileSync(path, "utf8");
    const own = text.replace(/(from |import\()"zod"/g, `$1"${to.startsWith(".") ? to : `./${to}`}"`);
    // A compiler that loads no types by itself finds those of Node, where they are installed.
    const needsNode = /from "node:|\bNodeJS\./.test(own) ? '/// <reference types="node" />\n' : "";
    if (own !== text || needsNode !== "") writeFileSync(path, needsNode + own);
  }
}

// Only what can be reached from the entry; of the words in fifty languages, one.
function copyDeclarations(from, to) {
  const waiting = ["index.d.ts"];
  const seen = new Set(waiting);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const isWords = name === join("v4", "locales", "index.d.ts");
    const text = isWords ? 'export { default as en } from "./en.js";\n' : readFileSync(join(from, name), "utf8");
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
    for (const [, , reference = ""] of text.matchAll(REFERENCE)) {
      const next = join(dirname(name), `${reference}.d.ts`);
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
}

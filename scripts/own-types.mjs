// The declarations in dist/types refer to those of zod, which is bundled like everything else. Those it needs are copied beside
// them, so that the package depends on nothing; those of ours that no entry of the package reaches are left out.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const REFERENCE = /(from |import\()"(\.[^"]*)\.js"/g;

/** `types` is the folder of our declarations, `zod` that of the package; `entries` are the declarations that others import. */
export function ownTypes(types, zod, entries) {
  const needed = reached(types, entries);
  for (const name of readdirSync(types, { recursive: true })) {
    if (!needed.has(name) && statSync(join(types, name)).isFile()) rmSync(join(types, name));
  }
  copyDeclarations(zod, join(types, "zod"));
  for (const name of readdirSync(types, { recursive: true })) {
    const path = join(types, name);
    if (!name.endsWith(".d.ts") || name.startsWith("zod")) continue;
    const to = relative(dirname(path), join(types, "zod", "index.js"));
    const text = readFileSync(path, "utf8");
    const own = text.replace(/(from |import\()"zod"/g, `$1"${to.startsWith(".") ? to : `./${to}`}"`);
    if (own !== text) writeFileSync(path, own);
  }
}

// Of the words in fifty languages, one.
function copyDeclarations(from, to) {
  const words = { [join("v4", "locales", "index.d.ts")]: 'export { default as en } from "./en.js";\n' };
  for (const [name, text] of reached(from, ["index.d.ts"], words)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
  }
}

/** The declarations that these refer to, and they themselves; `changed` are texts that differ from the files. */
function reached(folder, entries, changed = {}) {
  const found = new Map();
  const waiting = [...entries];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    const text = changed[name] ?? readFileSync(join(folder, name), "utf8");
    found.set(name, text);
    for (const [, , reference] of text.matchAll(REFERENCE)) waiting.push(join(dirname(name), `${reference}.d.ts`));
  }
  return found;
}

// `npm run site [-- --out FOLDER]`: the README and the docs as a static site in site/ (or FOLDER). It needs no server: open index.html.
// Links between pages become links between files; a link to something that is not there ends the run with exit code 1.
import "./script-help.mjs";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { parseArgs } from "node:util";
import { Marked } from "marked";
import { root } from "./setup.mjs";

const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "site") } } });
const { out } = values;
const guides = readdirSync(join(root, "docs", "guides"))
  .sort((one, other) => place(one) - place(other) || one.localeCompare(other))
  .map((name) => `docs/guides/${name}`);
const reference = ["protocol", "client-contract", "api", "terminals", "platforms", "performance", "coming-from"];
const groups = [
  ["Palaver", ["README.md", "CHANGELOG.md"]],
  ["Guides", guides],
  ["Reference", [...reference.map((name) => `docs/${name}.md`), "SECURITY.md"]],
  ["Contributing", ["CONTRIBUTING.md", "docs/ARCHITECTURE.md"]],
];
const pages = groups.flatMap(([, paths]) => paths);
const titles = new Map(
  pages.map((path) => [path, /^# (.+)$/m.exec(readFileSync(join(root, path), "utf8"))?.[1] ?? path]),
);
const anchors = new Map(pages.map((path) => [path, new Set()]));
const links = [];

rmSync(out, { recursive: true, force: true });
for (const path of pages) {
  const target = join(out, fileOf(path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, pageOf(path));
}
cpSync(join(root, "docs", "pictures"), join(out, "docs", "pictures"), { recursive: true });
writeFileSync(join(out, "site.css"), style());

const broken = links.filter(({ to, anchor }) => anchor !== "" && anchors.get(to)?.has(anchor) === false);
for (const { from, to, anchor } of broken) console.error(`${from}: ${to} has no heading #${anchor}`);
console.log(`${pages.length} pages are in ${out}; open ${join(out, "index.html")}`);
process.exitCode = broken.length === 0 && process.exitCode !== 1 ? 0 : 1;

/** What most readers want comes first. */
function place(guide) {
  const first = ["use-an-agent.md", "built-in-agent.md", "page-and-phone.md"];
  return first.includes(guide) ? first.indexOf(guide) : first.length;
}

function fileOf(path) {
  return path === "README.md" ? "index.html" : path.replace(/\.md$/, ".html");
}

function pageOf(path) {
  const up = "../".repeat(path.split("/").length - 1);
  const seen = anchors.get(path);
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(text, seen);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const to = linkFrom(path, href);
        const words = this.parser.parseInline(tokens);
        return to === null ? words : `<a href="${escaped(to)}">${words}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(href)}" alt="${escaped(text)}" loading="lazy">`;
      },
      // Comments mark what scripts write; nothing else in the docs is HTML.
      html: ({ text }) => (text.trim().startsWith("<!--") ? "" : escaped(text)),
    },
  });
  const body = marked.parse(readFileSync(join(root, path), "utf8"));
  const policy = "default-src 'none'; style-src 'self' file:; img-src 'self' file: data:";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(titles.get(path))}${path === "README.md" ? "" : " – Palaver"}</title>
<link rel="stylesheet" href="${up}site.css">
<body>
<nav aria-label="pages">${navigation(path, up)}</nav>
<main>${body}</main>
</body>
</html>
`;
}

function navigation(current, up) {
  return groups
    .map(([name, paths]) => {
      const items = paths.map((path) => {
        const here = path === current ? ' aria-current="page"' : "";
        return `<li><a href="${up}${fileOf(path)}"${here}>${escaped(titles.get(path))}</a></li>`;
      });
      return `<h2>${name}</h2><ul>${items.join("")}</ul>`;
    })
    .join("");
}

// Null for files that are not part of the site: they are only named.
function linkFrom(path, href) {
  if (/^[a-z]+:/.test(href)) return href;
  const [file, anchor = ""] = href.split("#");
  const to = file === "" ? path : posix.normalize(posix.join(posix.dirname(path), file));
  if (anchors.has(to)) {
    links.push({ from: path, to, anchor });
    if (file === "") return `#${anchor}`;
    const target = posix.relative(posix.dirname(path), fileOf(to)) || basename(fileOf(to));
    return anchor === "" ? target : `${target}#${anchor}`;
  }
  if (!existsSync(join(root, to))) {
    console.error(`${path}: there is no ${href}`);
    process.exitCode = 1;
  }
  return to.startsWith("docs/pictures/") ? href : null;
}

/** As the forges make them: lower case, no punctuation, hyphens; a second one of the same name gets a number. */
function anchorOf(text, seen) {
  const plain = text
    .replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  let id = plain;
  for (let more = 1; seen.has(id); more += 1) id = `${plain}-${more}`;
  seen.add(id);
  return id;
}

function escaped(text) {
  const names = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return String(text).replace(/[&<>"]/g, (sign) => names[sign]);
}

function style() {
  return `:root { color-scheme: light dark; --text: #24292f; --dim: #6e7781; --back: #ffffff; --rule: #d8dee4; --accent: #0a58ca; --code: #f3f5f7 }
@media (prefers-color-scheme: dark) { :root { --text: #d7dde5; --dim: #7d8896; --back: #0f151c; --rule: #2b3641; --accent: #6cb6ff; --code: #1a222a } }
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--back) }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--rule); font-size: 0.9rem; position: sticky; top: 0; height: 100vh; overflow: auto }
nav h2 { font-size: 0.8rem; color: var(--dim); margin: 1.2rem 0 0.3rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: 0.2rem 0.4rem; text-decoration: none }
nav a[aria-current] { border-left: 3px solid var(--accent); font-weight: 600 }
main { padding: 1.5rem 2rem 4rem; max-width: 60rem }
a { color: var(--accent) }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.8em 0 0.6em }
h1 { margin-top: 0 }
img { max-width: 100% }
code, pre { font: 0.88em/1.5 ui-monospace, monospace; background: var(--code); border-radius: 4px }
code { padding: 0.1em 0.3em }
pre { padding: 0.8rem 1rem; overflow-x: auto }
pre code { padding: 0; font-size: 1em }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid var(--rule); padding: 0.4rem 0.7rem; text-align: left; vertical-align: top }
th:empty { padding: 0 }
@media (max-width: 50rem) {
  body { display: block }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--rule); columns: 2 }
  main { padding: 1rem }
}
`;
}

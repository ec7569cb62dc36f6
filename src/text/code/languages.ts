// The languages with a grammar, and how one is recognised: by the word behind a fence or the name of a file. The grammars
// themselves are in `grammar-run.ts`, which a page loads only when it shows code.

const LANGUAGES = [
  "bash",
  "c",
  "cpp",
  "csharp",
  "css",
  "diff",
  "dockerfile",
  "elixir",
  "go",
  "graphql",
  "ini",
  "java",
  "javascript",
  "json",
  "kotlin",
  "lua",
  "makefile",
  "markdown",
  "php",
  "python",
  "ruby",
  "rust",
  "shell",
  "sql",
  "swift",
  "typescript",
  "xml",
  "yaml",
] as const;

export type Language = (typeof LANGUAGES)[number];

/** Other names, by language: what people write behind a fence, and the endings of files. */
const ALIASES: Readonly<Partial<Record<Language, string>>> = {
  bash: "sh zsh ksh fish",
  c: "h",
  cpp: "cc cxx c++ hh hpp hxx",
  csharp: "cs c#",
  css: "less scss",
  diff: "patch",
  dockerfile: "docker containerfile",
  elixir: "ex exs",
  go: "golang",
  graphql: "gql",
  ini: "cfg conf properties toml",
  javascript: "cjs js jsx mjs node",
  json: "json5 jsonc jsonl ndjson ipynb",
  kotlin: "kt kts",
  makefile: "make mk gnumakefile",
  markdown: "md mdx",
  python: "py py3 pyi",
  ruby: "rb gemfile rakefile",
  rust: "rs",
  shell: "console shell-session shellsession",
  sql: "mysql postgres postgresql sqlite",
  typescript: "cts mts ts tsx",
  xml: "htm html svg vue xhtml",
  yaml: "yml",
};

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) =>
    [language, ...(ALIASES[language]?.split(" ") ?? [])].map((name) => [name, language] as const),
  ),
);

/** By name: `ts`, `Python`, `c++`. */
export function languageOfName(name: string): Language | undefined {
  return BY_NAME.get(name.trim().toLowerCase());
}

/** By the first word behind a fence: `ts title="a.ts"`, `{.python}`, `rust,ignore`. */
export function languageOfFence(info: string): Language | undefined {
  const word = /^[\s{.]*([^\s{}.,:]+)/.exec(info)?.[1];
  return word === undefined ? undefined : languageOfName(word);
}

/** By the ending of a file, else by its whole name (`Makefile`). */
export function languageOfPath(path: string): Language | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  const byEnding = dot > 0 ? languageOfName(name.slice(dot + 1)) : undefined;
  return byEnding ?? languageOfName(dot > 0 ? name.slice(0, dot) : name);
}

// The languages with a grammar, and how one is recognised: by the word behind a fence or the name of a file. A grammar
// is compiled on first use.
import type { LanguageFn } from "highlight.js";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const GRAMMARS = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  elixir,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
} as const satisfies Readonly<Record<string, LanguageFn>>;

export type Language = keyof typeof GRAMMARS;

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

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  (Object.keys(GRAMMARS) as Language[]).flatMap((language) =>
    [language, ...(ALIASES[language]?.split(" ") ?? [])].map((name) => [name, language]),
  ),
);

/** Languages inside others. */
const EMBEDDED: Partial<Readonly<Record<Language, readonly Language[]>>> = {
  markdown: ["xml"],
  php: ["xml"],
  shell: ["bash"],
  xml: ["javascript", "css"],
};

export function embeddedIn(language: Language): readonly Language[] {
  return EMBEDDED[language] ?? [];
}

export function grammarOf(language: Language): LanguageFn {
  return GRAMMARS[language];
}

/** By name: `ts`, `Python`, `c++`. */
export function languageOfName(name: string): Language | undefined {
  return LANGUAGES.get(name.trim().toLowerCase());
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

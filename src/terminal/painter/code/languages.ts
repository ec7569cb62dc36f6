// The languages that code is coloured in, and how one is recognised: from the word behind a fence, from the name of a
// file, or from its ending. A grammar is compiled when the first code in its language appears.

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

/** Other names: what people write behind a fence, and the endings of files. */
const ALIASES: Readonly<Record<string, Language>> = {
  sh: "bash",
  zsh: "bash",
  ksh: "bash",
  fish: "bash",
  h: "c",
  cc: "cpp",
  cxx: "cpp",
  "c++": "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  cs: "csharp",
  "c#": "csharp",
  less: "css",
  scss: "css",
  patch: "diff",
  docker: "dockerfile",
  containerfile: "dockerfile",
  ex: "elixir",
  exs: "elixir",
  golang: "go",
  gql: "graphql",
  cfg: "ini",
  conf: "ini",
  properties: "ini",
  toml: "ini",
  cjs: "javascript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  node: "javascript",
  json5: "json",
  jsonc: "json",
  jsonl: "json",
  ndjson: "json",
  ipynb: "json",
  kt: "kotlin",
  kts: "kotlin",
  make: "makefile",
  mk: "makefile",
  gnumakefile: "makefile",
  md: "markdown",
  mdx: "markdown",
  py: "python",
  py3: "python",
  pyi: "python",
  rb: "ruby",
  gemfile: "ruby",
  rakefile: "ruby",
  rs: "rust",
  console: "shell",
  "shell-session": "shell",
  shellsession: "shell",
  mysql: "sql",
  postgres: "sql",
  postgresql: "sql",
  sqlite: "sql",
  cts: "typescript",
  mts: "typescript",
  ts: "typescript",
  tsx: "typescript",
  htm: "xml",
  html: "xml",
  svg: "xml",
  vue: "xml",
  xhtml: "xml",
  yml: "yaml",
};

/** Languages that appear inside others: the script of a page, the command behind a prompt. */
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

/** The language of a name (`ts`, `Python`, `c++`), or undefined when we have no grammar for it. */
export function languageOfName(name: string): Language | undefined {
  const known = name.trim().toLowerCase();
  if (Object.hasOwn(GRAMMARS, known)) return known as Language;
  return Object.hasOwn(ALIASES, known) ? ALIASES[known] : undefined;
}

/** The language of a fence: the first word behind it, as in `ts title="a.ts"`, `{.python}` or `rust,ignore`. */
export function languageOfFence(info: string): Language | undefined {
  const word = /^[\s{.]*([^\s{}.,:]+)/.exec(info)?.[1];
  return word === undefined ? undefined : languageOfName(word);
}

/** The language of a file by its ending, else by its whole name (`Makefile`). */
export function languageOfPath(path: string): Language | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  const byEnding = dot > 0 ? languageOfName(name.slice(dot + 1)) : undefined;
  return byEnding ?? languageOfName(dot > 0 ? name.slice(0, dot) : name);
}

// What a declaration file exports: each name with its comment and its declaration, followed through re-exports.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** In the order in which the file lists them. */
export function readExports(file) {
  return statements(readFileSync(file, "utf8")).flatMap(({ comment, code }) => {
    const [, names, from] = /^export (?:type )?(\*|\{[^}]*\})\s*from "(.+)\.js";$/s.exec(code) ?? [];
    if (from === undefined) return declared(comment, code);
    const others = readExports(join(dirname(file), `${from}.d.ts`));
    // What is exported as a type cannot be called.
    if (names === "*")
      return code.startsWith("export type")
        ? others.filter((other) => !/^(?:function|const)\b/.test(other.code))
        : others;
    const wanted = names
      .slice(1, -1)
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter(Boolean);
    return wanted.flatMap((name) => {
      const [original, shown = original] = name.split(" as ");
      return others.filter((other) => other.name === original).map((other) => ({ ...other, name: shown }));
    });
  });
}

function declared(comment, code) {
  const [, name] =
    /^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/.exec(code) ?? [];
  return name === undefined ? [] : [{ name, comment, code: code.replace(/^export (?:declare )?/, "") }];
}

/** The statements of a file, each with the comment in front of it. Brackets, strings and comments are all there is to know. */
function statements(text) {
  const found = [];
  let comment = "";
  for (let at = 0; at < text.length; ) {
    const [blank] = /^\s*/.exec(text.slice(at)) ?? [""];
    at += blank.length;
    const [said] = /^(?:\/\*[\s\S]*?\*\/|\/\/.*)/.exec(text.slice(at)) ?? [];
    if (said !== undefined) {
      comment = said.startsWith("/**") ? words(said) : comment;
      at += said.length;
      continue;
    }
    const end = endOf(text, at);
    const code = text.slice(at, end).trim();
    if (code !== "") found.push({ comment, code });
    comment = "";
    at = end;
  }
  return found;
}

function words(comment) {
  const lines = comment.slice(3, -2).split("\n");
  return lines
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}

// A statement ends with a semicolon outside of brackets, or with the brace that closes an interface or a class.
function endOf(text, start) {
  const isBlock = /^export (?:declare )?(?:abstract )?(?:interface|class|enum|namespace)\b/.test(
    text.slice(start, start + 60),
  );
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const [skipped] =
      /^(?:\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|=>)/.exec(text.slice(at, at + 4_000)) ??
      [];
    if (skipped !== undefined) at += skipped.length - 1;
    else if ("{[(".includes(text[at])) depth += 1;
    else if ("}])".includes(text[at])) {
      depth -= 1;
      if (depth === 0 && isBlock && text[at] === "}") return at + 1;
    } else if (text[at] === ";" && depth === 0) return at + 1;
  }
  return text.length;
}

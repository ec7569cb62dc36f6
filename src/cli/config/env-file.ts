// Variables for agents from a file such as `.env`, which only a person's own settings can name. What is set already is
// never overridden, and what decides how programs run (paths, preloads, Palaver itself) is never taken from a file.
import type { Environment } from "../../session/user-folders.js";
import { readPlainText } from "./config-file.js";

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;
const NEVER =
  /^(?:PALAVER_.*|PATH|HOME|SHELL|IFS|ENV|BASH_ENV|NODE_.*|LD_.*|DYLD_.*|PYTHON(?:PATH|STARTUP|HOME)|PERL5.*|RUBY.*|GIT_.*|SSH_.*|EDITOR|VISUAL|PAGER|.*_PROXY)$/i;

/** The environment with what the file adds; the same when there is no such file. */
export function withEnvFile(environment: Environment, path: string): Environment {
  let text: string;
  try {
    text = readPlainText(path, "links-followed");
  } catch {
    return environment;
  }
  const added = variablesIn(text).filter(([name]) => environment[name] === undefined && !NEVER.test(name));
  return { ...Object.fromEntries(added), ...environment };
}

export function variablesIn(text: string): (readonly [name: string, value: string])[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const match = LINE.exec(line);
    return match === null ? [] : [[match[1] ?? "", plainValue(match[2] ?? "")] as const];
  });
}

// Nothing is expanded: a value is what stands there.
function plainValue(written: string): string {
  const quoted = /^(["'])(.*?)\1\s*(?:#.*)?$/.exec(written);
  if (quoted === null) return written.replace(/\s+#.*$/, "");
  const [, quote, inside = ""] = quoted;
  return quote === '"' ? inside.replaceAll("\\n", "\n").replaceAll('\\"', '"') : inside;
}

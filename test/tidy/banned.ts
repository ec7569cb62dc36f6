// Words and calls that are not for this code base: ways around the type checker, printing and exiting from below the
// command line, tests that are switched off, and marks of unfinished work.
import { type Finding, findingsOf, type SourceFile } from "./source-file.js";

interface Ban {
  readonly pattern: RegExp;
  readonly view: "code" | "comments";
  readonly message: string;
  readonly applies: (path: string) => boolean;
}

const inSrc = (path: string) => path.startsWith("src/");
const inSrcOrTest = (path: string) => /^(?:src|test)\//.test(path);
const typescript = (path: string) => path.endsWith(".ts");
const belowCli = (path: string) => inSrc(path) && !path.startsWith("src/cli/");
const mayNotExit = (path: string) => belowCli(path) || /^(?:examples|bench)\//.test(path);
const anywhere = () => true;

// The marks are put together here, so that this file does not carry them itself.
const UNFINISHED = new RegExp(`\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`);

const BANS: readonly Ban[] = [
  {
    pattern:
      /(?:[:<|&]|=>|(?<![\w$.])(?:as|extends|satisfies|is))\s*any(?![\w$(:.])|(?<![\w$.])any\s*\[\s*\]|,\s*any\s*[,>]/,
    view: "code",
    message: "switches the type checker off: write the type, or unknown",
    applies: typescript,
  },
  {
    pattern: /@ts-(?:ignore|nocheck|expect-error)\b/,
    view: "comments",
    message: "hides an error from the compiler: mend the type instead",
    applies: inSrc,
  },
  {
    pattern: /biome-ignore(?:-\w+)?\b(?![^\n:]*:[^\n]*\w)[^\n]*/,
    view: "comments",
    message: "needs a reason: biome-ignore <rule>: <why>",
    applies: anywhere,
  },
  {
    pattern: /(?<![\w$.])console\s*(?:\??\.|\[)\s*\w*/,
    view: "code",
    message: "prints from below the command line: return a value, or take a log as a port",
    applies: belowCli,
  },
  {
    pattern: /(?<![\w$])process\s*\??\.\s*exit\b/,
    view: "code",
    message: "ends the process before others gave back what they hold: return, or set process.exitCode",
    applies: mayNotExit,
  },
  {
    pattern:
      /(?<![\w$.])(?:(?:test|it|describe|suite|bench)(?:\s*\.\s*\w+)*\s*\.\s*(?:only|skip)\b|x(?:it|test|describe)\s*\()/,
    view: "code",
    message: "switches tests off: mend the test, or name the condition with skipIf",
    applies: inSrcOrTest,
  },
  { pattern: UNFINISHED, view: "comments", message: "marks unfinished work: finish it", applies: inSrcOrTest },
  { pattern: UNFINISHED, view: "code", message: "marks unfinished work: finish it", applies: inSrcOrTest },
];

export function checkBanned(file: SourceFile): Finding[] {
  return BANS.filter(({ applies }) => applies(file.path)).flatMap(({ pattern, view, message }) =>
    findingsOf(file, view, pattern, (match) => `"${match}" ${message}`),
  );
}

// Words and calls that are not for this code base, where neither the compiler nor biome has a rule for them.
import { pureRooms } from "./rooms.js";
import { type Finding, findingsOf, roomOf, type SourceFile } from "./source-file.js";

interface Ban {
  readonly pattern: RegExp;
  readonly view: "code" | "text";
  readonly message: string;
  readonly applies: (path: string) => boolean;
}

const inSrc = (path: string) => path.startsWith("src/");
const inTest = (path: string) => path.startsWith("test/") && path.endsWith(".ts");
const inPureRoom = (path: string) => pureRooms.includes(roomOf(path) ?? "");

// The marks are put together here, so that this file does not carry them itself.
const UNFINISHED = new RegExp(`(?://|^ *\\*).*\\b(?:${["TO" + "DO", "FIX" + "ME", "X" + "XX"].join("|")})\\b`, "m");

const BANS: readonly Ban[] = [
  {
    pattern: /(?<![\w$.])(?:Date\.now|new Date\(\)|performance\.|Math\.random|globalThis)/,
    view: "code",
    message: "has no place in a pure room: let it arrive as a port",
    applies: inPureRoom,
  },
  { pattern: /\/\/\/\s*<reference/, view: "text", message: "brings types into a pure room", applies: inPureRoom },
  {
    pattern: /@ts-(?:ignore|nocheck|expect-error)\b/,
    view: "text",
    message: "hides an error from the compiler: mend the type instead",
    applies: inSrc,
  },
  {
    pattern: /(?<![\w$])process\??\.exit\b/,
    view: "code",
    message: "ends the process before others gave back what they hold: return, or set process.exitCode",
    // The proxy holds a program of its own as text.
    applies: (path) => /^(?:src\/(?!cli\/|system\/sandbox\/host-proxy)|examples\/|bench\/)/.test(path),
  },
  {
    pattern: /(?:await (?:sleep|nap|pause|delay|wait|setTimeout)(?:Ms)?\(|=> setTimeout\([^,]*, )\d[\d_]{2,}[,)]/,
    view: "code",
    message: "waits for a length of time: wait for the thing itself",
    applies: inTest,
  },
  {
    pattern: /^(?:before|after)(?:Each|All)\(/m,
    view: "code",
    message:
      "sets a hook for the first file only that uses it: use onTestFinished in the function that opens something",
    applies: (path) => inTest(path) && !/\.test\.ts$|\/empty-places\.ts$/.test(path),
  },
  {
    pattern: UNFINISHED,
    view: "text",
    message: "marks unfinished work: finish it",
    applies: (path) => inSrc(path) || inTest(path),
  },
];

export function checkBanned(file: SourceFile): Finding[] {
  return BANS.filter(({ applies }) => applies(file.path)).flatMap(({ pattern, view, message }) =>
    findingsOf(file, view, pattern, (match) => `"${match}" ${message}`),
  );
}

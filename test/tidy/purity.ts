// Keeps the pure rooms pure beyond what the compiler sees: no way around the missing types of Node, and no clock or
// chance of their own. It also checks that the compiler is told about every pure room.
import { pureRooms } from "./rooms.js";
import { type Finding, findingsOf, roomOf, type SourceFile } from "./source-file.js";

const FORBIDDEN: readonly { readonly pattern: RegExp; readonly name: string }[] = [
  { pattern: /(?<![\w$.])process\s*[.[?]/, name: "process" },
  { pattern: /(?<![\w$.])Buffer\b/, name: "Buffer" },
  { pattern: /(?<![\w$.])(?:setTimeout|setInterval|setImmediate)\b/, name: "timers" },
  { pattern: /(?<![\w$.])globalThis\b/, name: "globalThis" },
  { pattern: /(?<![\w$.])require\s*\(/, name: "require" },
  { pattern: /(?<![\w$.])(?:Date\s*\.\s*now|new\s+Date\s*\(\s*\)|performance\s*\.)/, name: "a clock" },
  { pattern: /(?<![\w$.])Math\s*\.\s*random\b/, name: "chance" },
];

export function checkPurity(file: SourceFile): Finding[] {
  const room = roomOf(file.path);
  if (room === undefined || !pureRooms.includes(room)) return [];
  return [
    ...FORBIDDEN.flatMap(({ pattern, name }) =>
      findingsOf(file, "code", pattern, () => `${room}/ is pure and may not use ${name}: let it arrive as a port`),
    ),
    ...findingsOf(file, "comments", /\/\/\/\s*<reference/, () => `${room}/ is pure and may not reference other types`),
  ];
}

/** The finding when tsconfig.pure.json leaves out a pure room or lets types of Node in. */
export function checkPureProject(path: string, text: string): Finding[] {
  const { compilerOptions, include } = JSON.parse(text) as {
    compilerOptions?: { types?: readonly string[] };
    include?: readonly string[];
  };
  const missing = pureRooms.filter((room) => !include?.includes(`src/${room}`));
  const messages = missing.map((room) => `does not include src/${room}: add it, the room is pure`);
  if (compilerOptions?.types?.length !== 0)
    messages.push('needs "types": [], so that Node stays out of the pure rooms');
  return messages.map((message) => ({ path, line: 1, message }));
}

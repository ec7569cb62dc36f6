// `npm run demo`: plays a short conversation with the showcase agent in a real pty, as a user would, and writes what
// the terminal showed as an animated picture, docs/pictures/demo.svg.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, setup } from "./setup.mjs";

try {
  if (process.env.PALAVER_CLI === undefined) await setup();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

// Only now is there surely a pty to import.
const { FilmedTerminal } = await import("./demo/filmed-terminal.mjs");
const { filmOf } = await import("./demo/svg-film.mjs");

const ENTER = "\r";
const file = join(root, "docs", "pictures", "demo.svg");
const terminal = new FilmedTerminal({
  columns: 84,
  rows: 26,
  args: [
    process.env.PALAVER_CLI ?? join(root, "dist", "cli.js"),
    "run",
    "--theme",
    "harbour",
    "--",
    process.execPath,
    join(root, "examples", "showcase", "agent.mjs"),
  ],
});
try {
  await terminal.shows("showcase:script-1");
  await terminal.types("fix the failing test in parser.ts");
  terminal.press(ENTER);
  await terminal.shows("no, with a reason");
  await terminal.rests(2_500);
  // Any other key would take the answer back.
  terminal.press("y");
  await terminal.shows("All 212 tests pass.");
  await terminal.rests(3_000);
  const frames = terminal.frames();
  writeFileSync(file, filmOf(frames, terminal.size));
  console.log(`docs/pictures/demo.svg: ${frames.length} frames`);
} finally {
  terminal.close();
}

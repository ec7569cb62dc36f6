// `npm start` in a real terminal, on the embedded agent: a file is changed through an approval, another change is denied,
// and the session is resumed by another run.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { PtySession } from "../pty-session.js";
import { projectRoot } from "../run-program.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A folder of its own in which `npm start` is the one of this project: npm runs it where the package is. */
function startableFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-start-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  copyFileSync(join(projectRoot, "package.json"), join(folder, "package.json"));
  symlinkSync(join(projectRoot, "scripts"), join(folder, "scripts"));
  return folder;
}

function npmStart(cwd: string): PtySession {
  return new PtySession("npm", ["start", "--silent"], { columns: 90, rows: 30, cwd });
}

test("an approval changes a file, a denial does not, and the session is resumed", async () => {
  const folder = startableFolder();
  const file = join(folder, "a.txt");
  writeFileSync(file, "teh cat\n");
  const first = npmStart(folder);
  await first.shows("› message");
  first.type('replace "teh" with "the" in a.txt\r');
  await first.shows(/❯ \d {2}no/);
  await first.shows(/\+\s*1?\s*the cat/);
  first.type("1");
  await first.shows("Done: a.txt is changed.");
  expect(readFileSync(file, "utf8")).toBe("the cat\n");
  first.type('replace "cat" with "dog" in a.txt\r');
  await first.shows(/\+\s*1?\s*the dog[\s\S]*❯ \d {2}no/);
  first.type("\r");
  await first.shows("did not allow");
  expect(readFileSync(file, "utf8")).toBe("the cat\n");
  first.type("/quit\r");
  expect(await first.ended).toBe(0);

  const second = npmStart(folder);
  await second.shows("palaver:offline");
  second.type("/resume\r");
  await second.shows("Go on with which session?");
  second.type("\r");
  await second.shows("Done: a.txt is changed.");
  second.type("show a.txt\r");
  await second.shows(/1\s+the cat/);
  second.type("/quit\r");
  expect(await second.ended).toBe(0);
});

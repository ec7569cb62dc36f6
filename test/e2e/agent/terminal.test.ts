// The embedded agent in a real terminal: `npm start`, a file that is changed through an approval and another change that is
// denied, a model that is chosen in the middle of a session, and sessions that other runs go on with.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startModelServer } from "../../rigs/model-server/model-server.js";
import { PtySession } from "../pty-session.js";
import { palaver, projectRoot, runPalaver } from "../run-program.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
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
  await first.shows(/❯ n {2}no/);
  await first.shows(/\+\s*1?\s*the cat/);
  await first.answers("y");
  await first.shows(/● edit a\.txt {2}\+1 −1 {2}allowed once/);
  expect(readFileSync(file, "utf8")).toBe("the cat\n");
  first.type('replace "cat" with "dog" in a.txt\r');
  await first.shows(/\+\s*1?\s*the dog[\s\S]*❯ n {2}no/);
  first.type("\x1b");
  await first.shows(/✕ edit a\.txt {2}denied/);
  expect(readFileSync(file, "utf8")).toBe("the cat\n");
  first.type("/quit\r");
  expect(await first.ended).toBe(0);

  const second = npmStart(folder);
  await second.shows("no model");
  second.type("/resume\r");
  await second.shows("Resume which session?");
  second.type("\r");
  await second.shows(/● edit a\.txt/);
  second.type("show a.txt\r");
  await second.shows(/● read a\.txt[^\n]*\n\nthe cat/);
  second.type("/quit\r");
  expect(await second.ended).toBe(0);
});

test("a model chosen in a running session answers from then on, also when the session is gone on with by its id", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-model-")));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const model = await startModelServer();
  cleanups.push(() => model.close());
  const settings = join(folder, "config.toml");
  writeFileSync(settings, '[models."ollama:stand-in"]\ncontext_tokens = 32768\n');
  const env = { PALAVER_CONFIG: settings, OLLAMA_HOST: model.url, XDG_STATE_HOME: join(folder, "state") };
  const open = (args: string[], { cwd, named }: { cwd: string; named: string }) => {
    const own = { ...env, PALAVER_MODEL: named };
    return new PtySession(process.execPath, [palaver, ...args], { columns: 90, rows: 30, cwd, env: own });
  };
  const first = open([], { cwd: folder, named: "offline" });
  await first.shows("no model");
  first.type("hello\r");
  await first.shows("Hello!");
  first.type("/model\r");
  await first.shows("Which model?");
  first.type("stand-in");
  await first.shows(/❯ .*stand-in/);
  first.type("\r");
  await first.shows("ollama:stand-in");
  model.play({ text: "I think, therefore I answer." });
  first.type("and now?\r");
  await first.shows("I think, therefore I answer.");
  const [asked] = model.requests;
  expect(asked?.body).toMatchObject({ model: "stand-in" });
  expect(JSON.stringify(asked?.body.messages), "it is told what was said before it came").toContain("Hello!");
  first.type("/quit\r");
  expect(await first.ended).toBe(0);

  const listed = JSON.parse((await runPalaver(["sessions", "--json"], { env })).stdout) as {
    saved: { id: string; agent: string }[];
  };
  const saved = listed.saved.filter(({ agent }) => agent === "palaver");
  expect(saved).toHaveLength(1);
  // Where nobody names a model the session's own is used again, and it works in the folder of the session.
  const second = open(["sessions", saved[0]?.id ?? ""], { cwd: tmpdir(), named: "" });
  await second.shows("I think, therefore I answer.");
  await second.shows(/palaver · .*ollama:stand-in/);
  second.type("!pwd\r");
  await second.shows(`\n${folder}\n`);
  second.type("/quit\r");
  expect(await second.ended).toBe(0);
});

test("settings typed as flags hold for the built-in agent: with --read-only true it changes nothing", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palaver-read-only-")));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const session = new PtySession(process.execPath, [palaver, "run", "--read-only", "true", "--model", "offline"], {
    columns: 90,
    cwd: folder,
    env: { PALAVER_MODEL: "ollama:none" },
  });
  await session.shows("no model");
  session.type('write "hello" to a.txt\r');
  await session.shows(/read.only/i);
  session.type("/quit\r");
  expect(await session.ended).toBe(0);
  expect(existsSync(join(folder, "a.txt"))).toBe(false);
});

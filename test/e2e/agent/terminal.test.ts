// The terminal UI on the embedded agent, in a real terminal: a file is changed through an approval, another change is
// denied, and the session is resumed by another run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { afterEach, expect, test } from "vitest";
import { Emulator } from "../../../src/testing/emulator.js";
import { palaver } from "../run-program.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "palaver-agent-ui-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

class Terminal {
  readonly #emulator = new Emulator({ columns: 90, rows: 30 });
  readonly #pty: IPty;
  readonly ended: Promise<number>;
  #reading: Promise<void> = Promise.resolve();

  constructor(folder: string, home: string) {
    const env = { PATH: process.env.PATH ?? "", TERM: "xterm-256color", LANG: "C.UTF-8", HOME: home };
    this.#pty = spawn(process.execPath, [palaver], { cols: 90, rows: 30, env, cwd: folder });
    this.#pty.onData((data) => {
      this.#reading = this.#reading
        .then(() => this.#emulator.write(data))
        .then(() => {
          for (const reply of this.#emulator.replies.splice(0)) this.#pty.write(reply);
        });
    });
    this.ended = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
    cleanups.push(() => this.#pty.kill("SIGKILL"));
  }

  async text(): Promise<string> {
    await this.#reading;
    return this.#emulator.allRows().join("\n");
  }

  async shows(words: RegExp): Promise<void> {
    await expect.poll(() => this.text(), { timeout: 20_000, interval: 30 }).toMatch(words);
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }
}

test("an approval changes a file, a denial does not, and the session is resumed", async () => {
  const folder = freshFolder();
  const home = freshFolder();
  const file = join(folder, "a.txt");
  writeFileSync(file, "teh cat\n");
  const first = new Terminal(folder, home);
  await first.shows(/› message/);
  first.type('replace "teh" with "the" in a.txt\r');
  await first.shows(/❯ \d {2}no/);
  await first.shows(/\+\s*1?\s*the cat/);
  first.type("1");
  await first.shows(/Done: a\.txt is changed\./);
  expect(readFileSync(file, "utf8")).toBe("the cat\n");
  first.type('replace "cat" with "dog" in a.txt\r');
  await first.shows(/\+\s*1?\s*the dog[\s\S]*❯ \d {2}no/);
  first.type("\r");
  await first.shows(/did not allow/);
  expect(readFileSync(file, "utf8")).toBe("the cat\n");
  first.type("/quit\r");
  expect(await first.ended).toBe(0);

  const second = new Terminal(folder, home);
  await second.shows(/palaver:offline/);
  second.type("/resume\r");
  await second.shows(/Go on with which session\?/);
  second.type("\r");
  await second.shows(/Done: a\.txt is changed\./);
  second.type("show a.txt\r");
  await second.shows(/1\s+the cat/);
  second.type("/quit\r");
  expect(await second.ended).toBe(0);
});

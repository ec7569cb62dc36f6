// The real program in a folder that somebody else has made: names and settings in it with sequences that a terminal would obey,
// and with secrets in what is said. Nothing of either comes out.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { strangeText } from "../safety/attack-words.js";
import { allSecrets, DECLARED, leaksIn } from "../safety/secret-samples.js";
import { verifies } from "../verifies.js";
import { runPalaver } from "./run-program.js";

const root = mkdtempSync(join(tmpdir(), "palaver-hostile-"));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const cwd = join(root, "a\x1b]0;gotcha\x07b\x9b2J");
mkdirSync(cwd);

test("a project's settings cannot speak to the terminal, whatever is wrong with them", async () => {
  verifies("safety.project-file", "safety.every-field");
  const wrong = [
    '"\\u001b]0;gotcha\\u0007key" = 1',
    'theme = "\\u001b[2Jmoss"',
    '[agents."\\u009b7;7Hx"]',
    "command = 5",
  ];
  const broken = 'theme = "moss" \x1b]0;gotcha\x07 nonsense';
  for (const text of [wrong.join("\n"), broken]) {
    writeFileSync(join(cwd, ".palaver.toml"), text);
    for (const args of [["config", "check"], ["config", "check", "--json"], ["config"], ["prompt", "hello"]]) {
      const { stdout, stderr } = await runPalaver(args, { cwd, env: { PALAVER_DEBUG: "1" } });
      expect(strangeText(stdout + stderr), `${args.join(" ")} ${JSON.stringify(stderr)}`).toEqual([]);
      expect(stdout + stderr).toContain(".palaver.toml");
    }
  }
  rmSync(join(cwd, ".palaver.toml"));
});

test("words of a command that nobody knows are told harmlessly", async () => {
  const { stderr } = await runPalaver(["x\x1b[2J\x9b2J"], { cwd });
  expect(stderr).toContain("there is no command");
  expect(strangeText(stderr)).toEqual([]);
});

test("the embedded agent's session and its own report of what it does hold no secret", async () => {
  verifies("safety.secrets-in-every-sink", "safety.secrets-redacted");
  const file = join(root, "session.jsonl");
  const prompt = `${JSON.stringify({ type: "prompt", text: allSecrets })}\n`;
  const env = { MY_SERVICE_PASSWORD: DECLARED };
  const { stderr } = await runPalaver(["agent", "--session-file", file, "--debug"], { cwd, stdin: prompt, env });
  const written = readFileSync(file, "utf8");
  expect(written).toContain("••••••");
  expect(leaksIn(written)).toEqual([]);
  expect(leaksIn(stderr)).toEqual([]);
});

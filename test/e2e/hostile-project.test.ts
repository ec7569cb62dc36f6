// The real program in a folder that somebody else has made: names and settings in it with sequences that a terminal would obey,
// and with secrets in what is said. Nothing of either comes out.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strangeText } from "../safety/attack-words.js";
import { allSecrets, DECLARED, leaksIn } from "../safety/secret-samples.js";
import { verifies } from "../verifies.js";
import { runPalaver } from "./run-program.js";

const root = mkdtempSync(join(tmpdir(), "palaver-hostile-"));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

const cwd = join(root, "a\x1b]0;gotcha\x07b\x9b2J");
mkdirSync(cwd);

test("a project's settings cannot speak to the terminal, whatever is wrong with them", async () => {
  verifies("projects.grant-nothing");
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

test("words of a command that no one knows are told harmlessly", async () => {
  const { stderr } = await runPalaver(["x\x1b[2J\x9b2J"], { cwd });
  expect(stderr).toContain("there is no command");
  expect(strangeText(stderr)).toEqual([]);
});

test("the embedded agent's session and its own report of what it does hold no secret", async () => {
  const file = join(root, "session.jsonl");
  const prompt = `${JSON.stringify({ type: "prompt", text: allSecrets })}\n`;
  const env = { MY_SERVICE_PASSWORD: DECLARED };
  const { stderr } = await runPalaver(["agent", "--session-file", file, "--debug"], { cwd, stdin: prompt, env });
  const written = readFileSync(file, "utf8");
  expect(written).toContain("••••••");
  expect(leaksIn(written)).toEqual([]);
  expect(leaksIn(stderr)).toEqual([]);
});

const commands = [["prompt", "hello"], ["config"], ["doctor"], ["agents"]];

/** What these commands say in a folder, and their exit codes. */
async function outputs(folder: string) {
  const ends = await Promise.all(commands.map((args) => runPalaver(args, { cwd: folder })));
  return {
    text: ends.map(({ stdout, stderr }) => stdout + stderr).join(""),
    codes: ends.map(({ code }, at) => `${commands[at]?.[0]}: ${code}`),
  };
}

let usualCodes: string[] = [];
beforeAll(async () => {
  usualCodes = (await outputs(mkdtempSync(join(root, "usual-")))).codes;
});

test("a settings file of a project that is a link to credentials stops no command, and none prints them", async () => {
  const folder = mkdtempSync(join(root, "linked-"));
  writeFileSync(join(root, "credentials"), "[default]\naws_secret_access_key = wJalrXUtnFEMI\n");
  symlinkSync("../credentials", join(folder, ".palaver.toml"));
  const linked = await outputs(folder);
  expect(linked.text).not.toMatch(/wJalr|aws_/);
  expect(linked.text).toContain(".palaver.toml cannot be read: it is a link; the file is ignored");
  expect(linked.codes).toEqual(usualCodes);
});

test.each([
  ["leads to itself", (path: string) => symlinkSync(".palaver.toml", path)],
  ["has a theme that there is not", (path: string) => writeFileSync(path, 'theme = "pink"\n')],
  ["is not TOML", (path: string) => writeFileSync(path, "theme = = pink\n")],
])("a settings file of a project that %s stops no command", async (_, make) => {
  const folder = mkdtempSync(join(root, "broken-"));
  make(join(folder, ".palaver.toml"));
  expect((await outputs(folder)).codes).toEqual(usualCodes);
});

test.each([
  [{ HOME: "", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" }, ".local/state", ".config"],
  [{ HOME: "rel", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" }, "rel/.local/state", "rel/.config"],
  [{ HOME: root, XDG_STATE_HOME: "rel", XDG_CONFIG_HOME: "./rel" }, "rel", "rel"],
])("with %j neither settings nor sessions of the folder are taken", async (env, state, config) => {
  const folder = mkdtempSync(join(root, "homeless-"));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  put(`${config}/palaver/config.toml`, "output_lines = 7777\n");
  put(`${state}/palaver/permissions.json`, "");
  const run = async (...args: string[]) => (await runPalaver(args, { cwd: folder, env })).stdout;
  expect(await run("config", "get", "output_lines")).not.toContain("7777");
  expect(await run("config", "path")).not.toContain(folder);
  const { machine } = JSON.parse(await run("doctor", "--json"));
  const [found] = machine.filter(({ topic }: { topic: string }) => topic === "state");
  expect(found.words).toMatch(/^\//);
  expect(found.words).not.toContain(folder);
});

test("with a relative XDG_STATE_HOME a repository's permissions count for nothing, and nothing is written into it", async () => {
  const folder = mkdtempSync(join(root, "permitted-"));
  const env = { HOME: join(root, "home"), XDG_STATE_HOME: "rel" };
  mkdirSync(join(folder, "rel", "palaver"), { recursive: true });
  const permissions = { version: 1, projects: { [folder]: { allow: ["bash(*)", "bash"] } } };
  writeFileSync(join(folder, "rel", "palaver", "permissions.json"), JSON.stringify(permissions));
  await runPalaver(["prompt", "run touch mark", "--on-ask", "deny"], { cwd: folder, env });
  expect(existsSync(join(folder, "mark"))).toBe(false);
  expect(readdirSync(join(folder, "rel", "palaver"))).toEqual(["permissions.json"]);
});

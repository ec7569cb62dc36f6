// `--record`: what was said goes to a private file, and the keys of the environment do not.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { UsageError } from "../../src/cli/exit-codes.js";
import { recordSession } from "../../src/cli/record-session.js";
import { secretsIn } from "../../src/text/redact.js";
import { said, scriptedLink, temporaryFolder } from "../agents/recording/recording-desk.js";

describe("recording a session", () => {
  test("writes what passes, without the keys that stand in the environment", async () => {
    process.env["PALAVER_TEST_API_KEY"] = "not-shaped-like-anything";
    onTestFinished(() => {
      delete process.env["PALAVER_TEST_API_KEY"];
    });
    const path = join(temporaryFolder(), "session.jsonl");
    const agent = scriptedLink();
    const session = recordSession(path, "gemini", agent.open);
    const link = await session.openLink({ onEvent: () => undefined, nowMs: () => 0 });
    link.send({ type: "prompt", text: "what is your key?" });
    agent.say(said("it is not-shaped-like-anything"));
    await link.stop();
    expect(session.close()).toBeNull();
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('"agent":"gemini"');
    expect(lines[2]).toContain("it is ••••••");
  });

  test("does not begin over an older file", () => {
    const path = join(temporaryFolder(), "mine.txt");
    writeFileSync(path, "mine");
    expect(() => recordSession(path, "gemini", scriptedLink().open)).toThrow(UsageError);
    expect(readFileSync(path, "utf8")).toBe("mine");
  });
});

describe("secrets of an environment", () => {
  test("are the long values of names that say so", () => {
    const environment = {
      ANTHROPIC_API_KEY: "abcdefgh1",
      GITHUB_TOKEN: "abcdefgh2",
      DB_PASSWORD: "abcdefgh3",
      TOKEN: "auto",
      HOME: "/home/ada/long",
      KEYBOARD: "dvorak-dvorak",
      NOTHING: undefined,
    };
    expect(secretsIn(environment)).toEqual(["abcdefgh1", "abcdefgh2", "abcdefgh3"]);
  });
});

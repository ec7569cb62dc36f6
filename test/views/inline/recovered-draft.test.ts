// The message that the last run left unsent: it comes back on an empty line, and nothing that was typed meanwhile joins it.
import { expect, test } from "vitest";
import { ENTER, Stage } from "./stage.js";

const UNSENT = "half a thought";
const prompts = ({ sent }: Pick<Stage, "sent">) => sent.flatMap((one) => (one.type === "prompt" ? [one.text] : []));

function opened(): Stage {
  const stage = new Stage(80, 24, { unsent: UNSENT }).ready();
  stage.renderer.app.start({ warnings: [] });
  return stage;
}

test("it comes back after a moment, and is continued", async () => {
  const stage = opened();
  stage.wait(1_000);
  expect(await stage.screen()).toContain("restored your unsent message");
  stage.type(" more", ENTER);
  expect(prompts(stage)).toEqual([`${UNSENT} more`]);
});

test("what is typed at once is sent by itself, and then the unsent message comes back", async () => {
  const stage = opened();
  stage.type("go");
  stage.wait(1_000);
  expect(await stage.screen()).toContain("your unsent message comes back after this one");
  stage.type(ENTER);
  expect(prompts(stage)).toEqual(["go"]);
  expect(stage.drafts.at(-1)).toBe(UNSENT);
  expect(await stage.screen()).toContain(`› ${UNSENT}`);
});

test("one that has not come back yet waits for the next run", () => {
  const stage = opened();
  stage.type("go");
  stage.renderer.close();
  expect(stage.draftsLeft).toEqual([UNSENT]);
  const after = opened();
  after.wait(1_000);
  after.renderer.close();
  expect(after.draftsLeft).toEqual([""]);
});

// A message that the full queue of a busy agent refuses is not lost: it is in the composer again, and a sentence says why.
import { describe, expect, test } from "vitest";
import { ReaderStage } from "../reader/reader-stage.js";
import { ENTER, Stage } from "./stage.js";

const QUEUED_MAX = 200;
const SENTENCE = "not sent: too many messages are queued";

describe.each([
  ["terminal", () => new Stage(100, 30)],
  ["reader", () => new ReaderStage()],
])("a message that is refused, %s", (_, open) => {
  test("comes back with a sentence, and can be sent when there is room", async () => {
    const stage = open().ready();
    for (let at = 0; at <= QUEUED_MAX; at += 1) stage.engine.dispatch({ type: "submit", text: `${at}` });
    stage.wait(1_000);
    stage.type("one more", ENTER);
    stage.wait(100);
    const shown = stage instanceof Stage ? await stage.screen() : (await stage.all()).join("\n");
    expect(shown).toContain(SENTENCE);
    expect(stage.renderer).toMatchObject({ draft: { text: "one more" } });
    stage.engine.dispatch({ type: "queue.remove" });
    stage.wait(100);
    stage.type(ENTER);
    const [session] = stage.engine.state.sessions;
    expect(session?.facts.queue).toEqual(["one more"]);
  });
});

test("the output of a command that was to go with it goes with it when it is sent again", async () => {
  const stage = new Stage(120, 24).ready();
  stage.type("!echo hi", ENTER);
  const shown = () => {
    stage.wait(100);
    return stage.screen();
  };
  await expect.poll(shown).toContain("goes with your next message");
  for (let at = 0; at <= QUEUED_MAX; at += 1) stage.engine.dispatch({ type: "submit", text: `${at}` });
  stage.type("look", ENTER, ENTER);
  stage.engine.dispatch({ type: "queue.remove" });
  stage.type(ENTER);
  stage.hear({ type: "prompt.finished", sessionId: null });
  const [prompt = ""] = stage.sent.flatMap((sent) => (sent.type === "prompt" ? [sent.text] : [])).slice(-1);
  expect(prompt).toMatch(/^look\n/);
  expect(prompt.match(/\$ echo hi/g)).toHaveLength(1);
});

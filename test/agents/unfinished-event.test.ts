// What is recorded and sent to other views of a message that still grows.
import { expect, test } from "vitest";
import { withoutOpenEnds } from "../../src/agents/recordings/unfinished-event.js";
import { createRedactor } from "../../src/text/redact.js";

const { unfinished } = createRedactor();
const started = (...content: object[]) =>
  ({ type: "message.started", sessionId: "main", message: { role: "assistant", content } }) as unknown as Parameters<
    typeof withoutOpenEnds
  >[0];
const image = { type: "image", mime_type: "image/png", data: "iVBORw0KGgoAAAANSUhEUgAAAYAAAACgCAMAAAAywksP" };

test("an image at the end of a message stays whole", () => {
  expect(withoutOpenEnds(started(image), unfinished)).toEqual(started(image));
});

test("the last word of a growing text is held back", () => {
  const text = (words: string) => started({ type: "text", text: words });
  expect(withoutOpenEnds(text("the key is sk-abc"), unfinished)).toEqual(text("the key is "));
});

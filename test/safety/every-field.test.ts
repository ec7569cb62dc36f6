// Every field of everything an agent or a daemon can send, filled with every attack at once, through the real faces. The fields
// come from the schemas, so that none is left out and a new one is tried from its first day on.
import { describe, expect, test } from "vitest";
import { type SessionEvent, sessionEventSchema } from "../../src/contract/session-events.js";
import { verifies } from "../verifies.js";
import { ATTACK, deeds, strangeBytes } from "./attack-words.js";
import { faces, type Surface } from "./faces.js";
import { samplesOf } from "./schema-samples.js";

/** The same attack, and yet another word in each field: what is named alike would be one thing. */
function numbered(): (path: string) => string {
  let count = 0;
  return () => `w${count++}${ATTACK}`;
}

const options = sessionEventSchema._zod.def.options;
const kinds = options.map((option) => [String(option.shape.type.value), option] as const);

function events(option: (typeof options)[number]): SessionEvent[] {
  return samplesOf(option, numbered()).map((sample) => ({ ...(sample as SessionEvent), sessionId: null }));
}

async function play(face: Surface, event: SessionEvent): Promise<void> {
  await face.hear({ type: "prompt.started", sessionId: null });
  await face.hear(event);
  if (event.type !== "ask.raised") return;
  await face.look();
  await face.hear({ type: "ask.withdrawn", sessionId: null, askId: event.ask.id, reason: "agent_cancelled" });
}

describe("the judge of bytes", () => {
  test.each(Object.entries(deeds))("notices an attack that %s", (_, bytes) => {
    expect(strangeBytes(`before ${bytes} after`)).not.toEqual([]);
  });

  test("has nothing against what Palaver writes", () => {
    expect(strangeBytes("\x1b[?2026h\x1b[?25l\r\x1b[2A\x1b[Jwords\r\n\x1b[1mbold\x1b[0m\x1b[?25h\x1b[?2026l")).toEqual(
      [],
    );
  });
});

describe.each(Object.entries(faces))("%s", (_, open) => {
  test("shows a question, so that there is something to attack", async () => {
    const face = await open();
    const question = { kind: "confirm", params: { title: "Is it drawn?" } } as const;
    const ask = {
      id: "q",
      sessionId: null,
      turnId: null,
      origin: { kind: "agent" },
      question,
      deadlineMs: null,
    } as const;
    await face.hear({ type: "ask.raised", sessionId: null, ask });
    await face.look();
    expect(face.text()).toContain("Is it drawn?");
    expect(await face.strange()).toEqual([]);
  });

  test.each(kinds)("is not touched by any field of %s", async (_type, option) => {
    verifies("text.cannot-act");
    const face = await open();
    const before = face.state();
    for (const event of events(option)) {
      expect(sessionEventSchema.safeParse(event).error?.message).toBeUndefined();
      await play(face, event);
      expect(await face.strange(), JSON.stringify(event).slice(0, 300)).toEqual([]);
    }
    expect(face.state()).toEqual(before);
  });
});

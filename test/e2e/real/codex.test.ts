// The real codex behind its link, against a stand-in model on loopback: it is asked for a command, which is approved, and its
// thread is resumed. Where codex is not installed, or PALAVER_CODEX does not name it, the test is skipped.
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSessionLink } from "../../../src/agents/session-link.js";
import type { SessionEvent } from "../../../src/contract/session-events.js";
import { agentKinds, furnish } from "../../../tools/real-agents/agent-kinds.js";
import { type StandInModel, startStandInModel } from "../../../tools/real-agents/stand-in-model.js";

const codex = process.env["PALAVER_CODEX"] ?? onPath("codex");
const kind = agentKinds.find(({ name }) => name === "codex");

let home: string;
let model: StandInModel;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "palaver-codex-")));
  mkdirSync(join(home, "project"));
  model = await startStandInModel({
    work: [{ text: "I run it.", deed: { do: "shell", command: "echo ran > ran.txt" } }, { text: "It is done." }],
    back: [{ text: "I remember." }],
  });
});

afterAll(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

function open(protocol: "codex" | "detect", resume?: string) {
  const place = { url: `http://127.0.0.1:${model.port}`, key: "stand-in", home };
  if (kind === undefined || codex === null) throw new Error("codex is not installed");
  furnish(kind, place);
  const env = { HOME: home, ...kind.environment(place) };
  const events: SessionEvent[] = [];
  const link = openSessionLink(
    { command: codex, args: ["app-server"], env, cwd: join(home, "project") },
    {
      protocol,
      nowMs: () => performance.now(),
      onEvent: (event) => void events.push(event),
      ...(resume === undefined ? {} : { resume }),
    },
  );
  const found = <Type extends SessionEvent["type"]>(type: Type) =>
    events.find((event): event is Extract<SessionEvent, { type: Type }> => event.type === type);
  const until = (type: SessionEvent["type"]) => expect.poll(() => found(type)?.type, { timeout: 25_000 }).toBe(type);
  const texts = () =>
    events.flatMap((event) => (event.type === "message.finished" ? [JSON.stringify(event.message.content)] : []));
  return { link, found, until, texts };
}

const title = codex === null ? "the real codex (not installed, and PALAVER_CODEX is not set)" : "the real codex";

describe.skipIf(codex === null)(title, () => {
  test("is detected, asks before it runs a command, runs it after a yes, and resumes its thread", async () => {
    const first = open("detect");
    await first.until("agent.readied");
    first.link.send({ type: "prompt", text: "[[work]] run it" });
    await first.until("ask.raised");
    const ask = first.found("ask.raised")?.ask;
    expect(ask?.question.params).toMatchObject({ title: "run echo ran > ran.txt", performedBy: "agent" });
    first.link.send({ type: "ui_response", id: ask?.id ?? "", result: { choiceId: "accept" }, error: null });
    await first.until("prompt.finished");
    expect(readFileSync(join(home, "project", "ran.txt"), "utf8")).toBe("ran\n");
    expect(first.texts().join()).toContain("It is done.");
    const id = first.found("agent.readied")?.sessionId ?? "";
    await first.link.stop();
    const second = open("codex", id);
    await second.until("agent.readied");
    expect(second.texts().join()).toContain("It is done.");
    second.link.send({ type: "prompt", text: "[[back]] and now?" });
    await second.until("prompt.finished");
    expect(second.texts().at(-1)).toContain("I remember.");
    expect(model.requests.at(-1)?.scripts).toEqual(["work", "back"]);
    expect(await second.link.stop()).toMatchObject({ code: 0 });
  }, 60_000);
});

function onPath(program: string): string | null {
  const places = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, program));
  return places.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Sessions on disk: what is in the file, what survives a crash, and how a session is found and resumed.
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type HistoryMessage,
  mended,
  toolCallsOf,
  toolResultMessage,
  userMessage,
} from "../../../src/builtin/session/history.js";
import { readSession, type SessionRecord, sessionLine } from "../../../src/builtin/session/session-record.js";
import { freshFolder, startAgent, startWithModel } from "../rig.js";

const header: SessionRecord = { type: "session", version: 1, id: "s", cwd: "/", model: "palaver:offline", created: 1 };

function said(text: string, ...calls: string[]): HistoryMessage {
  return {
    role: "assistant",
    content: [
      { type: "text", text },
      ...calls.map((id) => ({ type: "tool_call" as const, id, name: "ls", arguments: {} })),
    ],
    provider: "p",
    model: "m",
    stop_reason: calls.length > 0 ? "tool_use" : "stop",
    timestamp: 1,
  };
}

function result(id: string): HistoryMessage {
  const call = { type: "tool_call" as const, id, name: "ls", arguments: {} };
  return toolResultMessage(call, { text: "ok", is_error: false, trust: "untrusted" }, 1);
}

const anyMessage = fc.oneof(
  fc.string().map((text) => userMessage(text, 1)),
  fc.tuple(fc.string(), fc.uniqueArray(fc.constantFrom("a", "b", "c"))).map(([text, calls]) => said(text, ...calls)),
  fc.constantFrom("a", "b", "c", "d").map(result),
);

describe("a history", () => {
  test("is valid after mending, whatever was in it: every call is answered once before anybody speaks", () => {
    fc.assert(
      fc.property(fc.array(anyMessage), (messages) => {
        let open: string[] = [];
        for (const message of mended(messages)) {
          if (message.role === "tool_result") {
            expect(open).toContain(message.tool_call_id);
            open = open.filter((id) => id !== message.tool_call_id);
          } else {
            expect(open).toEqual([]);
            open = toolCallsOf(message).map(({ id }) => id);
          }
        }
        expect(open).toEqual([]);
        expect(mended(mended(messages))).toEqual(mended(messages));
      }),
    );
  });
});

describe("a session file", () => {
  const records: SessionRecord[] = [
    header,
    ...[userMessage("hi", 1), said("I look", "a", "b"), result("a"), result("b"), said("Done")].map((message) => ({
      type: "message" as const,
      message,
    })),
  ];
  const text = records.map(sessionLine).join("");

  test("cut anywhere gives a valid beginning of the conversation", () => {
    const whole = readSession(text.split("\n"))?.messages ?? [];
    expect(whole).toHaveLength(5);
    for (let length = sessionLine(header).length; length < text.length; length += 1) {
      const read = readSession(text.slice(0, length).split("\n"));
      expect(read?.lost).toBeLessThanOrEqual(1);
      const kept = read?.messages ?? [];
      const answered = kept.filter(({ role }) => role !== "tool_result");
      expect(answered).toEqual(whole.filter(({ role }) => role !== "tool_result").slice(0, answered.length));
      expect(mended(kept)).toEqual(kept);
    }
  });

  test("with damaged lines in the middle loses those alone", () => {
    const lines = text.split("\n");
    lines.splice(2, 0, "{broken", '{"type":"unknown"}');
    expect(readSession(lines)).toMatchObject({ lost: 2, messages: { length: 5 } });
  });

  test("knows of forgetting: a reset and a compaction are lines too", () => {
    const compacted: SessionRecord = { type: "compaction", kept: 1, message: userMessage("in short", 2) };
    expect(readSession((text + sessionLine(compacted)).split("\n"))?.messages).toEqual([
      userMessage("in short", 2),
      said("Done"),
    ]);
    expect(readSession((text + sessionLine({ type: "reset" })).split("\n"))?.messages).toEqual([]);
  });

  test("that is no session is refused in words", () => {
    expect(readSession(["hello"])).toBeNull();
    expect(readSession([])).toBeNull();
  });
});

describe("an agent's session", () => {
  test("is private, appears with the first message, and holds every message", async () => {
    const state = freshFolder();
    const agent = await startAgent({ environment: { XDG_STATE_HOME: state } });
    agent.send({ type: "list_sessions" });
    expect((await agent.next("sessions_list")).sessions).toEqual([]);
    await agent.prompt("hello");
    agent.send({ type: "list_sessions" }, { type: "save" });
    const [saved] = (await agent.next("sessions_list")).sessions;
    expect(saved).toMatchObject({ title: "hello", model: "palaver:offline" });
    const { ok, path } = await agent.next("save_result");
    expect({ ok, path }).toEqual({ ok: true, path: saved?.path });
    expect(statSync(path ?? "").mode & 0o777).toBe(0o600);
    const lines = readFileSync(path ?? "", "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["session", "message", "message"]);
  });

  test("is on the disk up to each turn that has ended, also while the prompt goes on", async () => {
    const folder = freshFolder();
    const file = join(folder, "talk.jsonl");
    const { agent, model } = await startWithModel({ folder, sessionFile: file });
    let onDisk = "";
    const probe = await open(folder, "r");
    const handles = Object.getPrototypeOf(probe) as { sync(this: unknown): Promise<void> };
    await probe.close();
    const { sync } = handles;
    const spy = vi.spyOn(handles, "sync").mockImplementation(function (this: unknown) {
      const written = readFileSync(file, "utf8");
      return sync.call(this).then(() => {
        onDisk = written;
      });
    });
    onTestFinished(() => spy.mockRestore());
    model.play({ text: "I look.", calls: [{ name: "ls", args: {} }] }, { text: "And now", ending: "hang" });
    agent.send({ type: "prompt", text: "what is here?" });
    await agent.event("turn_end");
    expect(onDisk.match(/"role":"\w+"/g)).toEqual(['"role":"user"', '"role":"assistant"', '"role":"tool_result"']);
    expect(onDisk.endsWith("\n")).toBe(true);
    agent.send({ type: "abort" });
    await agent.event("agent_end");
  });

  test("is resumed with its conversation, told to the front end again, and goes on in the same file", async () => {
    const first = await startWithModel();
    first.model.play({ text: "Blue it is." });
    await first.agent.prompt("my favourite colour is blue");
    first.agent.send({ type: "save" });
    const { path } = await first.agent.next("save_result");
    first.agent.send({ type: "quit" });
    await first.agent.done;

    const second = await startWithModel({ sessionFile: path ?? "" });
    const retold = second.agent.events().map(({ type, ...fields }) => [type, JSON.stringify(fields)]);
    expect(retold.map(([type]) => type)).toEqual(["message_start", "message_end", "message_start", "message_end"]);
    expect(retold[3]?.[1]).toContain("Blue it is.");
    second.model.play({ text: "Blue." });
    await second.agent.prompt("which one was it?");
    const roles = second.model.requests[0]?.body.messages.map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "assistant", "user"]);
    expect(
      readFileSync(path ?? "", "utf8")
        .trimEnd()
        .split("\n"),
    ).toHaveLength(5);
  });

  test("of a file from elsewhere works in the folder at hand, whatever folder the file names", async () => {
    const other = freshFolder();
    const here = freshFolder();
    writeFileSync(join(other, "private.txt"), "secret");
    writeFileSync(join(here, "here.txt"), "");
    const first = await startAgent({ folder: other, sessionFile: join(here, "talk.jsonl") });
    await first.prompt("hello");
    first.send({ type: "quit" });
    await first.done;
    const { agent, model } = await startWithModel({ folder: here, sessionFile: join(here, "talk.jsonl") });
    model.play({ text: "I look.", calls: [{ name: "ls", args: {} }] }, { text: "Done." });
    await agent.prompt("what is here?");
    const seen = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(seen).toContain("here.txt");
    expect(seen).not.toContain("private.txt");
  });

  test("whose last line is torn loses that line, says so, and the next line is whole again", async () => {
    const state = freshFolder();
    const agent = await startAgent({ environment: { XDG_STATE_HOME: state } });
    await agent.prompt("hello");
    agent.send({ type: "save" });
    const { path: saved } = await agent.next("save_result");
    agent.send({ type: "quit" });
    await agent.done;
    const path = saved ?? "";
    appendFileSync(path, '{"type":"message","message":{"role":"user","content":"torn awa');
    const again = await startAgent({ sessionFile: path });
    expect(again.frames[0]?.type).toBe("ready");
    expect(again.notices()).toEqual([expect.stringMatching(/^1 damaged line of .*\.jsonl left out$/)]);
    await again.prompt("hello");
    const read = readSession(readFileSync(path, "utf8").split("\n"));
    expect(read?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    truncateSync(path, 0);
  });

  test("a reset forgets the conversation, for the model and for the file", async () => {
    const { agent, model } = await startWithModel();
    model.play({ text: "Noted." }, { text: "What?" });
    await agent.prompt("remember the xylophone");
    agent.send({ type: "reset" });
    await agent.prompt("what was it?");
    expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain("xylophone");
    agent.send({ type: "save" });
    const { path } = await agent.next("save_result");
    const read = readSession(readFileSync(path ?? "", "utf8").split("\n"));
    expect(read?.messages).toHaveLength(2);
  });

  test.skipIf(process.getuid?.() === 0)(
    "that cannot be written is told once, and the conversation goes on",
    async () => {
      const state = freshFolder();
      chmodSync(state, 0o500);
      const agent = await startAgent({ environment: { XDG_STATE_HOME: state } });
      await agent.prompt("hello");
      await agent.prompt("hello");
      expect(agent.notices()).toEqual([expect.stringContaining("the session is not being saved")]);
      chmodSync(state, 0o700);
    },
  );

  test("that has no place to be written is told once, and the conversation goes on", async () => {
    const state = freshFolder();
    writeFileSync(join(state, "palaver"), "a file in the way");
    const agent = await startAgent({ environment: { XDG_STATE_HOME: state } });
    await agent.prompt("hello");
    await agent.prompt("hello");
    expect(agent.notices()).toEqual([expect.stringContaining("the session is not being saved")]);
    agent.send({ type: "save" });
    expect(await agent.next("save_result")).toMatchObject({ ok: false, error: expect.stringContaining("palaver") });
  });

  test("what must not be on disk is taken out on the way", async () => {
    const agent = await startAgent({
      redact: (record) => JSON.parse(JSON.stringify(record).replaceAll("sesame", "[redacted]")) as SessionRecord,
    });
    await agent.prompt("open sesame");
    agent.send({ type: "save" });
    const { path } = await agent.next("save_result");
    expect(readFileSync(path ?? "", "utf8")).not.toContain("sesame");
  });

  test("is found by its id, also by a session of another run; one that is not there is refused", async () => {
    const state = freshFolder();
    const first = await startAgent({ environment: { XDG_STATE_HOME: state } });
    await first.prompt("hello");
    first.send({ type: "list_sessions" });
    const [saved] = (await first.next("sessions_list")).sessions;
    first.send({ type: "quit" });
    await first.done;
    const second = await startAgent({ environment: { XDG_STATE_HOME: state } });
    second.send({ type: "start_session", session_file: saved?.id ?? "" });
    expect(await second.next("session_started")).toMatchObject({ session_id: saved?.id });
    second.send({ type: "start_session", session_file: saved?.id ?? "" });
    expect((await second.next("error")).message).toContain("is already open");
    second.send({ type: "start_session", session_file: "./none.jsonl" });
    expect((await second.next("error")).message).toBe("there is no session ./none.jsonl");
  });

  test("is refused while another one has it open, and free again when that is closed", async () => {
    const environment = { XDG_STATE_HOME: freshFolder() };
    const first = await startAgent({ environment });
    await first.prompt("hello");
    first.send({ type: "save" });
    const { path } = await first.next("save_result");
    const second = await startAgent({ environment });
    second.send({ type: "start_session", session_file: path ?? "" });
    expect(await second.next("error")).toMatchObject({
      code: -32022,
      message: expect.stringMatching(/is already open/),
    });
    first.send({ type: "close_session", session_id: basename(path ?? "", ".jsonl") });
    await first.next("session_closed");
    second.send({ type: "start_session", session_file: path ?? "" });
    await second.next("session_started");
    second.send({ type: "quit" });
    await second.done;
    expect(readdirSync(dirname(path ?? ""))).toEqual([basename(path ?? "")]);
  });

  test("that cannot be opened after all is not left locked", async () => {
    const path = join(freshFolder(), "notes.txt");
    writeFileSync(path, "buy milk\n");
    const agent = await startAgent();
    agent.send({ type: "start_session", session_file: path });
    await agent.next("error");
    expect(readdirSync(dirname(path))).toEqual(["notes.txt"]);
  });

  test("a file that is no session is refused by name", async () => {
    const path = join(freshFolder(), "notes.txt");
    writeFileSync(path, "buy milk\n");
    mkdirSync(join(freshFolder(), "x"));
    const agent = await startAgent();
    agent.send({ type: "start_session", session_file: path });
    expect((await agent.next("error")).message).toBe(`${path} is not a session of Palaver`);
  });
});

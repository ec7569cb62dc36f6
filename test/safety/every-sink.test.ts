// Where words go besides the screens of a conversation: the attached view, the commands that print what a daemon has, prompt
// mode, records for programs, exports, titles and calls. The values come from the schemas, with every attack in every field.
import { describe, expect, test } from "vitest";
import { asksWords } from "../../src/cli/commands/ask-list-commands.js";
import { stateWords } from "../../src/cli/commands/daemon-commands.js";
import { sessionsWords } from "../../src/cli/commands/sessions-command.js";
import { logWords } from "../../src/cli/printed.js";
import type { Ask } from "../../src/contract/asks.js";
import { asksSchema, type LogEntry, logEntrySchema, type StateEntry, stateSchema } from "../../src/contract/daemon.js";
import { type HostedSessionEntry, hostedSessionsSchema } from "../../src/contract/hosted-sessions.js";
import { type SessionEvent, sessionEventSchema } from "../../src/contract/session-events.js";
import type { Block } from "../../src/session/transcript/block.js";
import { emptyTranscript, reduceTranscript } from "../../src/session/transcript/transcript.js";
import { exportFormats, exportTranscript } from "../../src/terminal/painter/export/export-transcript.js";
import { callBytes, titleBytes } from "../../src/views/inline/attention-caller.js";
import { asideLines } from "../../src/views/mini/aside-lines.js";
import { outcomeLine, recordOf, unansweredRecord } from "../../src/views/mini/ask-record.js";
import { jsonLine, jsonPage } from "../../src/views/mini/json-line.js";
import { verifies } from "../verifies.js";
import { AttachStage } from "../views/attach/attach-stage.js";
import { PromptRig } from "../views/mini/rig.js";
import { ATTACK, strangeBytes, strangeText } from "./attack-words.js";
import { listenTo, stateOf } from "./faces.js";
import { samplesOf } from "./schema-samples.js";

let count = 0;
const words = () => `w${count++}${ATTACK}`;
const states = () => samplesOf(stateSchema, words).flat() as StateEntry[];
const lines = () => samplesOf(logEntrySchema, words) as LogEntry[];
const asks = () => samplesOf(asksSchema, words).flat() as Ask[];
const sessions = () => samplesOf(hostedSessionsSchema, words).flat() as HostedSessionEntry[];
const events = () => samplesOf(sessionEventSchema, words) as SessionEvent[];

describe("what a command prints of a daemon", () => {
  const printed: Readonly<Record<string, () => string>> = {
    "palaver state": () => stateWords(states()),
    "palaver logs": () => lines().map(logWords).join(""),
    "palaver asks": () => asksWords(asks()),
    "palaver sessions": () =>
      sessionsWords(
        {
          hosted: sessions(),
          saved: [{ agent: words(), id: words(), ref: words(), atMs: 1, cwd: words(), title: words() }],
        },
        { nowMs: 5, folder: "/", home: "/", savedMax: 20 },
      ),
    "a list as JSON": () => jsonPage([states(), lines(), asks(), sessions()]),
    "a log line as JSON": () => lines().map(jsonLine).join(""),
  };

  test.each(Object.entries(printed))("%s has nothing in it but words", (_, print) => {
    verifies("text.cannot-act");
    const text = print();
    expect(text).toContain("w");
    expect(strangeText(text)).toEqual([]);
  });

  test("a word keeps to its own line", () => {
    const twoLines = { ...states()[0], label: "a\nPALAVER: all is well" } as StateEntry;
    expect(stateWords([twoLines]).split("\n")).toHaveLength(3);
  });
});

describe("the attached view", () => {
  test("is not touched by any field of a state, a log line, a question or a session", async () => {
    const stage = new AttachStage({ columns: 90, rows: 30 });
    const heard = listenTo(stage.emulator);
    const before = stateOf(stage.emulator) as object;
    stage.states = states();
    stage.hosted = sessions().map(({ id, name }) => ({ id, name, state: "running" as const }));
    await stage.connect(...lines());
    for (let tab = 0; tab < 8; tab += 1) {
      await stage.type("\t");
      await stage.wait(200);
      await stage.rows();
    }
    for (const ask of asks()) {
      stage.openAsks = [{ ...ask, sessionId: null }];
      await stage.news({ type: "asks" });
      await stage.wait(600);
      await stage.rows();
    }
    stage.openAsks = [];
    await stage.news({ type: "asks" });
    stage.refusal = words();
    await stage.type("\x1b", "\x1b[C", "\r", "1", "\r");
    await stage.rows();
    stage.stateError = words();
    await stage.news({ type: "refresh" }, { type: "lost", entry: lines()[0] as LogEntry });
    await stage.rows();
    await stage.type("?");
    await stage.rows();
    expect(strangeBytes(heard.take())).toEqual([]);
    expect(stateOf(stage.emulator)).toEqual({ ...before, screen: "alternate", modes: expect.anything() });
  });
});

describe("prompt mode", () => {
  test.each(["text", "json", "stream-json"] as const)("prints every event as %s in plain words", async (output) => {
    for (const event of events()) {
      const rig = new PromptRig({ output, onAsk: "deny" }).begin();
      rig.hear(event);
      rig.say(words()).finish();
      rig.gone(0, words());
      await rig.result;
      expect(strangeText(rig.out + rig.err), event.type).toEqual([]);
    }
  });

  test("tells what happens beside the answer in plain lines", () => {
    for (const event of events()) {
      for (const line of asideLines(event, "all")) expect(strangeText(line), event.type).toEqual([]);
    }
  });

  test("keeps records that a terminal can be shown", () => {
    for (const ask of asks()) {
      const outcome = { kind: "answered", value: words(), by: words() } as const;
      const records = [recordOf(ask, outcome, "person"), unansweredRecord(ask, { why: words(), resume: words() })];
      expect(strangeText(records.map(jsonLine).join("") + outcomeLine(ask, outcome))).toEqual([]);
    }
  });
});

/** The blocks of a conversation in which every event happened, with these words in every field. */
function everyBlock(words: () => string): Block[] {
  let transcript = emptyTranscript;
  const blocks: Block[] = [];
  for (const event of samplesOf(sessionEventSchema, words) as SessionEvent[]) {
    const step = reduceTranscript(transcript, { ...event, sessionId: null }, 0);
    transcript = step.state;
    for (const change of step.changes) if (change.type === "closed") blocks.push(change.block);
  }
  expect(blocks.length).toBeGreaterThan(5);
  return blocks;
}

const factsOf = (words: () => string) => ({
  agent: words(),
  model: words(),
  exportedAt: "2026-01-01T00:00:00Z",
  palaver: "0",
});

test.each(exportFormats)("an export as %s has nothing in it that a terminal would obey", (format) => {
  verifies("exports.are-inert");
  expect(strangeText(exportTranscript(everyBlock(words), format, factsOf(words)))).toEqual([]);
});

test("an export as a page runs nothing, loads nothing and leads only to addresses of the web", () => {
  const tricks = [
    "<script>evil()</script>",
    "<img src=x onerror=evil()>",
    "</pre></code></style><svg onload=evil()>",
    "[a](javascript:evil()) ![b](https://evil.example/b.png) [c](data:text/html,evil) <https://ok.example/>",
    '"><iframe srcdoc="evil"></iframe>',
    "<style>@import url(https://evil.example)</style>",
    "\n\n<div onclick=evil()>x</div>\n\n<meta http-equiv=refresh content=0>",
    "```html\n</code></pre><script>evil()</script>\n```",
  ];
  for (const trick of tricks) {
    const page = exportTranscript(
      everyBlock(() => `w ${trick}`),
      "html",
      factsOf(() => trick),
    );
    const tags = [...page.matchAll(/<([a-z][\w-]*)([^>]*)>/gi)];
    const names = new Set(tags.map(([, name = ""]) => name.toLowerCase()));
    for (const name of [
      "script",
      "img",
      "iframe",
      "svg",
      "object",
      "embed",
      "link",
      "form",
      "base",
      "video",
      "audio",
    ]) {
      expect(names, trick).not.toContain(name);
    }
    const others = tags.filter(([, name]) => name !== "meta");
    const attributes = others.map(([, , rest = ""]) => rest).join(" ");
    expect(page).toContain("default-src 'none'");
    expect(
      tags
        .filter(([, name]) => name === "meta")
        .map(([tag]) => tag)
        .join(),
    ).not.toMatch(/refresh/i);
    expect(attributes, trick).not.toMatch(/\son\w+\s*=|\ssrc(?:set|doc)?\s*=|javascript:|data:/i);
    expect(page.split("<style>")[1]?.split("</style>")[0], trick).not.toMatch(/@import|url\(/);
  }
});

test("a title and a call are one sequence each, with plain words inside", () => {
  expect(titleBytes(words())).toMatch(/^\x1b\]0;[^\x00-\x1f\x7f-\x9f]*\x07$/);
  for (const way of ["osc9", "osc777"] as const) {
    expect(callBytes(words(), way)).toMatch(/^\x1b\](?:9|777;notify;Palaver);[^\x00-\x1f\x7f-\x9f;]*\x07$/);
  }
  expect(callBytes(words(), "osc99").split("\x1b")).toHaveLength(5);
  expect(titleBytes("x".repeat(10_000_000)).length).toBeLessThan(300);
});

// Sessions of real agents, recorded elsewhere, played again through their dialects. The recordings are not in the project:
// PALAVER_TRACES names a folder with files such as claude-deny.jsonl and pi.jsonl, one {dir, msg} a line.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import { createClaudeDialect } from "../../../src/wire/claude/claude-dialect.js";
import type { JsonObject } from "../../../src/wire/json-frame.js";
import { createPiDialect } from "../../../src/wire/pi/pi-dialect.js";
import { DialectTalk } from "../dialect-talk.js";

const folder = process.env.PALAVER_TRACES ?? "";
const files = folder === "" ? [] : readdirSync(folder).filter((name) => /^(?:claude|pi)[\w-]*\.jsonl$/.test(name));
// The same agents are also recorded behind adapters that speak another protocol.
const names = files.filter((name) => !recordedIn(name).some(({ msg }) => msg?.jsonrpc === "2.0"));

type Recorded = { readonly dir: string; readonly msg?: JsonObject };

function recordedIn(name: string): Recorded[] {
  const text = readFileSync(join(folder, name), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recorded);
}

function play(name: string): DialectTalk {
  const talking = new DialectTalk(name.startsWith("pi") ? createPiDialect() : createClaudeDialect());
  for (const { dir, msg } of recordedIn(name)) {
    if (msg === undefined) continue;
    if (dir === "agent→client") talking.hear(msg);
    else if (dir === "client→agent") repeat(talking, msg);
  }
  return talking;
}

// What the recorded client did, as a front end would bring it about.
function repeat(talking: DialectTalk, msg: JsonObject): void {
  const { type } = msg;
  const request = (msg.request ?? {}) as JsonObject;
  if (type === "prompt") talking.say({ type: "prompt", text: String(msg.message) });
  else if (type === "user") talking.say({ type: "prompt", text: JSON.stringify(msg.message) });
  else if (type === "abort" || request.subtype === "interrupt") talking.say({ type: "abort" });
  else if (type === "extension_ui_response") talking.answer(String(msg.id), msg.value ?? msg.confirmed ?? null);
  else if (type === "control_response") answerControl(talking, msg.response as JsonObject);
}

function answerControl(talking: DialectTalk, { request_id, response }: JsonObject): void {
  const ask = talking.asked.find(({ id }) => id === request_id);
  const { behavior, action, content } = (response ?? {}) as JsonObject;
  if (ask !== undefined) talking.answer(ask.id, answerTo(ask, behavior === "allow" || action === "accept", content));
}

function answerTo({ question }: Ask, isYes: boolean, content: unknown): unknown {
  if (question.kind === "permission") return { choiceId: isYes ? "allow" : "reject" };
  if (question.kind === "form") return isYes ? (content ?? {}) : null;
  return isYes;
}

describe("a recorded session", () => {
  const given = names.length === 0 ? ["(PALAVER_TRACES names no folder with recordings)"] : names;

  test.skipIf(names.length === 0).each(given)(
    "%s plays without a fault, asks what was asked and ends its turns",
    (name) => {
      const talking = play(name);
      const prompts = talking.types().filter((type) => type === "prompt.started").length;
      const asked = recordedIn(name).filter(({ msg }) => isQuestion(msg ?? {})).length;
      expect(talking.events.filter(({ type }) => type === "fault.reported")).toEqual([]);
      expect(talking.types()).toContain("agent.readied");
      expect(prompts).toBeGreaterThan(0);
      expect(talking.types().filter((type) => type === "prompt.finished")).toHaveLength(prompts);
      expect(talking.asked).toHaveLength(asked);
      expect(talking.blocks.filter(({ kind }) => kind === "prose").length).toBeGreaterThan(0);
      expect(talking.blocks.filter((block) => block.kind === "tool" && block.phase === "running")).toEqual([]);
      expect(talking.close()).toEqual([]);
    },
  );
});

function isQuestion({ type, method, request }: JsonObject): boolean {
  const { subtype } = (request ?? {}) as JsonObject;
  if (type === "control_request") return subtype === "can_use_tool" || subtype === "elicitation";
  return type === "extension_ui_request" && ["select", "confirm", "input", "editor"].includes(String(method));
}

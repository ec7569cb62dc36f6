// An abort may come at any moment. A whole turn (text, reads side by side, a change that is asked about, a command) is
// stopped after its first frame, after its second, and so on to its last; each time it ends, and what is left is a
// conversation that a model accepts, in memory and on disk.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mended } from "../../../src/builtin/session/history.js";
import { readSession } from "../../../src/builtin/session/session-record.js";
import { verifies } from "../../verifies.js";
import { type Agent, freshFolder, startWithModel } from "../rig.js";

type SentMessage = { role: string; content: unknown; tool_calls?: { id: string }[]; tool_call_id?: string };

/** What a provider would say to these messages; null when nothing is wrong with them. */
function complaint(messages: readonly SentMessage[]): string | null {
  let open: string[] = [];
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === "tool") {
      if (!open.includes(tool_call_id ?? "")) return `an answer to nobody: ${tool_call_id}`;
      open = open.filter((id) => id !== tool_call_id);
    } else {
      if (open.length > 0) return `${role} speaks before ${open.join()} was answered`;
      open = (tool_calls ?? []).map(({ id }) => id);
    }
  }
  return open.length === 0 ? null : `never answered: ${open.join()}`;
}

/** Resolves when this is true of the frames so far. */
function reached(agent: Agent, isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isTrue()) return;
      agent.output.off("data", look);
      resolve();
    };
    agent.output.on("data", look);
    look();
  });
}

function answerEverything(agent: Agent): void {
  let seen = 0;
  agent.output.on("data", () => {
    for (const frame of agent.frames.slice(seen)) if (frame.type === "ui_request") agent.answer(frame, { ok: true });
    seen = agent.frames.length;
  });
}

/** Most of the time somebody waits, so that several agents cost little more than one. */
const AT_ONCE = 8;

async function stoppedAfter(frames: number): Promise<"stopped" | "was over before"> {
  const folder = freshFolder();
  writeFileSync(join(folder, "a.txt"), "a\n");
  const { agent, model } = await startWithModel({ folder });
  answerEverything(agent);
  model.play(
    {
      text: "I look.",
      calls: [
        { name: "read", args: { path: "a.txt" } },
        { name: "ls", args: {} },
      ],
    },
    {
      calls: [
        { name: "write", args: { path: "b.txt", content: "b\n" } },
        { name: "bash", args: { command: "echo out; sleep 0.05" } },
        { name: "ls", args: {} },
      ],
    },
    ...Array.from({ length: 3 }, () => ({ text: "Done." })),
  );
  const ends = () => agent.types().filter((type) => type === "agent_end").length;
  const before = agent.frames.length;
  agent.send({ type: "prompt", text: "go" });
  await reached(agent, () => agent.frames.length >= before + frames || ends() === 1);
  const wasOver = ends() === 1;
  agent.send({ type: "abort" });
  await reached(agent, () => ends() === 1);
  agent.send({ type: "prompt", text: "what happened?" });
  await reached(agent, () => ends() === 2);
  for (const { body } of model.requests) expect([frames, complaint(body.messages)]).toEqual([frames, null]);
  expect(agent.types()).not.toContain("error");
  agent.send({ type: "save" });
  await reached(agent, () => agent.frames.at(-1)?.type === "save_result");
  const last = agent.frames.at(-1);
  const path = last?.type === "save_result" ? (last.path ?? "") : "";
  const recorded = readSession(readFileSync(path, "utf8").split("\n"));
  expect(recorded?.lost).toBe(0);
  expect(recorded?.messages).toEqual(mended(recorded?.messages ?? []));
  return wasOver ? "was over before" : "stopped";
}

test("a turn that is stopped after any of its frames ends, and the conversation stays valid", {
  timeout: 120_000,
}, async () => {
  verifies("builtin.history-stays-valid");
  const outcomes: string[] = [];
  while (!outcomes.includes("was over before")) {
    const next = Array.from({ length: AT_ONCE }, (_, at) => stoppedAfter(outcomes.length + at + 1));
    outcomes.push(...(await Promise.all(next)));
  }
  expect(outcomes.filter((outcome) => outcome === "stopped").length).toBeGreaterThan(20);
});

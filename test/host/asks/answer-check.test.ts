// Answers that come over HTTP: paths have to be there and inside of their folder, links and all.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Ask } from "../../../src/contract/asks.js";
import type { DialogParams } from "../../../src/contract/dialogs.js";
import { checkAnswer } from "../../../src/host/asks/answer-check.js";

function filesAsk(params: Partial<DialogParams<"files">>): Ask {
  const question = { kind: "files" as const, params: { title: "Which?", opts: { multiple: true }, ...params } };
  return { id: "q", sessionId: null, turnId: null, origin: { kind: "agent" }, question, deadlineMs: null };
}

function project(): string {
  const top = mkdtempSync(join(tmpdir(), "palaver-check-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  mkdirSync(join(top, "project"));
  writeFileSync(join(top, "project", "a.ts"), "");
  writeFileSync(join(top, "secret"), "");
  symlinkSync("../secret", join(top, "project", "link"));
  return join(top, "project");
}

test("files of this machine have to be there and inside of the folder", () => {
  const ask = filesAsk({ folder: project(), host: hostname() });
  expect(checkAnswer(ask, ["a.ts"])).toEqual({ kind: "answered", value: ["a.ts"] });
  expect(checkAnswer(ask, "a.ts")).toEqual({ kind: "answered", value: ["a.ts"] });
  const problem = (value: unknown) => expect(checkAnswer(ask, value));
  problem(["a.ts", "link"]).toEqual({ kind: "unfit", problem: "link: this leads outside the folder" });
  problem(["b.ts"]).toEqual({ kind: "unfit", problem: "b.ts: there is no such file" });
  problem(["../secret"]).toMatchObject({ kind: "unfit", problem: expect.stringContaining("inside the folder") });
  problem(Array.from({ length: 501 }, () => "a.ts")).toMatchObject({ problem: "at most 500 paths, not 501" });
  problem(null).toMatchObject({ kind: "unfit" });
});

test("files of another machine are judged there", () => {
  const elsewhere = filesAsk({ folder: project(), host: "elsewhere.example" });
  expect(checkAnswer(elsewhere, ["b.ts"])).toEqual({ kind: "answered", value: ["b.ts"] });
  expect(checkAnswer(elsewhere, ["/etc/passwd"])).toMatchObject({ kind: "unfit" });
});

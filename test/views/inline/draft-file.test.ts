// The draft on a real disk: there a moment after the last key, private, whole, and gone when everything ended in order.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftPath, keepDraft } from "../../../src/views/inline/draft-file.js";
import { ManualClock } from "../../rigs/simulator/manual-clock.js";

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "palaver-draft-"));
  path = draftPath(home, "/some/folder", "claude") ?? "";
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const onDisk = () => readFileSync(path, "utf8");

test("what was written and not sent is found by the next run, and no one else may read it", async () => {
  const clock = new ManualClock();
  const draft = keepDraft(path, clock);
  draft.changed("half a thou");
  draft.changed("half a thought");
  clock.advance(500);
  await vi.waitFor(() => expect(onDisk()).toBe("half a thought"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(keepDraft(path, clock).recover()).toBe("half a thought");
});

test("a run that ends in order leaves nothing, also when it ends in the middle of writing", async () => {
  const clock = new ManualClock();
  const draft = keepDraft(path, clock);
  draft.changed("half a thought");
  clock.advance(500);
  // The first step towards the disk is taken by now, the last one is not.
  await Promise.resolve();
  await draft.end("");
  expect(readdirSync(dirname(path))).toEqual([]);
});

test("a message that was sent is no draft any more", async () => {
  const clock = new ManualClock();
  const draft = keepDraft(path, clock);
  draft.changed("half a thought");
  clock.advance(500);
  await vi.waitFor(() => expect(onDisk()).toBe("half a thought"));
  draft.changed("");
  clock.advance(500);
  await vi.waitFor(() => expect(readdirSync(dirname(path))).toEqual([]));
});

test("where nothing can be written no one is disturbed", async () => {
  const clock = new ManualClock();
  const draft = keepDraft(join(home, "\0", "draft.txt"), clock);
  draft.changed("half a thought");
  clock.advance(500);
  await draft.end("");
  expect(keepDraft(null, clock).recover()).toBeNull();
});

test("a draft belongs to the agent it was written for", async () => {
  const clock = new ManualClock();
  const draft = keepDraft(path, clock);
  draft.changed("half a thought");
  await draft.end("half a thought");
  expect(keepDraft(draftPath(home, "/some/folder", "gemini"), clock).recover()).toBeNull();
  expect(keepDraft(draftPath(home, "/some/folder", "claude"), clock).recover()).toBe("half a thought");
});

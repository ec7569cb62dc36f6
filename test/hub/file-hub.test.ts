// The hub in a file: the suite of every hub, and what only a file can suffer.
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileLog } from "../../src/hub/file-log.js";
import { FileHub } from "../rigs/file-hub.js";
import { temporaryFolder } from "../server/temporary-folder.js";
import { hubSuite, type OpenHub } from "./hub-suite.js";

// The file is opened again without having been closed, as after a kill.
function opened(path: string): OpenHub {
  const hub = new FileHub({ path });
  return { machine: hub, person: hub, reopen: async () => opened(path), close: async () => undefined };
}

hubSuite("a hub in a file", async () => opened(join(temporaryFolder(), "hub.jsonl")));

describe("the file of a hub", () => {
  const text = (body: Uint8Array | null) => Buffer.from(body ?? []).toString();
  const question = (ask: string) => ({ kind: "question", machine: "here", daemon: "here", ask }) as const;

  test("that ends in half a line, or holds lines that are none, gives back the rest", () => {
    const path = join(temporaryFolder(), "hub.jsonl");
    new FileLog({ path }).put(question("q1"), Buffer.from("one"));
    appendFileSync(path, 'nonsense\n{"seq":7}\n{"seq":2,"at":1,"subj');
    const log = new FileLog({ path });
    log.put(question("q2"), Buffer.from("two"));
    const again = new FileLog({ path });
    expect([again.get(question("q1")), again.get(question("q2"))].map(text)).toEqual(["one", "two"]);
    expect(readFileSync(path, "utf8")).not.toContain('"subj\n');
  });

  test("does not grow without end, and what is open stays", () => {
    const path = join(temporaryFolder(), "hub.jsonl");
    const log = new FileLog({ path, bytesMax: 5_000, endedMax: 4 });
    log.put(question("open"), Buffer.from("still open"));
    for (let at = 0; at < 50; at += 1) {
      log.put(question(`q${at}`), Buffer.alloc(100));
      log.put({ ...question(`q${at}`), kind: "end" }, Buffer.from("over"));
    }
    expect(statSync(path).size).toBeLessThan(5_500);
    const again = new FileLog({ path });
    expect(text(again.get(question("open")))).toBe("still open");
    expect(again.get(question("q1"))).toBeNull();
    expect(again.get(question("q49"))).not.toBeNull();
    expect(again.ends(1)[0]?.seq).toBeGreaterThan(90);
  });

  test("keeps no more in memory than the bodies of the asks that are open or were over last", () => {
    const log = new FileLog({ path: join(temporaryFolder(), "hub.jsonl"), endedMax: 4 });
    for (let at = 0; at < 50; at += 1) {
      log.put(question(`q${at}`), Buffer.from("small"));
      log.put({ ...question(`q${at}`), kind: "end" }, Buffer.from("over"));
    }
    const kept = log.all("question");
    expect(kept.length).toBeLessThanOrEqual(9);
    expect(kept.at(-1)?.subject.ask).toBe("q49");
    // A small Buffer may hold on to a slab of 8 kB that it shares with others.
    expect(kept.map(({ body }) => body.buffer.byteLength)).toEqual(kept.map(() => "small".length));
  });
});

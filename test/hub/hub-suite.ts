// What every hub does, whatever it stores in. `machine` and `person` are two connections to the same hub, or the same one.
import { describe, expect, onTestFinished, test } from "vitest";
import type { Hub, NowSubject } from "../../src/hub/hub.js";

export interface OpenHub {
  readonly machine: Hub;
  readonly person: Hub;
  /** What stays of it when all that runs is killed and started again. */
  reopen(): Promise<OpenHub>;
  close(): Promise<void>;
}

const bytes = (text: string) => Buffer.from(text);
const words = (body: Uint8Array | null | undefined) => (body == null ? null : Buffer.from(body).toString());
let asks = 0;

function newAsk() {
  asks += 1;
  return { machine: "laptop", daemon: "shop", ask: `q${process.pid}-${asks}` };
}

export function hubSuite(name: string, openHub: () => Promise<OpenHub>): void {
  async function open(): Promise<OpenHub> {
    const hub = await openHub();
    onTestFinished(() => hub.close());
    return hub;
  }

  describe(name, () => {
    test("an empty hub has nothing to tell, and no end", async () => {
      const { person } = await open();
      let isCaughtUp = false;
      const stop = await person.watch(
        { onNow: () => undefined, onCaughtUp: () => (isCaughtUp = true) },
        { machine: "absent" },
      );
      stop();
      expect(isCaughtUp).toBe(true);
      expect(await person.ends(10)).toEqual([]);
    });

    test("a question is written once: the same bytes again are stored, other bytes are not", async () => {
      const { machine, person } = await open();
      const subject = { kind: "question", ...newAsk() } as const;
      expect(await person.get(subject)).toBeNull();
      expect(await machine.put(subject, bytes("deploy?"))).toBe("stored");
      expect(await machine.put(subject, bytes("deploy?"))).toBe("stored");
      expect(await machine.put(subject, bytes("delete?"))).toBe("exists");
      expect(words(await person.get(subject))).toBe("deploy?");
    });

    test("bodies are bytes, whatever they are", async () => {
      const { machine, person } = await open();
      const body = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
      const subject = { kind: "question", ...newAsk() } as const;
      await machine.put(subject, body);
      expect(Buffer.compare((await person.get(subject)) ?? new Uint8Array(), body)).toBe(0);
    });

    test("a question larger than a message of the broker comes back whole", async () => {
      const { machine, person } = await open();
      const body = Uint8Array.from({ length: 2_500_000 }, (_, at) => (at * 7) % 251);
      const subject = { kind: "question", ...newAsk() } as const;
      expect(await machine.put(subject, body)).toBe("stored");
      expect(await machine.put(subject, body)).toBe("stored");
      expect(await machine.put(subject, body.subarray(1))).toBe("exists");
      expect(Buffer.compare((await person.get(subject)) ?? new Uint8Array(), body)).toBe(0);
    });

    test("the first answer in the log counts, however many come at once", async () => {
      const { machine, person } = await open();
      const address = newAsk();
      const subject = { kind: "answer", ...address, person: "ada" } as const;
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => person.put(subject, bytes(`answer ${index}`))),
      );
      expect(results.filter((result) => result === "stored")).toHaveLength(1);
      const first = await machine.nextAnswer(address, 0);
      expect(words(first?.body)).toBe(`answer ${results.indexOf("stored")}`);
      expect(first?.subject).toEqual(subject);
      expect(await machine.nextAnswer(address, first?.seq ?? 0)).toBeNull();
    });

    test("an answer to another question is not one to this one", async () => {
      const { machine, person } = await open();
      const [one, other] = [newAsk(), newAsk()];
      await person.put({ kind: "answer", ...other, person: "ada" }, bytes("yes"));
      expect(await machine.nextAnswer(one, 0)).toBeNull();
    });

    test("the daemon hears that there is an answer, and for which question", async () => {
      const { machine, person } = await open();
      const address = newAsk();
      const heard = new Promise<string>((resolve) => onTestFinished(machine.onAnswer(address, resolve)));
      // The server has the subscription when it has answered what was sent after it.
      await machine.nextAnswer(address, 0);
      await person.put({ kind: "answer", ...address, person: "ada" }, bytes("yes"));
      expect(await heard).toBe(address.ask);
    });

    test("the daemon that asked, and no other, is told that a question was shown", async () => {
      const { machine, person } = await open();
      const address = newAsk();
      const heard: string[] = [];
      onTestFinished(machine.onShown({ ...address, daemon: "other" }, () => heard.push("other")));
      onTestFinished(
        machine.onShown(address, (subject, body) => heard.push(`${subject.person} ${subject.ask} ${words(body)}`)),
      );
      // The server has the subscriptions when it has answered what was sent after them.
      await machine.nextAnswer(address, 0);
      person.tellShown({ kind: "shown", ...address, person: "ada" }, bytes("here"));
      await expect.poll(() => heard).toEqual([`ada ${address.ask} here`]);
    });

    test("a watcher is told what is so, then what changes, and what is gone", async () => {
      const { machine, person } = await open();
      const [old, fresh] = [newAsk(), newAsk()];
      await machine.set({ kind: "open", ...old }, bytes("old"));
      const told: [string, string | null][] = [];
      const ours = [old.ask, fresh.ask];
      const onNow = (subject: NowSubject, body: Uint8Array | null) => {
        if (subject.kind === "open" && ours.includes(subject.ask)) told.push([subject.ask, words(body)]);
      };
      let caughtUp: number | null = null;
      const stop = await person.watch({ onNow, onCaughtUp: () => (caughtUp ??= told.length) });
      onTestFinished(stop);
      expect(caughtUp).toBe(1);
      await machine.set({ kind: "open", ...fresh }, bytes("fresh"));
      await machine.set({ kind: "open", ...old }, null);
      const expected = [
        [old.ask, "old"],
        [fresh.ask, "fresh"],
        [old.ask, null],
      ];
      await expect.poll(() => told).toEqual(expected);
    });

    test("a watcher of one question, or of one daemon, is told of nothing else", async () => {
      const { machine, person } = await open();
      const [one, other] = [newAsk(), newAsk()];
      const told: Record<"one" | "daemon", string[]> = { one: [], daemon: [] };
      const listener = (name: keyof typeof told) => ({
        onNow: (subject: NowSubject, body: Uint8Array | null) => {
          if (subject.kind === "open") told[name].push(`${subject.daemon} ${subject.ask} ${words(body)}`);
        },
        onCaughtUp: () => undefined,
      });
      const elsewhere = { ...one, daemon: `d${one.ask}` };
      await machine.set({ kind: "open", ...other }, bytes("open"));
      await machine.set({ kind: "open", ...one }, bytes("open"));
      onTestFinished(await person.watch(listener("one"), one));
      onTestFinished(await person.watch(listener("daemon"), { machine: "laptop", daemon: elsewhere.daemon }));
      for (const address of [other, elsewhere, one]) await machine.set({ kind: "open", ...address }, bytes("again"));
      await machine.set({ kind: "open", ...one }, null);
      const { daemon, ask } = one;
      await expect.poll(() => told.one.length).toBe(3);
      expect(told).toEqual({
        one: [`${daemon} ${ask} open`, `${daemon} ${ask} again`, `${daemon} ${ask} null`],
        daemon: [`${elsewhere.daemon} ${ask} again`],
      });
    });

    test("sessions and daemons are replaced, not added", async () => {
      const { machine, person } = await open();
      const subject = { kind: "session", machine: "laptop", daemon: "shop", session: `s${newAsk().ask}` } as const;
      for (const name of ["starting", "working", "idle"]) await machine.set(subject, bytes(name));
      const told: (string | null)[] = [];
      const onNow = (now: NowSubject, body: Uint8Array | null) => {
        if (now.kind === "session" && now.session === subject.session) told.push(words(body));
      };
      onTestFinished(await person.watch({ onNow, onCaughtUp: () => undefined }));
      expect(told).toEqual(["idle"]);
    });

    test("the newest ends are listed, the oldest of them first", async () => {
      const { machine, person } = await open();
      const ended = [newAsk(), newAsk(), newAsk()];
      for (const address of ended) await machine.put({ kind: "end", ...address }, bytes(address.ask));
      expect((await person.ends(2)).map(({ body }) => words(body))).toEqual(ended.slice(1).map(({ ask }) => ask));
    });

    test("a name that is none is refused before anything is written", async () => {
      const { machine } = await open();
      for (const ask of ["a.b", "*", ">", "", "a b", "a/../b", "x".repeat(65)]) {
        await expect(machine.put({ kind: "question", ...newAsk(), ask }, bytes("?"))).rejects.toThrow();
      }
    });

    test("after a kill everything that was stored is there", async () => {
      const before = await open();
      const address = newAsk();
      await before.machine.put({ kind: "question", ...address }, bytes("deploy?"));
      await before.person.put({ kind: "answer", ...address, person: "ada" }, bytes("yes"));
      await before.machine.set({ kind: "open", ...address }, bytes("open"));
      const { machine } = await before.reopen();
      expect(words(await machine.get({ kind: "question", ...address }))).toBe("deploy?");
      expect(words((await machine.nextAnswer(address, 0))?.body)).toBe("yes");
      expect(await machine.put({ kind: "question", ...address }, bytes("delete?"))).toBe("exists");
      const told: string[] = [];
      const onNow = (subject: NowSubject) => void (subject.kind === "open" && told.push(subject.ask));
      onTestFinished(await machine.watch({ onNow, onCaughtUp: () => undefined }, { machine: "laptop" }));
      expect(told).toContain(address.ask);
    });
  });
}

// The hub at a real nats-server: the suite of every hub, and attacks by people and machines of the team, each with its own key.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { ClosedConnectionError, type NatsConnection, type Subscription, TimeoutError } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { NatsHub } from "../../src/hub/nats/nats-hub.js";
import { hubSuite, type OpenHub } from "./hub-suite.js";
import { natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();
let server: TestServer;

beforeAll(async () => {
  if (program === null) return;
  server = await TestServer.start(program);
  server.addUser("machine", "laptop");
  server.addUser("machine", "other");
  for (const person of ["ada", "bob", "mallory"]) server.addUser("member", person);
});
afterAll(() => server?.remove());

const open = async (user: string) => NatsHub.open(await connected(user), { user });

/** A key counts when the server has read the new file. */
async function connected(user: string): Promise<NatsConnection> {
  return expect
    .poll(() => server.connect(user).catch(() => null), { timeout: 10_000 })
    .not.toBeNull()
    .then(() => server.connect(user));
}

async function opened(): Promise<OpenHub> {
  const [machine, person] = [await open("laptop"), await open("ada")];
  const close = async () => {
    await Promise.all([machine.close(), person.close()]);
  };
  const reopen = async () => {
    await server.kill();
    await server.up();
    return { machine, person, reopen, close };
  };
  return { machine, person, reopen, close };
}

describe.skipIf(program === null)("with a nats-server", () => {
  hubSuite("a hub at NATS", opened);

  test("a new leader of a stream: what the one before did not repeat is read again, and a write without a reply is repeated", async () => {
    const connection = await connected("laptop");
    let elected: (stream: string) => void = () => expect.unreachable();
    let unanswered = 0;
    // The writes of a leader that is gone get no reply.
    const withLeaders = new Proxy(connection, {
      get(target, name) {
        if (name === "subscribe") {
          return (subject: string, options: { callback: (error: null, message: unknown) => void }) => {
            const prefix = subject.slice(0, -1);
            if (subject.startsWith("$JS.EVENT.")) {
              elected = (stream) => options.callback(null, { subject: `${prefix}${stream}` });
            }
            return target.subscribe(subject, options as never);
          };
        }
        if (name === "request") {
          return (subject: string, ...given: unknown[]) => {
            if (subject.startsWith("pv.") && unanswered > 0) {
              unanswered -= 1;
              return new Promise(() => undefined);
            }
            return (target.request as (...all: unknown[]) => Promise<unknown>)(subject, ...given);
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const hub = await NatsHub.open(withLeaders, { user: "laptop" });
    onTestFinished(() => hub.close());
    const address = { machine: "laptop", daemon: "shop", ask: "elected" };
    const heard: string[] = [];
    hub.onAnswer(address, (ask) => heard.push(ask));
    elected("PV_NOW");
    expect(heard).toEqual([]);
    elected("PV_ANSWERS");
    expect(heard).toEqual(["any"]);
    unanswered = 1;
    const stored = hub.put({ kind: "question", ...address }, new TextEncoder().encode("deploy?"));
    await expect.poll(() => unanswered).toBe(0);
    elected("PV_QUESTIONS");
    expect(await stored).toBe("stored");
    await expect(hub.get({ kind: "question", ...address })).resolves.not.toBeNull();
  });

  test("a write that waits long is repeated as soon as the server has replied to another one after its silence", async () => {
    const connection = await connected("laptop");
    // What becomes of the next tries to write; a try that is not listed arrives.
    const tries: Record<string, ("silence" | "no reply")[]> = {
      "pv.question.laptop.shop.long": ["silence", "silence", "no reply"],
      "pv.question.laptop.shop.short": ["silence"],
    };
    const silenced = new Proxy(connection, {
      get(target, name) {
        if (name === "request") {
          return (subject: string, ...given: unknown[]) => {
            const what = tries[subject]?.shift();
            if (what === "silence") return Promise.reject(new TimeoutError());
            if (what === "no reply") return new Promise(() => undefined);
            return (target.request as (...all: unknown[]) => Promise<unknown>)(subject, ...given);
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const hub = await NatsHub.open(silenced, { user: "laptop" });
    onTestFinished(() => hub.close());
    const put = (ask: string) =>
      hub.put({ kind: "question", machine: "laptop", daemon: "shop", ask }, new TextEncoder().encode("deploy?"));
    const long = put("long");
    await expect.poll(() => tries["pv.question.laptop.shop.long"]).toEqual([]);
    expect(await put("short")).toBe("stored");
    expect(await long).toBe("stored");
  });

  /** Requests whose reply the test gives; null lets one through. */
  function withReplies(connection: NatsConnection, replyTo: (subject: string) => Promise<unknown> | null) {
    return new Proxy(connection, {
      get(target, name) {
        if (name === "request") {
          return (subject: string, ...given: unknown[]) =>
            replyTo(subject) ?? (target.request as (...all: unknown[]) => Promise<unknown>)(subject, ...given);
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  }

  test("a repeated write that cannot be compared with what is there may have been stored, and says so", async () => {
    const silent = withReplies(await connected("laptop"), (subject) =>
      subject.includes("MSG.GET.PV_QUESTIONS") ? Promise.reject(new TimeoutError()) : null,
    );
    const hub = await NatsHub.open(silent, { user: "laptop", patienceMs: 0 });
    onTestFinished(() => hub.close());
    const subject = { kind: "question", machine: "laptop", daemon: "shop", ask: "repeated" } as const;
    const body = new TextEncoder().encode("deploy?");
    expect(await hub.put(subject, body)).toBe("stored");
    await expect(hub.put(subject, body)).rejects.toThrow("what was sent to it may still be stored then");
  });

  test("a part of a large question that only a leader had, which is lost, is written again", async () => {
    const error = { code: 400, err_code: 10_077, description: "maximum messages per subject exceeded" };
    const data = new TextEncoder().encode(JSON.stringify({ error }));
    let refusals = 1;
    const losing = withReplies(await connected("laptop"), (subject) => {
      if (!/^pv\.body\..*\.1$/.test(subject) || refusals === 0) return null;
      refusals -= 1;
      return Promise.resolve({ data });
    });
    const hub = await NatsHub.open(losing, { user: "laptop" });
    onTestFinished(() => hub.close());
    const subject = { kind: "question", machine: "laptop", daemon: "shop", ask: "large" } as const;
    const body = Uint8Array.from({ length: 2_000_000 }, (_, at) => (at * 11) % 253);
    expect(await hub.put(subject, body)).toBe("stored");
    expect(refusals).toBe(0);
    expect(Buffer.compare((await hub.get(subject)) ?? new Uint8Array(), body)).toBe(0);
  });

  test("a watch that fails leaves nothing behind that reads again, listens, or tells", async () => {
    const connection = await connected("ada");
    const live: Subscription[] = [];
    let elected: () => void = () => expect.unreachable();
    let reads = 0;
    const closing = new Proxy(connection, {
      get(target, name) {
        if (name === "subscribe") {
          return (to: string, options: { callback: (error: null, message: unknown) => void }) => {
            if (to.startsWith("$JS.EVENT.")) {
              elected = () => options.callback(null, { subject: `${to.slice(0, -1)}PV_NOW` });
            }
            const subscription = target.subscribe(to, options as never);
            if (to.startsWith("pv.live.")) live.push(subscription);
            return subscription;
          };
        }
        if (name === "publish") {
          return (subject: string, ...given: unknown[]) => {
            if (!subject.includes("DIRECT.GET.PV_NOW")) {
              (target.publish as (...all: unknown[]) => void)(subject, ...given);
              return;
            }
            reads += 1;
            throw new ClosedConnectionError();
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const hub = await NatsHub.open(closing, { user: "ada" });
    onTestFinished(() => hub.close());
    const nothing = () => undefined;
    await expect(hub.watch({ onNow: nothing, onCaughtUp: nothing, onLost: nothing })).rejects.toThrow();
    expect([reads, live.map((one) => one.isClosed())]).toEqual([1, [true]]);
    elected();
    await connection.flush();
    expect(reads).toBe(1);
  });

  test("a server is not sent everything at once: what has no reply yet is little, and the rest follows in order", async () => {
    const connection = await connected("laptop");
    const sent: string[] = [];
    let [unanswered, most] = [0, 0];
    const counted = new Proxy(connection, {
      get(target, name) {
        if (name === "request") {
          return async (subject: string, ...given: unknown[]) => {
            if (subject.startsWith("pv.")) sent.push(subject.slice(subject.lastIndexOf(".") + 1));
            unanswered += 1;
            most = Math.max(most, unanswered);
            const reply = (target.request as (...all: unknown[]) => Promise<unknown>)(subject, ...given);
            return reply.finally(() => {
              unanswered -= 1;
            });
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const hub = await NatsHub.open(counted, { user: "laptop" });
    onTestFinished(() => hub.close());
    const asks = Array.from({ length: 100 }, (_, at) => `many${at}`);
    const body = new TextEncoder().encode("deploy?");
    const puts = asks.map((ask) => hub.put({ kind: "question", machine: "laptop", daemon: "shop", ask }, body));
    expect(new Set(await Promise.all(puts))).toEqual(new Set(["stored"]));
    expect(most).toBe(16);
    expect([...new Set(sent)]).toEqual(asks);
  });

  describe("the sign that a question is not open any more", () => {
    const question = { kind: "open", machine: "laptop", daemon: "shop", ask: "over" } as const;
    const subject = "pv.now.laptop.shop.open.over";

    async function stored() {
      const connection = await connected("root");
      onTestFinished(() => connection.close());
      const { streams } = await jetstreamManager(connection, { domain: "hub" });
      return () => streams.getMessage("PV_NOW", { last_by_subj: subject });
    }

    test("stays for a minute at most: what every read brings does not grow with what was asked", async () => {
      const machine = await open("laptop");
      onTestFinished(() => machine.close());
      await machine.set(question, new TextEncoder().encode("{}"));
      await machine.set(question, null);
      const sign = await (await stored())();
      expect(sign?.data).toHaveLength(0);
      expect(sign?.header.get("Nats-TTL")).toBe("1m");
    });

    test("is not needed by a watcher that missed it", async () => {
      const machine = await open("laptop");
      onTestFinished(() => machine.close());
      const connection = await connected("ada");
      let elected: () => void = () => expect.unreachable();
      // Hears of leaders, and of no change.
      const deaf = new Proxy(connection, {
        get(target, name) {
          if (name === "subscribe") {
            return (to: string, options: { callback: (error: null, message: unknown) => void }) => {
              if (to.startsWith("$JS.EVENT.")) {
                elected = () => options.callback(null, { subject: `${to.slice(0, -1)}PV_NOW` });
              }
              const callback = () => undefined;
              return target.subscribe(to, to.startsWith("pv.live.") ? { callback } : (options as never));
            };
          }
          const value = Reflect.get(target, name) as unknown;
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
      const person = await NatsHub.open(deaf, { user: "ada" });
      onTestFinished(() => person.close());
      await machine.set(question, new TextEncoder().encode("{}"));
      const told: boolean[] = [];
      const onNow = (_: unknown, body: Uint8Array | null) => void told.push(body !== null);
      onTestFinished(await person.watch({ onNow, onCaughtUp: () => undefined }, question));
      expect(told).toEqual([true]);
      const raw = await connected("laptop");
      onTestFinished(() => raw.close());
      await jetstream(raw).publish(subject, new Uint8Array(), { ttl: "1s" });
      await expect.poll(await stored(), { timeout: 10_000 }).toBeNull();
      elected();
      await expect.poll(() => told).toEqual([true, false]);
    });
  });

  test.each(["ada", "laptop"])("%s may hear of new leaders", async (user) => {
    const connection = await connected(user);
    onTestFinished(() => connection.close());
    const problems: unknown[] = [];
    connection.subscribe("$JS.EVENT.ADVISORY.STREAM.LEADER_ELECTED.*", {
      callback: (error) => void problems.push(error),
    });
    await connection.flush();
    expect(problems).toEqual([]);
  });

  describe("an attack", () => {
    const ask = { machine: "laptop", daemon: "shop", ask: "attacked" };
    const body = new TextEncoder().encode("yes");

    async function raw(user: string) {
      const connection = await connected(user);
      onTestFinished(() => connection.close());
      return { connection, client: jetstream(connection, { timeout: 1_000 }) };
    }

    async function refused(user: string, subject: string): Promise<void> {
      const { client } = await raw(user);
      await expect(client.publish(subject, body)).rejects.toThrow(/permissions violation/i);
    }

    test("a forged question: a person, or another machine, asks as this one", async () => {
      for (const user of ["mallory", "other"]) await refused(user, "pv.question.laptop.shop.forged");
    });

    test("a part of a large question of another machine", () => refused("other", "pv.body.laptop.0123.0"));

    test("an answer as somebody else", () => refused("mallory", "pv.answer.laptop.shop.attacked.ada"));

    test("a question shown to somebody else", () => refused("mallory", "pv.shown.laptop.shop.attacked.ada"));

    test("a machine answers its own question", () => refused("laptop", "pv.answer.laptop.shop.attacked.laptop"));

    test("a forged end: another machine, or a person, says that the question is over", async () => {
      for (const user of ["mallory", "other"]) await refused(user, "pv.end.laptop.shop.attacked");
    });

    test("a replayed or changed answer: the first stays", async () => {
      const [ada, laptop] = [await open("ada"), await open("laptop")];
      onTestFinished(async () => void (await Promise.all([ada.close(), laptop.close()])));
      const subject = { kind: "answer", ...ask, person: "ada" } as const;
      expect(await ada.put(subject, body)).toBe("stored");
      expect(await ada.put(subject, new TextEncoder().encode("no"))).toBe("exists");
      expect(Buffer.from((await laptop.nextAnswer(ask, 0))?.body ?? []).toString()).toBe("yes");
    });

    test.each(["mallory", "laptop"])("%s purges, deletes or changes a stream, or reads by a consumer", async (user) => {
      const { connection } = await raw(user);
      for (const action of ["STREAM.PURGE.PV_ANSWERS", "STREAM.MSG.DELETE.PV_ANSWERS", "STREAM.DELETE.PV_ANSWERS"]) {
        await expect(connection.request(`$JS.API.${action}`, "{}", { timeout: 1_000 })).rejects.toThrow(/permission/i);
      }
      await expect(connection.request("$JS.API.STREAM.UPDATE.PV_ANSWERS", "{}", { timeout: 1_000 })).rejects.toThrow(
        /permission/i,
      );
    });

    test("a delivery of a consumer as an answer of somebody else", async () => {
      const { connection } = await raw("other");
      const config = {
        deliver_subject: "pv.answer.laptop.shop.attacked2.ada",
        deliver_policy: "all",
        ack_policy: "none",
      };
      const request = JSON.stringify({ stream_name: "PV_NOW", config });
      await expect(connection.request("$JS.API.CONSUMER.CREATE.PV_NOW", request, { timeout: 1_000 })).rejects.toThrow(
        /permission/i,
      );
    });

    test("the admin's key cannot purge what was answered either", async () => {
      const { connection } = await raw("root");
      const manager = await jetstreamManager(connection);
      await expect(manager.streams.purge("PV_ANSWERS")).rejects.toThrow();
      await expect(manager.streams.deleteMessage("PV_ANSWERS", 1)).rejects.toThrow();
    });

    test("a listener on the replies of somebody else hears nothing", async () => {
      const { connection } = await raw("mallory");
      const heard = new Promise((resolve) => {
        connection.subscribe("_INBOX_ada.>", { callback: (error) => resolve(error) });
      });
      expect(String(await heard)).toMatch(/permission/i);
    });

    test("a revoked user is cut off, and does not come back", async () => {
      server.addUser("member", "eve");
      const connection = await connected("eve");
      onTestFinished(() => connection.close());
      server.removeUser("eve");
      const statuses: string[] = [];
      for await (const { type } of connection.status()) {
        statuses.push(type);
        // Its client tries again and again, and is refused.
        if (type === "reconnecting" && statuses.filter((one) => one === "reconnecting").length > 2) break;
      }
      expect(statuses).toContain("disconnect");
      expect(statuses).not.toContain("reconnect");
      await expect(server.connect("eve")).rejects.toThrow("it does not know the key of eve");
    });
  });
});

// What the page says about an answer is never more than is true, and an answer is given once whatever the network does.
import { describe, expect, test } from "vitest";
import type { AskOutcome } from "../../src/contract/asks.js";
import { Requests } from "../../src/page/net/requests.js";
import { answerWords, type OwnAnswer, ownAnswerOf } from "../../src/page/state/answer-state.js";
import type { SettledAsk } from "../../src/page/state/overview.js";
import { NetStage } from "./net-stage.js";

describe("an answer that is sent", () => {
  test("is sent again under the same key until the daemon's answer is known", async () => {
    const stage = new NetStage();
    let keys = 0;
    const requests = new Requests(stage.ports, () => `key-${++keys}`);
    let waits = 0;
    const answer = requests.untilKnown("/asks/1/answer", { value: true }, () => waits++);
    await (await stage.request(0)).fail();
    await stage.advance(500);
    await (await stage.request(1)).refuse(503, { error: "busy" });
    await stage.advance(1_000);
    const third = await stage.request(2);
    await third.answer({ outcome: "answered" });
    expect((await answer).status).toBe(200);
    expect(waits).toBe(2);
    const sent = await Promise.all([0, 1, 2].map((at) => stage.request(at)));
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["key-1", "key-1", "key-1"]);
  });

  test("is sent at once when the network is back", async () => {
    const stage = new NetStage();
    const requests = new Requests(stage.ports, () => "k");
    const answer = requests.untilKnown("/asks/1/answer", { value: true });
    await (await stage.request(0)).fail();
    requests.wake();
    await (await stage.request(1)).answer({});
    expect((await answer).status).toBe(200);
  });

  test("that hangs is given up and sent again", async () => {
    const stage = new NetStage();
    const requests = new Requests(stage.ports, () => "k");
    void requests.untilKnown("/asks/1/answer", { value: true });
    await stage.advance(10_500);
    expect((await stage.request(0)).isAborted).toBe(true);
    expect(stage.requestCount).toBe(2);
  });
});

const answered: AskOutcome = { kind: "answered", value: true, by: "phone" };

describe("the words about an answer", () => {
  test.each<[OwnAnswer | undefined, SettledAsk | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    [{ phase: "sending", isDelayed: false }, undefined, "sending…"],
    [{ phase: "sending", isDelayed: true }, undefined, "sending… no connection, it is sent again"],
    [{ phase: "given" }, undefined, "given, on its way to the agent"],
    [{ phase: "given" }, { outcome: answered, delivery: undefined }, "given, on its way to the agent"],
    [{ phase: "given" }, { outcome: answered, delivery: "delivered" }, "delivered to the agent"],
    [{ phase: "given" }, { outcome: answered, delivery: "lost" }, "answered, but it did not reach the agent"],
    [{ phase: "sending", isDelayed: false }, { outcome: answered, delivery: undefined }, "sending…"],
    [{ phase: "late" }, { outcome: answered, delivery: "delivered" }, "answered by phone, delivered to the agent"],
    [undefined, { outcome: answered, delivery: undefined }, "answered by phone, on its way to the agent"],
    [undefined, { outcome: { kind: "withdrawn", reason: "turn_ended" }, delivery: null }, "withdrawn: the turn ended"],
    [{ phase: "given" }, { outcome: { kind: "expired" }, delivery: null }, "no answer in time"],
    [{ phase: "refused", words: "it does not fit" }, undefined, "not sent: it does not fit"],
  ])("%o with %o are: %s", (own, settled, text) => {
    expect(answerWords(own, settled)?.text).toBe(text);
  });

  test("a refused answer may be given again, any other one not", () => {
    expect(answerWords({ phase: "refused", words: "" }, undefined)?.isOver).toBe(false);
    expect(answerWords({ phase: "sending", isDelayed: false }, undefined)?.isOver).toBe(true);
  });

  test.each([
    [{ status: 200, body: { result: "accepted" } }, { phase: "given" }],
    [{ status: 200, body: { result: "delivered" } }, { phase: "delivered" }],
    [{ status: 409, body: { result: "refused", why: "late" } }, { phase: "late" }],
    [
      { status: 400, body: { error: "required" } },
      { phase: "refused", words: "required" },
    ],
    [
      { status: 410, body: null },
      { phase: "refused", words: "the daemon answered 410" },
    ],
  ])("%o means %o", (answer, own) => {
    expect(ownAnswerOf(answer)).toEqual(own);
  });
});

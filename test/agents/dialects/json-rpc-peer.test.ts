// JSON-RPC as agents speak it: with a version or without, with numbers or names for ids, in both directions at once.
import { describe, expect, test } from "vitest";
import {
  type AgentRequest,
  JsonRpcPeer,
  type JsonRpcWire,
  type RpcReply,
} from "../../../src/agents/dialects/json-rpc-peer.js";
import { StepBuilder } from "../../../src/agents/dialects/step-builder.js";

const plain: JsonRpcWire = { envelope: {}, ids: "numbers", cancelMethod: null, lateAnswers: "reported" };

function peerOn(wire: Partial<JsonRpcWire>) {
  const out = new StepBuilder();
  const peer = new JsonRpcPeer(out, { ...plain, ...wire });
  const requests: AgentRequest[] = [];
  const read = (frame: Record<string, unknown>) =>
    peer.read(frame, { onRequest: (request) => requests.push(request), onNotification: () => undefined });
  const faults = () => out.take().events.flatMap((event) => (event.type === "fault.reported" ? [event.fault] : []));
  return { out, peer, requests, read, faults };
}

describe("a JSON-RPC peer", () => {
  test("puts the wire's own fields into every message, and numbers or names its requests", () => {
    const { out, peer, read, requests } = peerOn({ envelope: { jsonrpc: "2.0" }, ids: "names" });
    peer.request("go", {});
    peer.notify("gone", { x: 1 });
    read({ id: 7, method: "ask" });
    requests[0]?.answer({});
    expect(out.take().frames).toEqual([
      { jsonrpc: "2.0", id: "palaver-1", method: "go", params: {} },
      { jsonrpc: "2.0", method: "gone", params: { x: 1 } },
      { jsonrpc: "2.0", id: 7, result: {} },
    ]);
    const bare = peerOn({});
    bare.peer.request("go", {});
    expect(bare.out.take().frames).toEqual([{ id: 0, method: "go", params: {} }]);
  });

  test("brings an answer to the request it belongs to, also where the agent writes the number as a text", () => {
    const { peer, read } = peerOn({});
    const replies: RpcReply[] = [];
    for (const method of ["a", "b"]) peer.request(method, {}, (reply) => replies.push(reply));
    read({ id: "1", result: "second" });
    read({ id: 0, error: { code: -1, message: "no" } });
    expect(replies).toEqual([
      { ok: true, result: "second" },
      { ok: false, code: -1, message: "no", data: undefined },
    ]);
  });

  test.each([
    ["reported", 1],
    ["dropped", 0],
  ] as const)("has late answers %s", (lateAnswers, count) => {
    const { read, faults } = peerOn({ lateAnswers });
    read({ id: 5, result: {} });
    expect(faults()).toHaveLength(count);
  });

  test("refuses a second request with an id that is open, and takes it again once it is answered", () => {
    const { out, read, requests } = peerOn({});
    for (const method of ["one", "two"]) read({ id: "x", method });
    expect(out.take()).toMatchObject({
      events: [{ fault: { message: 'a request with the id "x" is already open' } }],
      frames: [{ id: "x", error: { code: -32600 } }],
    });
    requests[0]?.answer(null);
    read({ id: "x", method: "three" });
    expect(requests.map(({ method }) => method)).toEqual(["one", "three"]);
  });

  test("sends nothing for a request that another client answered, ends what was begun, and takes its id again", () => {
    const { out, peer, read, requests } = peerOn({});
    read({ id: 7, method: "ask" });
    let isEnded = false;
    requests[0]?.whenTakenBack(() => {
      isEnded = true;
    });
    peer.settledElsewhere(7);
    peer.settledElsewhere("7");
    requests[0]?.answer({});
    expect([isEnded, requests[0]?.isOpen, out.take().frames]).toEqual([true, false, []]);
    read({ id: 7, method: "ask" });
    expect(requests).toHaveLength(2);
  });
});

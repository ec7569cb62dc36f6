// The rpc wire: what a bare object is follows from its fields, and a response means what the contract says.
import { expect, test } from "vitest";
import { createRpcDecoder, encodeRpc, readRpcResponse } from "../../../src/agents/dialects/rpc/rpc-codec.js";
import { rpcNotificationSchemas, rpcRequestSchemas } from "../../../src/contract/rpc.js";
import { examplesOf } from "../../contract/schema-examples.js";

function decode(text: string): string[] {
  const decoder = createRpcDecoder();
  return [...decoder.push(new TextEncoder().encode(text)), ...decoder.end()].map((item) => {
    if (item.kind === "frame") return item.frame.kind;
    return item.kind === "fault" ? item.fault.message : item.kind;
  });
}

test.each<[string, string]>([
  ['{"id":"1","method":"select","params":{"title":"T","options":[]}}', "request"],
  ['{"id":7,"method":"confirm","params":{"title":"T"}}', "request"],
  ['{"method":"notify","params":{"message":"m","type":"warning"}}', "notification"],
  ['{"id":null,"method":"set_title","params":{"title":"t"}}', "notification"],
  ['{"id":"1","result":null}', "response"],
  ['{"id":"1","error":"no"}', "response"],
  ['{"id":"1"}', "response"],
  ['{"result":1}', "an object with neither method nor id"],
  ['{"id":null,"result":1}', "an object with neither method nor id"],
  ['{"id":"1","method":"dance","params":{}}', 'dance: method: must be "select"'],
  ['{"id":"1","method":"input","params":{}}', "input: params.title: is missing; it must be a string"],
  ["not json", "text"],
])("%s is %s", (line, expected) => {
  expect(decode(`${line}\n`)).toEqual([expect.stringContaining(expected)]);
});

test.each([...examplesOf(rpcRequestSchemas), ...examplesOf(rpcNotificationSchemas)])(
  "the example of %s is valid",
  (_name, example) => {
    expect(decode(encodeRpc(example as never))).toEqual([example.id === undefined ? "notification" : "request"]);
  },
);

test("a result wins over an error, a null result is an answer, and neither is none", () => {
  expect(readRpcResponse({ id: "1", result: 5, error: "x" })).toEqual({ result: 5 });
  expect(readRpcResponse({ id: "1", result: null, error: "x" })).toEqual({ result: null });
  expect(readRpcResponse({ id: "1", error: "x" })).toEqual({ error: "x" });
  expect(readRpcResponse({ id: "1", error: { code: -1, message: "gone" } })).toEqual({ error: "gone" });
  expect(readRpcResponse({ id: "1", error: null })).toBeNull();
  expect(readRpcResponse({ id: "1" })).toBeNull();
});

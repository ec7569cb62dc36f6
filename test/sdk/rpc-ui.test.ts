// What only the rpc adapter has: a reader of its own, streams that fail, a front end that stops reading.
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import type { Fault } from "../../src/contract/errors.js";
import { createRpcUi } from "../../src/sdk/rpc-ui.js";
import { createFakeTimers } from "./fake-timers.js";

const rejection = (promise: Promise<unknown>) => promise.then(String, (error: { code: string }) => error.code);

/** An output that takes nothing until it is told to. */
function stalledOutput() {
  const held: (() => void)[] = [];
  const lines: string[] = [];
  let open = false;
  const output = new Writable({
    highWaterMark: 1_000,
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().trimEnd().split("\n"));
      if (open) done();
      else held.push(done);
    },
  });
  const release = () => {
    open = true;
    for (const done of held.splice(0)) done();
  };
  return { output, lines, release };
}

test("a reader that fails settles every dialog like the end of the input", async () => {
  const input = new PassThrough();
  const ui = createRpcUi({ input, output: new PassThrough(), timers: createFakeTimers() });
  const answer = rejection(ui.input({ title: "T" }));
  input.destroy(new Error("the pipe broke"));
  expect(await answer).toBe("connection_closed");
});

test("half a frame at the end of the input is a fault, and the dialog is settled", async () => {
  const input = new PassThrough();
  const faults: Fault[] = [];
  const ui = createRpcUi({
    input,
    output: new PassThrough(),
    timers: createFakeTimers(),
    onFault: (fault) => faults.push(fault),
  });
  const answer = rejection(ui.input({ title: "T" }));
  input.end('{"id":"x","resu');
  expect(await answer).toBe("connection_closed");
  expect(faults.map(({ name }) => name)).toEqual(["malformed"]);
});

test("an output that is gone settles dialogs, and signals are dropped without an error", async () => {
  const output = new PassThrough();
  const ui = createRpcUi({ input: new PassThrough(), output, timers: createFakeTimers() });
  const answer = rejection(ui.confirm({ title: "T" }));
  output.destroy(new Error("EPIPE"));
  expect(await answer).toBe("connection_closed");
  expect(() => ui.notify("nobody hears this")).not.toThrow();
});

test("a front end that stops reading costs a bounded amount of memory, and is told what it missed", async () => {
  const { output, lines, release } = stalledOutput();
  const ui = createRpcUi({ input: new PassThrough(), output, timers: createFakeTimers(), outletBytesMax: 5_000 });
  for (let i = 0; i < 1_000; i += 1) ui.setStatus("count", `${i}`.padStart(100, "0"));
  expect(output.writableLength).toBeLessThanOrEqual(5_000);
  expect(await rejection(ui.confirm({ title: "T" }))).toBe("overloaded");
  const drained = new Promise((resolve) => output.once("drain", resolve));
  release();
  await drained;
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines.at(-1)).toMatch(/"\d+ updates were left out while the output was not read"/);
});

test("as many dialogs as allowed may be open, and the next one is refused", async () => {
  const ui = createRpcUi({
    input: new PassThrough(),
    output: new PassThrough(),
    timers: createFakeTimers(),
    pendingMax: 3,
  });
  const open = [1, 2, 3].map(() => rejection(ui.confirm({ title: "T" })));
  expect(await rejection(ui.confirm({ title: "T" }))).toBe("overloaded");
  ui.close();
  expect(await Promise.all(open)).toEqual(["server_shutdown", "server_shutdown", "server_shutdown"]);
});

test("what is no answer is reported, and the reader goes on", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const faults: string[] = [];
  const ui = createRpcUi({
    input,
    output,
    timers: createFakeTimers(),
    newId: () => "q1",
    onFault: ({ message }) => faults.push(message),
  });
  const answer = ui.input({ title: "T" });
  input.write(
    'hello\n{"method":"notify","params":{"message":"m"}}\n{"id":"q9","result":1}\n{"id":"q1","result":"yes"}\n',
  );
  expect(await answer).toBe("yes");
  expect(faults).toEqual([
    "a line that is not JSON",
    "a frame that is not an answer",
    "an answer to a question that is not open",
  ]);
});

// The clock of the process between timers and input: what could be read when a timer ran is read before it looks.
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processClock } from "../../src/cli/process-clock.js";

/** Two ends of one connection: what is written to one can be read from the other at once. */
async function socketPair(): Promise<[Socket, Socket]> {
  const folder = mkdtempSync(join(tmpdir(), "palaver-clock-"));
  const server = createServer();
  const path = process.platform === "win32" ? join("\\\\.\\pipe", folder) : join(folder, "socket");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = connect(path);
  const far = await accepted;
  onTestFinished(() => {
    for (const each of [near, far]) each.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return [near, far];
}

test("input that arrived before a timer ran is read before the timer looks, and so is what that input brings", async () => {
  const [[near, far], [nextNear, nextFar]] = [await socketPair(), await socketPair()];
  const order: string[] = [];
  near.on("data", () => {
    order.push("input");
    nextFar.write("y");
  });
  nextNear.on("data", () => order.push("what it brings"));
  await new Promise<void>((resolve) => {
    processClock.after(0, () => {
      far.write("x");
      processClock.afterInput(() => {
        order.push("look");
        resolve();
      });
    });
  });
  expect(order).toEqual(["input", "what it brings", "look"]);
});

test("a look that was taken back does not run", async () => {
  const order: string[] = [];
  processClock.afterInput(() => order.push("taken back"))();
  await new Promise<void>((resolve) => {
    processClock.afterInput(resolve);
  });
  expect(order).toEqual([]);
});

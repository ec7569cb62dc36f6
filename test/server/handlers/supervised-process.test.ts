// Programs that a daemon keeps running: real processes, whose lines are logged, which are started again and leave nothing behind.
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type AddedProcessOptions, HeadlessTui } from "../../../src/server/handlers/headless-tui.js";
import { isRunning } from "../../e2e/processes.js";

function running(command: string | readonly string[], options: AddedProcessOptions = {}) {
  const tui = new HeadlessTui();
  const lines: string[] = [];
  tui.logs.tap("from-start", (entry) => void lines.push(entry.content));
  tui.addProcess("server", command, options);
  onTestFinished(() => tui.shutdown());
  const state = () => tui.getHandlerStates()[0]?.value ?? "";
  return { tui, lines, state };
}

const eventually = { timeout: 20_000, interval: 10 };

test("its lines are the log, without control sequences, and its state is shown", async () => {
  const { lines, state, tui } = running("printf '\\033[31mred\\033[0m\\n'; echo err >&2; exec sleep 100");
  await expect.poll(() => [...lines].sort(), eventually).toEqual(["err", "red"]);
  expect(state()).toBe("running");
  expect(tui.getHandlerStates()[0]).toMatchObject({ tab_title: "PROCESSES", label: "Restart server" });
});

test("a failure is followed by a new start, a success is not", async () => {
  const failed = running("echo begun; exit 3");
  await expect.poll(() => failed.lines.filter((line) => line === "begun").length, eventually).toBe(2);
  expect(failed.lines).toContain("server exited with code 3 (failed)");
  expect(failed.state()).toMatch(/restart in|running/);
  const done = running(["true"]);
  await expect.poll(done.state, eventually).toBe("exited with code 0");
});

test("an action restarts it, and the end of the daemon ends all that it started", async () => {
  const { lines, tui } = running("sleep 100 & echo $!; wait");
  await expect.poll(() => lines.length, eventually).toBe(1);
  await tui.runAction("server", "");
  await expect.poll(() => lines.length, eventually).toBe(2);
  const [first, second] = lines.map(Number);
  expect(isRunning(first ?? 0)).toBe(false);
  expect(isRunning(second ?? 0)).toBe(true);
  await tui.shutdown();
  await expect.poll(() => isRunning(second ?? 0), eventually).toBe(false);
});

test("it is ready when its port is open", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as { port: number };
  await new Promise((resolve) => holder.close(resolve));
  const serve = `setTimeout(() => require("net").createServer().listen(${port}, "127.0.0.1"), 300)`;
  const { state, lines } = running([process.execPath, "-e", serve], { port });
  expect(state()).toBe(`starting; port ${port} is not open yet`);
  await expect.poll(state, eventually).toBe(`running at port ${port}`);
  expect(lines).toEqual([`server is ready at port ${port}`]);
});

test("a program that is not there is said so", async () => {
  const { state } = running(["/no/such/program"], { restart: "never" });
  await expect.poll(state, eventually).toMatch(/could not be started: .*ENOENT/);
});

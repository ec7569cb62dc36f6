// `npm start` as a person sees it, in a real terminal.
import { spawn } from "@lydell/node-pty";
import { expect, test } from "vitest";
import { projectRoot } from "./run-program.js";

test("npm start in a terminal shows what Palaver can do, and gives the terminal back", async () => {
  const terminal = spawn("npm", ["start", "--silent"], { cwd: projectRoot, cols: 100, rows: 30 });
  let screen = "";
  terminal.onData((data) => {
    screen += data;
  });
  const { exitCode } = await new Promise<{ exitCode: number }>((resolve) => terminal.onExit(resolve));
  expect(exitCode).toBe(0);
  expect(screen).toContain("Palaver is the terminal where programs and people talk things over.");
});

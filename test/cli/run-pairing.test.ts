// `/pair` in a terminal, where its page cannot be opened.
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { openRunPairing } from "../../src/cli/run-pairing.js";
import { AgentConnection } from "../../src/host/agent-connection.js";
import { ManualClock } from "../rigs/simulator/manual-clock.js";
import { temporaryFolder } from "../server/temporary-folder.js";

test("a port that is taken is named, and nothing of the session stays on disk", async () => {
  const folder = temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const openLink = () => Promise.reject(new Error("not opened here"));
  const connection = new AgentConnection({ name: "wren", openLink }, { clock: new ManualClock() });
  const given = { connection, agent: "wren", folder, environment: {}, secrets: new Set<string>() };
  await expect(openRunPairing({ ...given, port, publicUrl: "" })).rejects.toThrow(
    `port ${port} is taken by another program; choose another one: palaver config set pair.port 0`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

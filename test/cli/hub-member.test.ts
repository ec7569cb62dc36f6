// A daemon that joins its hub late: the broker is down first, then it would lose data, then it is right. The daemon keeps trying, and
// says each reason once.
import { jetstreamManager } from "@nats-io/jetstream";
import { expect, onTestFinished, test, vi } from "vitest";
import { HubMember } from "../../src/cli/hub-member.js";
import { AskRegistry } from "../../src/host/asks/ask-registry.js";
import { SessionHost } from "../../src/host/session-host.js";
import { type Settings, settingTable } from "../../src/session/settings/setting-table.js";
import { createRedactor } from "../../src/text/redact.js";
import { natsServerProgram, TestServer } from "../hub/nats-server.js";
import { temporaryFolder } from "../server/temporary-folder.js";

const program = natsServerProgram();

function createMember(server: TestServer): HubMember {
  const fallbacks = Object.entries(settingTable).map(([key, { fallback }]) => [key, fallback]);
  const { url, user, keyPath } = server.login("laptop");
  const settings = { ...Object.fromEntries(fallbacks), "hub.user": user, "hub.key": keyPath } as Settings;
  const redactor = createRedactor([]);
  const host = new SessionHost({
    ...{ folder: temporaryFolder(), project: "/shop", starts: "named-agents", redaction: redactor },
    findAgent: () => ({ problem: "there is none" }),
    openLink: () => {
      throw new Error("there is none");
    },
  });
  return new HubMember({
    ...{ url, settings, host, project: "/shop" },
    ...{ registry: new AskRegistry(), redactor },
  });
}

test.skipIf(program === null)(
  "with a nats-server: a daemon waits for its hub, also for one that has to be mended",
  async () => {
    const server = await TestServer.start(program ?? "", {
      beforeStart: (starting) => void starting.addUser("machine", "laptop"),
    });
    onTestFinished(() => server.remove());
    const setMaxAge = async (max_age: number) => {
      const connection = await server.connect("root");
      const { streams } = await jetstreamManager(connection);
      await streams.update("PV_NOW", { ...(await streams.info("PV_NOW")).config, max_age });
      await connection.close();
    };
    await setMaxAge(3_600_000_000_000);
    await expect(createMember(server).join(() => undefined)).rejects.toThrow("PV_NOW: max_age");
    await server.kill();
    const member = createMember(server);
    onTestFinished(() => member.leave());
    const said: string[] = [];
    await member.join((words) => said.push(words));
    expect(said).toEqual([expect.stringContaining("cannot be reached")]);
    await server.up();
    await vi.waitFor(
      () => expect(said).toEqual([expect.any(String), expect.stringContaining("would lose data")]),
      5_000,
    );
    await setMaxAge(0);
    await vi.waitFor(() => expect(member.isJoined).toBe(true), 5_000);
    expect(said).toHaveLength(3);
    await server.kill();
    await vi.waitFor(() => expect(said.at(-1)).toMatch(/^lost the hub at /), 5_000);
    expect(member.isJoined).toBe(false);
    await server.up();
    await vi.waitFor(() => expect(said.at(-1)).toMatch(/^back at the hub at /), 5_000);
    expect(member.isJoined).toBe(true);
  },
);

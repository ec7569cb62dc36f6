// Three servers lose their majority while their leader still runs: what it could not store on a second disk is not called stored.
import { expect, onTestFinished, test } from "vitest";
import { NatsHub } from "../../src/hub/nats/nats-hub.js";
import { natsServerProgram, TestServer } from "./nats-server.js";

const program = natsServerProgram();
const answer = { kind: "answer", machine: "laptop", daemon: "shop", ask: "q1", person: "ada" } as const;

test.skipIf(program === null)("an answer that only the leader has is not stored", async () => {
  const server = await TestServer.start(program ?? "", { nodes: 3 });
  onTestFinished(() => server.remove());
  server.addUser("member", "ada");
  const admin = await server.connect("root");
  const info = await admin.request("$JS.hub.API.STREAM.INFO.PV_ANSWERS");
  const leader = server.nodes.findIndex(
    ({ name }) => name === info.json<{ cluster: { leader: string } }>().cluster.leader,
  );
  await admin.close();
  const connection = await server.connectThrough("ada", [server.nodes[leader]?.port ?? 0]);
  const hub = await NatsHub.open(connection, { user: "ada", patienceMs: 1_000 });
  onTestFinished(() => hub.close());
  for (const at of [0, 1, 2]) if (at !== leader) await server.kill(at);
  const put = await hub.put(answer, Buffer.from("yes")).catch((error: Error) => error.message);
  expect(put).toContain("a majority of its servers has to run; what was sent to it may still be stored then");
});

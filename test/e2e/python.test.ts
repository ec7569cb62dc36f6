// The Python library under the same suite as the others: an agent made with it keeps the protocol, and its client asks a real daemon.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownEnvironment, palaver, plainEnvironment, projectRoot, runPalaver, runProgram } from "./run-program.js";

const hasPython = spawnSync("python3", ["-c", ""], { stdio: "ignore" }).error === undefined;
const folder = join(projectRoot, "sdk", "python");

describe.skipIf(!hasPython)("the Python library (needs python3)", () => {
  test("has at most 300 lines", () => {
    expect(readFileSync(join(folder, "palaver.py"), "utf8").split("\n").length).toBeLessThanOrEqual(301);
  });

  test("makes an agent that keeps every rule", async () => {
    const { code, stdout } = await runPalaver(["conform", "--", "python3", join(folder, "ask_everything.py")]);
    expect(stdout).toMatch(/The agent follows the lines protocol\. 29 passed, 0 failed, 0 not seen\n$/);
    expect(code).toBe(0);
  });

  test("asks through a daemon, which proves itself first", async () => {
    const { url, token_file } = await served();
    const program = `import palaver; d = palaver.Daemon("${url}", "${token_file}"); print(d.select("Which?", ["a", "b"]))`;
    const asked = runProgram("python3", ["-c", program], { env: { PYTHONPATH: folder } });
    const id = await openAsk(url, token_file);
    await post(url, token_file, `/asks/${id}/answer`, { value: "b" });
    expect(await asked).toMatchObject({ stdout: "b\n", code: 0 });
  });

  test("sends no token to a program that is not the daemon", async () => {
    const { token_file } = await served();
    const heard: string[] = [];
    const other = createServer((request, response) => {
      heard.push(`${request.url?.split("?")[0]} ${request.headers.authorization ?? "without a token"}`);
      response.end('{"program":"palaver","version":"1","pid":1,"proof":"00"}');
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const program = `import palaver; palaver.Daemon("http://127.0.0.1:${port}", "${token_file}").confirm("Deploy?")`;
    const { stderr, code } = await runProgram("python3", ["-c", program], { env: { PYTHONPATH: folder } });
    expect(stderr).toContain(`what listens at 127.0.0.1:${port} is not the daemon`);
    expect(heard).toEqual(["/prove without a token"]);
    expect(code).toBe(1);
  });
});

async function served(): Promise<{ url: string; token_file: string }> {
  const env = { ...process.env, ...plainEnvironment, ...ownEnvironment };
  const args = [palaver, "serve", "--json", "--replace"];
  const daemon: ChildProcess = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  const exited = new Promise<void>((resolve) => daemon.once("exit", () => resolve()));
  onTestFinished(() => {
    daemon.kill();
    return exited;
  });
  return new Promise((resolve) => daemon.stdout?.once("data", (line: Buffer) => resolve(JSON.parse(line.toString()))));
}

async function openAsk(url: string, tokenFile: string): Promise<string> {
  let id = "";
  const look = async () => {
    const asks = (await (await fetch(`${url}/asks`, { headers: headers(tokenFile) })).json()) as { id: string }[];
    id = asks[0]?.id ?? "";
    return id;
  };
  await expect.poll(look, { timeout: 20_000 }).not.toBe("");
  return id;
}

function post(url: string, tokenFile: string, path: string, body: unknown): Promise<Response> {
  return fetch(url + path, { method: "POST", headers: headers(tokenFile), body: JSON.stringify(body) });
}

function headers(tokenFile: string): Record<string, string> {
  return { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}`, "content-type": "application/json" };
}

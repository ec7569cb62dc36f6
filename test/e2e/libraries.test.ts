// The libraries for other languages under one suite: an agent made with one keeps the protocol, and its client asks a real daemon.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ownEnvironment, palaver, plainEnvironment, projectRoot, runPalaver, runProgram } from "./run-program.js";

interface Library {
  readonly language: string;
  /** The program without which its tests are skipped. */
  readonly needs: readonly [string, ...string[]];
  readonly folder: string;
  /** Commands, run in the folder: an agent that asks everything, and programs that ask a daemon. */
  agent(): Promise<readonly string[]>;
  asks(url: string, tokenFile: string): Promise<readonly string[]>;
}

const sdk = (name: string) => join(projectRoot, "sdk", name);

const python: Library = {
  language: "Python",
  needs: ["python3", "-c", ""],
  folder: sdk("python"),
  agent: async () => ["python3", "ask_everything.py"],
  asks: async (url, tokenFile) => {
    const program = `import palaver; print(palaver.Daemon("${url}", "${tokenFile}").select("Which?", ["a", "b"]))`;
    return ["python3", "-c", program];
  },
};

const goEnvironment = { GOCACHE: join(projectRoot, ".cache", "go"), GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" };

async function builtGo(source: string): Promise<string> {
  const binary = join(mkdtempSync(join(tmpdir(), "palaver-go-")), "program");
  onTestFinished(() => rmSync(join(binary, ".."), { recursive: true, force: true }));
  const built = await runProgram("go", ["build", "-o", binary, source], { cwd: sdk("go"), env: goEnvironment });
  expect(built).toMatchObject({ stderr: "", code: 0 });
  return binary;
}

const go: Library = {
  language: "Go",
  needs: ["go", "version"],
  folder: sdk("go"),
  agent: async () => [await builtGo("./ask_everything")],
  asks: async (url, tokenFile) => [await builtGo("./ask_daemon"), url, tokenFile],
};

describe.each([python, go])("the $language library", ({ language, needs: [needed, ...check], folder, agent, asks }) => {
  const missing =
    spawnSync(needed, check, { stdio: "ignore" }).error === undefined ? "" : ` (${needed} is not installed)`;

  test.skipIf(missing !== "")(`makes an agent that keeps every rule${missing}`, async () => {
    const { code, stdout } = await runPalaver(["conform", "--", ...(await agent())], { cwd: folder });
    expect(stdout).toMatch(/The agent follows the lines protocol\. 34 passed, 0 failed, 1 not seen\n$/);
    expect(code).toBe(0);
  });

  test.skipIf(missing !== "")(`asks through a daemon, which proves itself first${missing}`, async () => {
    const { url, token_file } = await served(folder);
    const [command = "", ...args] = await asks(url, token_file);
    const asked = runProgram(command, args, { cwd: folder });
    const id = await openAsk(url, token_file);
    await post(url, token_file, `/asks/${id}/answer`, { value: "b" });
    expect(await asked).toMatchObject({ stdout: "b\n", code: 0 });
  });

  test.skipIf(missing !== "")(`sends no token to a program that is not the daemon${missing}`, async () => {
    const { token_file } = await served(folder);
    const heard: string[] = [];
    const other = createServer((request, response) => {
      heard.push(`${request.url?.split("?")[0]} ${request.headers.authorization ?? "without a token"}`);
      response.end('{"program":"palaver","version":"1","pid":1,"proof":"00"}');
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const [command = "", ...args] = await asks(`http://127.0.0.1:${port}`, token_file);
    const { stderr, code } = await runProgram(command, args, { cwd: folder });
    expect(stderr).toContain(`what listens at 127.0.0.1:${port} is not the daemon`);
    expect(heard).toEqual(["/prove without a token"]);
    expect(code, language).toBe(1);
  });
});

test("the Python library has at most 300 lines", () => {
  expect(readFileSync(join(sdk("python"), "palaver.py"), "utf8").split("\n").length).toBeLessThanOrEqual(301);
});

async function served(folder: string): Promise<{ url: string; token_file: string }> {
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

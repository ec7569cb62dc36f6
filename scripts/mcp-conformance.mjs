// `npm run mcp-conformance`: runs the official conformance suite of the Model Context Protocol against our MCP server, in both
// eras, and prints what came of every scenario. The suite and the Node it needs come from the registry and stay in .cache/.
// It knows no tokens, so that it speaks to a small proxy that adds ours and changes nothing else.
import "./script-help.mjs";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, setup } from "./setup.mjs";

const SUITE = "0.2.0-alpha.12";
const NODE = "22.23.2";

const TOOLS_ONLY = "Palaver offers tools; it has no resources, prompts or completions to offer";
const OWN_QUESTIONS =
  "our tools ask the user themselves and never through the client, so that no tool of this kind exists";
const NO_TASKS = "an extension that Palaver does not offer";
const NO_SUCH_TOOL = "judges a tool with a special schema that Palaver has no use for";

// What may fail, check by check, and why. An exception that no longer fails is reported, so that the list only shrinks.
const exceptions = [
  { scenario: /^(?:resources-|prompts-|completion-)/, checks: /./, why: TOOLS_ONLY },
  { scenario: /^caching$/, checks: /(?:prompts|resources)/, why: TOOLS_ONLY },
  { scenario: /^input-required-result-/, checks: /./, why: OWN_QUESTIONS },
  { scenario: /^elicitation-sep/, checks: /./, why: OWN_QUESTIONS },
  { scenario: /^tasks-/, checks: /./, why: NO_TASKS },
  { scenario: /^(?:json-schema-2020-12|http-custom-header-server-validation)$/, checks: /./, why: NO_SUCH_TOOL },
];

const eras = [
  { name: "2026-07-28", args: ["--requirements", "2026-07-28"] },
  { name: "2025-11-25", args: ["--suite", "all", "--spec-version", "2025-11-25"] },
];

const marks = { passed: "✓", excused: "–", skipped: "·", failed: "✕" };

await setup({ build: false });
const { node, program } = installSuite();
const folder = mkdtempSync(join(tmpdir(), "palaver-mcp-conformance-"));
const server = await startServer();
const proxy = await startProxy(server);
try {
  const rows = [];
  for (const era of eras) rows.push(...(await runEra(era)));
  process.exitCode = report(rows);
} finally {
  proxy.close();
  proxy.closeAllConnections();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

function installSuite() {
  const home = join(root, ".cache", "mcp-conformance", SUITE);
  const program = join(home, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
  const ownNode = Number(process.versions.node.split(".")[0]) >= 22;
  const node = ownNode ? process.execPath : join(home, "node_modules", ".bin", "node");
  if (!existsSync(program) || !existsSync(node)) {
    console.log(`installing the suite ${SUITE}${ownNode ? "" : ` and Node ${NODE}`} …`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ private: true }));
    const packages = [`@modelcontextprotocol/conformance@${SUITE}`, ...(ownNode ? [] : [`node@${NODE}`])];
    const args = ["install", "--no-audit", "--no-fund", "--save-exact", ...packages];
    execFileSync("npm", args, { cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  }
  return { node, program };
}

async function startServer() {
  const { build } = await import("esbuild");
  const outfile = join(folder, "server.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/e2e/mcp/conformance-server.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    // Bundled CommonJS modules still ask for Node's own ones with `require`.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
  const { openConformanceServer } = await import(pathToFileURL(outfile).href);
  return openConformanceServer();
}

// The proxy's own address becomes the server's; a foreign Host or Origin stays what it is, for the server to judge.
async function startProxy({ url, token }) {
  const target = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const ours = new RegExp(`^((?:http://)?(?:localhost|127\\.0\\.0\\.1)):${proxy.address().port}$`);
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    for (const name of ["host", "origin"]) {
      if (headers[name] !== undefined) headers[name] = headers[name].replace(ours, `$1:${target.port}`);
    }
    const { method, url: path } = incoming;
    const forward = request({ host: "127.0.0.1", port: target.port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forward.destroy());
    incoming.pipe(forward);
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return proxy;
}

async function runEra({ name, args }) {
  const results = join(folder, name);
  const url = `http://localhost:${proxy.address().port}/mcp`;
  const suite = spawn(node, [program, "server", "--url", url, ...args, "-o", results], { stdio: "ignore" });
  await new Promise((resolve, reject) => suite.on("close", resolve).on("error", reject));
  const found = existsSync(results) ? readdirSync(results) : [];
  if (found.length === 0) throw new Error(`the suite said nothing about ${name}`);
  return found.sort().map((entry) => {
    const scenario = entry.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    const checks = JSON.parse(readFileSync(join(results, entry, "checks.json"), "utf8"));
    return judged(name, scenario, checks);
  });
}

function judged(era, scenario, checks) {
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const excuse = exceptions.find((exception) => exception.scenario.test(scenario));
  const unexcused = failed.filter(({ id }) => !excuse?.checks.test(id));
  return {
    era,
    scenario,
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    failed: failed.length,
    excuse: failed.length > 0 && unexcused.length === 0 ? excuse : null,
    problems: unexcused.map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`),
  };
}

function verdictOf({ passed, failed, excuse, problems }) {
  if (problems.length > 0) return "failed";
  if (excuse !== null) return "excused";
  // A scenario that the suite itself left out proves nothing.
  return passed + failed === 0 ? "skipped" : "passed";
}

function report(rows) {
  const counts = { passed: 0, excused: 0, skipped: 0, failed: 0 };
  for (const row of rows) {
    const verdict = verdictOf(row);
    counts[verdict] += 1;
    const checks = `${row.passed} passed${row.failed === 0 ? "" : `, ${row.failed} failed`}`;
    const why = verdict === "skipped" ? "the suite found nothing here to judge" : (row.excuse?.why ?? "");
    console.log(`${marks[verdict]} ${row.era}  ${row.scenario.padEnd(46)} ${checks.padEnd(20)} ${why}`.trimEnd());
    for (const problem of row.problems) console.log(`    ${problem}`);
  }
  const stale = exceptions.filter((exception) => !rows.some(({ excuse }) => excuse === exception));
  for (const { scenario } of stale) console.log(`✕ the exception for ${scenario} is not needed any more`);
  const failed = counts.failed + stale.length;
  console.log(
    `scenarios: ${counts.passed} passed, ${counts.excused} excused, ${counts.skipped} skipped, ${failed} failed; ` +
      "the tools-call ones run on tools that the suite prescribes, added to our server",
  );
  return failed === 0 ? 0 : 1;
}

// Writes docs/api.md: every export of the package's entries with its comment and its declaration, read from the types that the
// compiler emits. `--check` only says whether the page is up to date.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readExports } from "./api-exports.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/api.md");

const entries = [
  ["palaver/ui", "sdk/exports.d.ts", "What an agent, a script or a command-line program needs to ask the user."],
  [
    "palaver/daemon",
    "server/exports.d.ts",
    "A daemon of your own: values, actions, logs and questions over HTTP and MCP.",
  ],
  [
    "palaver/screen",
    "terminal/painter/exports.d.ts",
    "The inline screen: settled lines in the scrollback, a live area below.",
  ],
  [
    "palaver/contract",
    "contract/exports.d.ts",
    "The shapes of the protocols; [protocol.md](protocol.md) describes them.",
  ],
];

const head = `# API reference

Made from the types by \`npm run api\`. [Writing an agent](guides/write-an-agent.md) and [Run a dev daemon](guides/run-a-dev-daemon.md) are
the way in; this page lists everything that can be imported.
`;

const folder = mkdtempSync(join(tmpdir(), "palaver-api-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", folder], {
  stdio: "inherit",
});

const sections = entries.map(([name, file, summary]) => {
  const exported = readExports(join(folder, file)).map(described);
  return [`## ${name}`, summary, ...exported].join("\n\n");
});
const text = `${[head.trim(), ...sections].join("\n\n")}\n`;

if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  process.stderr.write("docs/api.md is not up to date; npm run api writes it\n");
  process.exitCode = 1;
}

// What a schema holds is in protocol.md; as a type it would be pages of generics.
function described({ name, comment, code }) {
  const isSchema = /\bz\.(?:Zod|core)/.test(code);
  const body = isSchema
    ? "A zod schema, or a type made from one; [protocol.md](protocol.md) has its fields."
    : `\`\`\`ts\n${code}\n\`\`\``;
  return [`### ${name}`, ...(comment === "" ? [] : [comment]), body].join("\n\n");
}

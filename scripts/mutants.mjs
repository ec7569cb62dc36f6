// `node scripts/mutants.mjs [NUMBER…]`: breaks the product on purpose, one place at a time, in a copy of it, and runs the tests that
// should notice. A mutant that survives is a promise nobody holds. The checkout itself is never touched.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.mjs";

/** Which file, what stands there, what stands there instead, and the tests that should fall over it. */
const MUTANTS = [
  [
    "src/text/safe.ts",
    'new LineReader("drop").read(text.replace(LINE_BREAKS, " "))',
    "text",
    "test/text/attack.test.ts",
  ],
  [
    "src/text/redact.ts",
    "const redact = (text: string) => blackened(text, spans(text));",
    "const redact = (text: string) => text;",
    "test/text/redact.test.ts",
  ],
  [
    "src/contract/plain-word.ts",
    'if (typeof value !== "object" || value === null) return String(value);',
    "return String(value);",
    "test/fuzz/found-faults.test.ts",
  ],
  ["src/wire/line-splitter.ts", "const NEWLINE = 0x0a;", "const NEWLINE = 0x0d;", "test/wire/line-splitter.test.ts"],
  [
    "src/wire/line-splitter.ts",
    "if (lengthBytes <= lineBytesMax)",
    "if (lengthBytes < lineBytesMax)",
    "test/wire/line-splitter.test.ts",
  ],
  [
    "src/wire/json-frame.ts",
    "deeperThan(value, NESTING_LEVELS_MAX)",
    "false",
    "test/wire/json-frame.test.ts test/wire/lines-codec.test.ts",
  ],
  [
    "src/wire/rpc-codec.ts",
    'if ("result" in response)',
    "if (response.error === undefined)",
    "test/wire/rpc-codec.test.ts",
  ],
  ["src/wire/sse-decoder.ts", 'this.endsWithCr = text.endsWith("\\r");', "", "test/wire/sse-decoder.test.ts"],
  ["src/core/ask-stage.ts", "if (atMs < quietAtMs)", "if (atMs < 0)", "test/core/ask-stage.test.ts"],
  ["src/core/ask-stage.ts", "!head.drawn || !head.synced", "!head.drawn", "test/core/ask-stage.test.ts"],
  ["src/core/ask-desk.ts", "state.open.size >= OPEN_ASKS_MAX", "false", "test/core/ask-desk.test.ts"],
  [
    "src/core/ask-desk.ts",
    'return { kind: "answered", value: null, by: outcome.by };',
    "return outcome;",
    "test/core/ask-desk.test.ts",
  ],
  [
    "src/core/permission/command-parts.ts",
    '  "`": "it puts in the output of other commands (`)",',
    "",
    "test/core/permission/command-parts.test.ts",
  ],
  ["src/core/front-state.ts", "text: composable(input.text)", "text: input.text", "test/attack/hostile-agent.test.ts"],
  [
    "src/core/front-state.ts",
    "text.length > FIELD_UNITS_MAX ?",
    "text.length < 0 ?",
    "test/attack/hostile-agent.test.ts",
  ],
  ["src/screen/blocks/transcript-view.ts", "toolName(tool.name)", "tool.name", "test/attack/escape-injection.test.ts"],
  ["src/screen/blocks/foreign-row.ts", 'row.replace(BAR, "│")', "row", "test/attack/hostile-agent.test.ts"],
  [
    "src/screen/dialogs/approval-body.ts",
    "!title.includes(one)",
    "title.length < 0",
    "test/attack/hostile-agent.test.ts",
  ],
  ["src/screen/dialogs/dialog-rows.ts", ".map(safeReveal)", "", "test/attack/hostile-agent.test.ts"],
  [
    "src/tui/app/ask-desk-runner.ts",
    "if (isDecidedByOneKey(ask)) this.feedStage",
    "if (false) this.feedStage",
    "test/attack/hostile-agent.test.ts",
  ],
  [
    "src/tui/terminal/answers.ts",
    "match !== null && match[0].length <= REPORT_UNITS_MAX",
    "match !== null",
    "test/fuzz/found-faults.test.ts",
  ],
  [
    "src/tui/terminal/exit-guard.ts",
    'if (this.state === "on") this.guarded.giveBack();',
    "",
    "test/tui/terminal/owned-terminal.test.ts test/tui/e2e/giving-back.test.ts",
  ],
  [
    "src/daemon/http/request-guard.ts",
    "return timingSafeEqual(digest(token), expected) && token",
    "return token",
    "test/daemon/http/request-guard.test.ts",
  ],
  [
    "src/daemon/http/request-guard.ts",
    "if (!isOwnOrigin(headers, isOurs))",
    "if (false)",
    "test/daemon/http/request-guard.test.ts",
  ],
  [
    "src/daemon/http/request-body.ts",
    "if (sizeBytes > bytesMax) throw tooLarge(bytesMax);",
    "",
    "test/daemon/http/daemon-app.test.ts",
  ],
  [
    "src/links/recording/secret-asks.ts",
    '=== true) return "all";',
    '=== null) return "all";',
    "test/links/recording/recorder.test.ts",
  ],
  [
    "src/cli/config/toml-edit.ts",
    "text.slice(0, found.valueStart) + written",
    "text.slice(0, found.start) + written",
    "test/cli/config/toml-edit.test.ts",
  ],
];

const wanted = process.argv.slice(2).map(Number);
const chosen = MUTANTS.map((mutant, index) => [index + 1, mutant]).filter(
  ([number]) => wanted.length === 0 || wanted.includes(number),
);
const copy = copied();
try {
  // Tests that fail by themselves would make every mutant look killed.
  const named = [...new Set(chosen.flatMap(([, mutant]) => mutant[3].split(" ")))];
  if (failing(named)) throw new Error("the tests fail before anything is broken");
  const survivors = chosen.filter(([number, mutant]) => !isKilled(number, mutant));
  console.log(`${chosen.length - survivors.length} killed, ${survivors.length} survived`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function copied() {
  const folder = mkdtempSync(join(tmpdir(), "palaver-mutants-"));
  for (const name of [
    "src",
    "test",
    "types",
    "scripts",
    "schema",
    "examples",
    "bench",
    "package.json",
    "vitest.config.ts",
  ]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of ["tsconfig.json", "tsconfig.base.json"]) cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

// Killed is a mutant only when a test fails; a mutation that finds nothing to mutate is no kill.
function isKilled(number, [file, before, after, tests]) {
  const path = join(copy, file);
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!source.includes(before)) return told(number, file, "✕ there is nothing to break", "survived");
  writeFileSync(
    path,
    source.replace(before, () => after),
  );
  const isNoticed = failing(tests.split(" "));
  writeFileSync(path, source);
  return told(number, file, isNoticed ? "✓ killed" : `✕ survived ${tests}`, isNoticed ? "killed" : "survived");
}

function failing(tests) {
  const vitest = join(root, "node_modules", ".bin", "vitest");
  return spawnSync(vitest, ["run", "--bail=1", ...tests], { cwd: copy, encoding: "utf8" }).status !== 0;
}

function told(number, file, words, verdict) {
  console.log(`${String(number).padStart(2)} ${words}  ${file}`);
  return verdict === "killed";
}

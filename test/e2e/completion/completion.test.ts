// The completion scripts in the shells they are for: what is offered after which words. bash is everywhere; the others are
// tried where they are installed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { commandTable } from "../../../src/cli/command-table.js";
import { completionScript, completionTable, type Shell, shells } from "../../../src/cli/commands/completion-command.js";
import { runPalaver } from "../run-program.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const commands = await Promise.all(
  commandTable.map(async ({ name, summary, load }) => ({ name, summary, help: (await load()).help })),
);
const agents = ["gemini", "goose", "claude", "it's mine"].map((name) => ({ name, title: `${name}: an agent` }));
for (const shell of shells) {
  writeFileSync(join(folder, shell), completionScript(shell, completionTable({ commands, agents })));
}

// zsh needs a terminal to complete; its own functions are stood in for by ones that print what they are given.
const asked: Readonly<Record<Shell, string>> = {
  bash: `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palaver; printf "%s\\n" "\${COMPREPLY[@]}"`,
  zsh: `compdef() { }
_files() { print FILES }; _command_names() { print COMMANDS }
_describe() { [[ \${#list} -gt 0 ]] && print -l -- "\${list[@]%%:*}" }; compadd() { print -l -- "\${list[@]}" }
script=$1; shift; source $script; words=("$@"); CURRENT=$#; _palaver`,
  fish: `function commandline
    test "$argv[1]" = -ct; and echo "$last"; or printf '%s\\n' $earlier
end
function __fish_complete_path; echo FILES; end
function __fish_complete_command; echo COMMANDS; end
source $argv[1]; set -g last $argv[-1]; set -g earlier $argv[2..-2]; __palaver_offer | string replace -r '\\t.*' ''`,
};

function offered(shell: Shell, words: readonly string[]): string[] {
  const script = join(folder, shell);
  const args = shell === "zsh" ? ["-f", "-c", asked.zsh, "zsh", script] : ["-c", asked[shell], script];
  const { stdout, stderr } = spawnSync(shell, [...(shell === "fish" ? ["--no-config"] : []), ...args, ...words], {
    encoding: "utf8",
    cwd: folder,
  });
  expect(stderr).toBe("");
  const typed = words.at(-1) ?? "";
  return stdout.split("\n").filter((word) => word !== "" && (word.startsWith(typed) || /^[A-Z]+$/.test(word)));
}

describe.each(shells)("in %s", (shell) => {
  const isHere = spawnSync(shell, ["-c", ""]).error === undefined;
  const files = shell === "bash" ? [] : ["FILES"];

  test.skipIf(!isHere).each<[string[], string[]]>([
    [["palaver", "re"], ["replay"]],
    [
      ["palaver", "run", "g"],
      ["gemini", "goose"],
    ],
    [["palaver", "run", "it"], ["it's mine"]],
    [["palaver", "run", "--theme", "m"], ["moss"]],
    [["palaver", "run", "--theme", "moss", "cl"], ["claude"]],
    [["palaver", "prompt", "what is this?", "ge"], ["gemini"]],
    [["palaver", "serve", "--replace", "cl"], ["claude"]],
    [["palaver", "prompt", "hi", "--on-ask", "w"], ["wait"]],
    [["palaver", "answer", "q1", "--y"], ["--yes"]],
    [["palaver", "config", "s"], ["set"]],
    [["palaver", "config", "set", "theme", "p"], ["paper"]],
    [
      ["palaver", "config", "get", "permissions.a"],
      ["permissions.allow", "permissions.ask"],
    ],
    [["palaver", "logs", "--f"], ["--follow"]],
    [["palaver", "--v"], ["--version"]],
    [
      ["palaver", "completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["palaver", "replay", ""], files],
    [["palaver", "run", "--record", ""], files],
    [["palaver", "conform", "--timeout", ""], []],
  ])("%j completes to %j", (words, choices) => {
    expect(offered(shell, words)).toEqual(choices);
  });

  test.skipIf(!isHere)("after -- the words are those of another program", () => {
    const words = offered(shell, ["palaver", "run", "--", "ech"]);
    if (shell === "bash") expect(words).toContain("echo");
    else expect(words).toEqual(["COMMANDS", "FILES"]);
  });
});

test("palaver completion prints the script, and says which shells it knows", async () => {
  const { code, stdout } = await runPalaver(["completion", "bash"]);
  expect(code).toBe(0);
  expect(stdout).toContain("complete -o bashdefault -o default -F _palaver palaver");
  expect(await runPalaver(["completion", "csh"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("bash, zsh, fish"),
  });
});

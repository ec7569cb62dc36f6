// A command line is taken apart with certainty, or it is called unclear.
import { describe, expect, test } from "vitest";
import { splitCommand } from "../../../src/session/permission/command-parts.js";

const clear: readonly (readonly [command: string, parts: string[][]])[] = [
  ["npm test", [["npm", "test"]]],
  ["  npm   test\t-x ", [["npm", "test", "-x"]]],
  ["npm test && ls; pwd | cat", [["npm", "test"], ["ls"], ["pwd"], ["cat"]]],
  ["a || b | c", [["a"], ["b"], ["c"]]],
  ["a;\n\nb\n", [["a"], ["b"]]],
  [
    "node --version && python3 --help",
    [
      ["node", "--version"],
      ["python3", "--help"],
    ],
  ],
  ["git commit -m 'a && b'", [["git", "commit", "-m", "a && b"]]],
  ["echo \"a; b\" '$(x)'", [["echo", "a; b", "$(x)"]]],
  ['echo "a\\"b" a\\;b ""', [["echo", 'a"b', "a;b", ""]]],
  [
    "npm test 2>&1 | tail -5",
    [
      ["npm", "test"],
      ["tail", "-5"],
    ],
  ],
  ["npm test >/dev/null 2>/dev/null </dev/null", [["npm", "test"]]],
  ["npm test &>/dev/null; ls", [["npm", "test"], ["ls"]]],
  ["echo a#b", [["echo", "a#b"]]],
];

const unclear: readonly (readonly [command: string, why: RegExp])[] = [
  ["", /empty/],
  ["npm test $(rm x)", /output of other commands/],
  ['npm test "$(rm x)"', /\$/],
  ["npm test `rm x`", /`/],
  ["npm test $HOME", /\$/],
  ["npm test $'a'", /\$/],
  ["(npm test)", /subshell/],
  ["npm() { rm x; }", /subshell or a function/],
  ["npm test > out", /redirects output/],
  ["npm test 2>&1x", /redirects output/],
  ["npm test >/dev/null2", /redirects output/],
  ["npm test >& out", /redirects output/],
  ["npm test < in", /redirects input/],
  ["npm test <<EOF\nEOF", /redirects input/],
  ["npm test <(ls)", /redirects input/],
  ["npm test 'a", /quote/],
  ['npm test "a', /quote/],
  ["npm test \\\nrm", /continues/],
  ["npm test\\", /continues/],
  ["npm test # x", /comment/],
  ["&& npm test", /nothing precedes &&/],
  ["npm test ;; rm", /glued/],
  ["npm test ; ; rm", /nothing precedes ;/],
  ["npm test\u0000", /invisible/],
  ["npm test\r", /invisible/],
  ["npm test \u202e", /invisible/],
  ["npm test\u00a0", /invisible/],
  ["npm test\u3000", /invisible/],
  ["npm test {a,b}", /braces/],
  ["npm test *.ts", /pattern/],
  ["npm test ~/x", /home folder/],
  ["npm test --x=~/x", /home folder/],
  ["A=1 npm test", /sets variables/],
  ["A[0]=1 npm test", /pattern/],
  ["cd lib && npm test", /changes the folder/],
  ["timeout 9 npm test", /command in its arguments/],
  ["if true", /command in its arguments/],
  ["rm&>/dev/null -rf x", /glued/],
  ["rm>/dev/null -rf x", /redirects output/],
  ["rm >/dev/null -rf x", /follows a redirection/],
  [">/dev/null rm x", /redirects output/],
  ["a; >/dev/null b", /precedes its command/],
  ["rm >&2 -rf x", /follows a redirection/],
  ["a |& b", /glued/],
  ["a&b", /background/],
  ["a & b", /background/],
  ["sleep 5 &", /background/],
  ["a&&b", /glued/],
  ["a&& b", /glued/],
  ["a| b", /glued/],
  ["a|b", /glued/],
  ["a;b", /glued/],
  ["echo a]", /outside quotes/],
  ["echo a!", /outside quotes/],
  ["wait -np 'a[x]'", /can run text/],
  ["wait -fnp a", /can run text/],
  ["test -R a", /can run text/],
  ["test 'a[x]' -eq 1", /can run text/],
  ["printf -va x", /can run text/],
  ["kill 'a[$(x)]'", /can run text/],
  ["local 'a[$(x)]=1'", /changes what the shell does/],
  ["python -c x", /code from its arguments/],
  ["node --version x.js", /code from its arguments/],
  ["node --version=1", /code from its arguments/],
  ["node --help -e x", /code from its arguments/],
  ["bash --help -c x", /code from its arguments/],
  ["sudo --version", /command in its arguments/],
];

describe("taking a command apart", () => {
  test.each(clear)("%j has these parts", (command, words) => {
    const split = splitCommand(command);
    expect(split.kind === "parts" ? split.parts.map((part) => part.words) : split).toEqual(words);
  });

  test.each(unclear)("%j is unclear", (command, why) => {
    expect(splitCommand(command)).toEqual({ kind: "unclear", why: expect.stringMatching(why) });
  });

  test("keeps the text of each part as it was written", () => {
    const split = splitCommand("git commit -m 'a b'  && npm test 2>&1");
    expect(split.kind === "parts" && split.parts.map(({ text }) => text)).toEqual([
      "git commit -m 'a b'",
      "npm test 2>&1",
    ]);
  });
});

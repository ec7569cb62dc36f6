// `palaver ask` as a shell script uses it: the dialog on the terminal, the answer on standard output, the exit code; and
// what it does where nobody can be asked.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { verifies } from "../../verifies.js";
import { Workplace } from "../prompt/prompt-terminal.js";
import { palaver } from "../run-program.js";

const place = new Workplace();
afterEach(() => place.endAll());
afterAll(() => place.remove());

const DOWN = "\x1b[B";

describe("palaver ask on a terminal", () => {
  test("prints the chosen one into a variable, with the options piped in", async () => {
    const terminal = place.shell(
      'got=$(printf "npm\\npnpm\\tPNPM\\n" | palaver ask select "Which?"); echo "got $got code $?"',
    );
    await terminal.dialog("▌ Which?");
    terminal.type(DOWN);
    await terminal.shows("❯ PNPM");
    await terminal.enters("got pnpm code 0");
    expect(await terminal.ended).toBe(0);
    await terminal.expectGivenBack();
  });

  test("stands below what the script printed, and leaves the question and its answer as one line", async () => {
    const terminal = place.shell('echo built; got=$(palaver ask select "Which?" npm pnpm); echo "got $got"');
    await terminal.dialog("built\n▌ Which?");
    expect(terminal.emulator.screen()).toBe("normal");
    terminal.type(DOWN);
    await terminal.shows("❯ pnpm");
    await terminal.enters("got pnpm");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toBe("built\n? Which?  pnpm\ngot pnpm");
  });

  test("a window of ten rows shows the question with the first options", async () => {
    const size = { columns: 40, rows: 10 };
    const terminal = place.shell("palaver ask select Which 1 2 3 4 5 6 7 8 9 10 11 12 13", size);
    await terminal.dialog("▌ Which\n▌ ❯ 1\n");
  });

  test.each<[string, string, string, number]>([
    ["yes", "y\r", "yes", 0],
    ["no", "n\r", "no", 1],
    ["cancel", "\x1b", "", 4],
  ])("a confirmation says %s with its exit code", async (_, keys, said, code) => {
    const terminal = place.shell(`palaver ask confirm "Deploy?" > answer; echo "code $?"`);
    await terminal.dialog("▌ Deploy?");
    terminal.type(keys);
    await terminal.shows(`code ${code}`);
    await terminal.ended;
    expect(place.read("answer").trim()).toBe(said);
  });

  test("a confirmation of something dangerous takes a moved selection and Enter", async () => {
    const terminal = place.shell(`palaver ask confirm "Deploy?" --danger "3 customers" > answer; echo "code $?"`);
    await terminal.dialog("▲ 3 customers");
    terminal.type("\x1b[A");
    await terminal.shows("❯ y  yes");
    await terminal.enters("code 0");
    expect(place.read("answer").trim()).toBe("yes");
  });

  test("a secret is shown nowhere on the terminal, and printed where it was asked for", async () => {
    const terminal = place.shell('palaver ask input "Token?" --secret > answer; echo "code $?"');
    await terminal.dialog("▌ Token?");
    terminal.type("hunter22\r");
    await terminal.shows("code 0");
    expect(terminal.bytes).not.toContain("hunter");
    expect(place.read("answer")).toBe("hunter22\n");
  });

  test("a text of several lines goes on from what was piped in", async () => {
    const terminal = place.shell('printf "one" | palaver ask editor "Notes" > answer; echo "code $?"');
    await terminal.dialog("▌ Notes");
    terminal.type("\x1b[13;2utwo\r");
    await terminal.shows("code 0");
    expect(place.read("answer")).toBe("one\ntwo\n");
  });

  test("a table is shown in columns, and the chosen row is printed as it came", async () => {
    const terminal = place.shell(
      'printf "NAME,STATE\\napi,up\\nworker,down\\n" | palaver ask table "Which?" --separator , > answer; echo "code $?"',
    );
    await terminal.dialog("▌ Which?");
    await terminal.shows("NAME    STATE");
    await terminal.shows("❯ api     up");
    terminal.type(DOWN);
    await terminal.shows("❯ worker  down");
    await terminal.enters("code 0");
    expect(place.read("answer")).toBe("worker,down\n");
  });

  test("spin shows its title while the command runs, and leaves nothing", async () => {
    const terminal = place.shell(
      "palaver ask spin Building -- sh -c 'until [ -e done ]; do sleep 0.05; done'; echo \"code $?\"",
    );
    await terminal.shows("Building");
    writeFileSync(place.path("done"), "");
    await terminal.shows("code 0");
    expect(await terminal.text()).toBe("code 0");
  });

  test("the output of a spun command stands above the spinner, and a line that is not ended waits", async () => {
    const command = "echo out; printf half; until [ -e halved ]; do sleep 0.05; done; echo ' done'; echo err >&2";
    const terminal = place.shell(`palaver ask spin Building -- sh -c "${command}"; echo "code $?"`);
    await terminal.shows("out\n");
    await terminal.shows("Building");
    expect(await terminal.text()).toMatch(/^out\n\S Building$/);
    writeFileSync(place.path("halved"), "");
    await terminal.shows("code 0");
    expect(await terminal.text()).toBe("out\nhalf done\nerr\ncode 0");
  });

  test("ctrl+c ends the command of a spinner, whose row goes", async () => {
    const command = 'process.on("SIGINT", () => process.exit(5)); setInterval(() => {}, 1000); console.log("ready")';
    const node = `"${process.execPath}" -e '${command}'`;
    const terminal = place.shell(`trap : INT; palaver ask spin Building -- ${node}; echo "code $?"`);
    await terminal.shows("ready");
    await terminal.shows("Building");
    terminal.type("\x03");
    await terminal.shows("code 5");
    // The terminal itself shows ^C.
    expect((await terminal.text()).replace(/\^C/, "").trimEnd()).toBe("ready\ncode 5");
  });

  test("a command of a spinner that cannot be started leaves nothing behind", async () => {
    const terminal = place.shell('palaver ask spin Building -- /dev/null/x; echo "code $?"');
    await terminal.shows("code 126");
    expect(await terminal.text()).toMatch(/^palaver: .*ENOTDIR\ncode 126$/s);
  });

  test("a form is printed as JSON", async () => {
    const terminal = place.shell(
      'palaver ask form "Service" --field name! --field port:number=80 > answer; echo "code $?"',
    );
    await terminal.dialog("▌ Service");
    terminal.type("api\x13");
    await terminal.shows("code 0");
    expect(JSON.parse(place.read("answer"))).toEqual({ name: "api", port: 80 });
  });

  test("files are searched, marked and printed one a line; never one outside of the folder", async () => {
    mkdirSync(place.path("code/src"), { recursive: true });
    for (const path of ["code/src/parser.ts", "code/src/lexer.ts", "outside.ts"]) writeFileSync(place.path(path), "");
    symlinkSync("../outside.ts", place.path("code/linked.ts"));
    const terminal = place.shell('palaver ask files "Which?" --multiple --folder code > answer; echo "code $?"');
    await terminal.dialog("▌ Which?");
    await terminal.shows("❯ [ ] src/");
    terminal.type("ts");
    await terminal.shows("src/lexer.ts");
    await terminal.shows("src/parser.ts");
    expect(await terminal.text()).not.toContain("linked");
    for (const key of ["\t", DOWN, "\t"]) terminal.type(key);
    await terminal.shows("2 chosen");
    terminal.type("\r");
    await terminal.shows("code 0");
    expect(place.read("answer")).toBe("src/lexer.ts\nsrc/parser.ts\n");
  });

  test("no one answers in time: the exit code says so, and the default answers where there is one", async () => {
    const without = place.shell('palaver ask input "Name?" --timeout 0.5 2> err; echo "code $?"');
    await without.shows("code 124");
    const withDefault = place.shell('palaver ask input "Name?" --timeout 0.5 --default Ada 2> err; echo "code $?"');
    await withDefault.shows("Ada\ncode 0");
    expect(JSON.parse(place.read("err"))).toMatchObject({ outcome: "answered", by: "--default", value: "Ada" });
  });

  test("a terminal that cannot be drawn on is asked by lines", async () => {
    const terminal = place.palaver(["ask", "select", "Which?", "a", "b"], { env: { TERM: "dumb" } });
    await terminal.shows("Question: Which? 1 a. 2 b.");
    await terminal.shows("\n>");
    terminal.type("2\r");
    expect(await terminal.ended).toBe(0);
    expect(await terminal.text()).toMatch(/\nb$/);
    mkdirSync(place.path("said"), { recursive: true });
    writeFileSync(place.path("said/parser.ts"), "");
    const files = place.palaver(["ask", "files", "Which one?", "--folder", "said"], { env: { TERM: "dumb" } });
    await files.shows("Question: Which one? Type a path, or a part of it");
    await files.shows("\n>");
    files.type("pars\r");
    await files.shows("1 parser.ts.");
    files.type("1\r");
    expect(await files.ended).toBe(0);
    expect(await files.text()).toMatch(/\nparser\.ts$/);
    const cancelled = place.palaver(["ask", "confirm", "Deploy?"], { env: { TERM: "dumb" } });
    await cancelled.shows("Question: Deploy?");
    cancelled.type("\x03");
    expect(await cancelled.ended).toBe(4);
  });
});

describe("palaver ask without a terminal", () => {
  // A session of its own has no terminal, whoever runs the tests; the shell is there for streams that are closed.
  const alone = (args: readonly string[], { env = {}, streams = "" }: { env?: object; streams?: string } = {}) => {
    const line = ["-c", `exec "$0" "$@" ${streams}`, process.execPath, palaver, "ask", ...args];
    const child = spawn("sh", line, { detached: true, cwd: place.folder, env: { ...process.env, ...env } });
    child.stdin.end();
    return new Promise((resolve) => {
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk) => (stdout += chunk));
      child.stderr.on("data", (chunk) => (stderr += chunk));
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  };

  test("says what it waits for when options do not come, and takes them when they do", async () => {
    const child = spawn(process.execPath, [palaver, "ask", "select", "Which?", "--default", "b"], {
      detached: true,
      cwd: place.folder,
    });
    const told = new Promise<string>((resolve) => child.stderr.once("data", (chunk) => resolve(String(chunk))));
    let stdout = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    const ended = new Promise((resolve) => child.on("close", resolve));
    expect(await told).toBe("waiting for the options on standard input, one a line\n");
    child.stdin.end("a\nb\n");
    expect({ code: await ended, stdout }).toEqual({ code: 0, stdout: "b\n" });
  });

  test.each<[string, string[], number, string]>([
    ["nobody could answer", ["input", "Name?"], 3, ""],
    ["the default answers", ["select", "Which?", "a", "b", "--default", "b"], 0, "b\n"],
    ["a default of no is a no", ["confirm", "Sure?", "--default", "no"], 1, "no\n"],
    ["a default of yes is bad usage", ["confirm", "Sure?", "--default", "yes"], 2, ""],
    ["with --no-input, too", ["confirm", "Sure?", "--default", "yes", "--no-input", "--danger", "all of it"], 2, ""],
    [
      "a yes in a form becomes a no",
      ["form", "F", "--field", "a:confirm=yes", "--on-ask", "default"],
      0,
      '{"a":false}\n',
    ],
    [
      "the default as JSON",
      ["select", "Which?", "a", "b", "--multi", "--default", '["a","b"]', "--json"],
      0,
      '["a","b"]\n',
    ],
    ["several defaults", ["select", "Which?", "a", "b", "--multiple", "--default", "a", "--default", "b"], 0, "a\nb\n"],
    ["several defaults for one choice", ["select", "Which?", "a", "b", "--default", "a", "--default", "b"], 2, ""],
    [
      "a form whose fields have defaults",
      ["form", "F", "--field", "name=x", "--field", "n:number=1"],
      0,
      '{"name":"x","n":1}\n',
    ],
    ["a form with a default of yes", ["form", "F", "--field", "name=x", "--field", "sure:confirm=yes"], 3, ""],
    ["bad usage", ["select", "Which?"], 2, ""],
    ["paths as a default", ["files", "Which?", "--multiple", "--default", '["a.ts","b/c.ts"]'], 0, "a.ts\nb/c.ts\n"],
    ["a path outside is no default", ["files", "Which?", "--default", "../a.ts"], 2, ""],
    ["files of no folder", ["files", "Which?", "--folder", "no such folder"], 2, ""],
    ["no files without a person", ["files", "Which?", "--on-ask", "deny"], 4, ""],
    ["the policy says no", ["confirm", "Sure?", "--on-ask", "deny"], 1, "no\n"],
    ["the policy gives no answer", ["input", "Name?", "--on-ask", "deny"], 4, ""],
  ])("%s", async (_, args, code, stdout) => {
    verifies("asks.yes-is-never-a-default");
    expect(await alone(args)).toMatchObject({ code, stdout });
  });

  test.each([
    ["TERM=dumb", { env: { TERM: "dumb" } }, "Ada\n"],
    ["NO_COLOR", { env: { NO_COLOR: "1" } }, "Ada\n"],
    ["CI", { env: { CI: "true" } }, "Ada\n"],
    ["no standard input", { streams: "<&-" }, "Ada\n"],
    ["no standard output", { streams: ">&-" }, ""],
    ["no standard error", { streams: "2>&-" }, "Ada\n"],
  ])("with %s the default answers, and nothing is coloured", async (_, how, stdout) => {
    const ended = await alone(["input", "Name?", "--default", "Ada"], how);
    expect(ended).toMatchObject({ code: 0, stdout });
    expect(JSON.stringify(ended)).not.toContain("\\u001b");
  });

  test("a build service is named as the reason why no one is asked", async () => {
    expect(await alone(["input", "Name?"], { env: { CI: "true" } })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("the variable CI is set, so no one is asked on a terminal"),
    });
  });

  test("--quiet prints the answer alone, and nothing for a confirmation", async () => {
    expect(await alone(["input", "Name?", "--default", "Ada", "--quiet"])).toEqual({
      code: 0,
      stdout: "Ada\n",
      stderr: "",
    });
    expect(await alone(["confirm", "Sure?", "--default", "no", "-q"])).toEqual({ code: 1, stdout: "", stderr: "" });
  });

  test("spin has the output and the exit code of its command", async () => {
    const spun = await alone(["spin", "Building", "--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
    expect(spun).toEqual({ code: 7, stdout: "out\n", stderr: "err\n" });
    expect(await alone(["spin", "Building", "--", "no-such-command"])).toMatchObject({ code: 127 });
    expect(await alone(["spin", "Building"])).toMatchObject({ code: 2 });
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("spin passes %s on, and ends as its command does", async (signal) => {
    const command = `process.on("${signal}", () => process.exit(7)); setInterval(() => {}, 1000); console.log("ready")`;
    const args = [palaver, "ask", "spin", "Building", "--", process.execPath, "-e", command];
    const child = spawn(process.execPath, args, { cwd: place.folder, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    child.kill(signal);
    // The command has the pipe, too: it ends with the command.
    await once(child.stdout, "end");
    expect(await ended).toEqual([7, null]);
  });

  test("spin says which signal ended its command", async () => {
    expect(await alone(["spin", "Building", "--", "sh", "-c", "kill -TERM $$"])).toMatchObject({ code: 143 });
  });

  test("a reader that closes the pipe early is no failure", async () => {
    const line = `{ "$0" "$1" ask input "Name?" --default Ada; echo "code $?" >&2; } | true`;
    const child = spawn("sh", ["-c", line, process.execPath, palaver], { detached: true, cwd: place.folder });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    await new Promise((resolve) => child.on("close", resolve));
    expect(stderr).toMatch(/code 0\n$/);
  });
});

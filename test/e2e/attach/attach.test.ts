// `palaver attach` as a person uses it: a real pty, the real example daemon, and what both are like afterwards.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { findDaemons } from "../../../src/server/project/running-daemon.js";
import {
  compile,
  type ReadyProgram,
  shownValue,
  standIn,
  startProgram,
  temporaryPlace,
} from "../daemon/daemon-process.js";
import { childOf, isRunning } from "../processes.js";
import { projectRoot, runProgram } from "../run-program.js";
import { Attached, compilePalaver } from "./attach-rig.js";

const example = "examples/dev-daemon/daemon.mjs";
const programs = { palaver: "", example: "", standIn: "" };
const ENTER = "\r";
const ERASE_LINE = "\x15";

beforeAll(async () => {
  programs.palaver = await compilePalaver("attach");
  programs.example = await compile(example);
  programs.standIn = await compile(standIn);
});

interface Place {
  readonly project: string;
  readonly env: Record<string, string>;
  serve(): Promise<ReadyProgram>;
  attach(size?: { columns: number; rows: number }, ...flags: string[]): Attached;
  where(): Promise<{ url: string; token: string; pid: number }>;
}

function createPlace(): Place {
  const place = temporaryPlace();
  const project = join(place, "project");
  cpSync(join(projectRoot, "examples/dev-daemon/project"), project, { recursive: true });
  const own = { HOME: place, TMPDIR: place };
  const env = { ...own, XDG_STATE_HOME: join(place, "state"), XDG_CONFIG_HOME: join(place, "config") };
  return {
    project,
    env,
    serve: () => startProgram(programs.example, { env, args: [project] }),
    attach: (size = { columns: 90, rows: 16 }, ...flags) =>
      new Attached(process.execPath, [programs.palaver, "attach", "--project", project, ...flags], { env, ...size }),
    async where() {
      const [presence] = await findDaemons(project, env);
      if (presence?.kind !== "running") throw new Error(`the daemon is ${presence?.kind}`);
      return { ...presence.address, pid: presence.record.pid };
    },
  };
}

describe("palaver attach on the example daemon", () => {
  test.each([
    ["wheel", "vt200"],
    ["off", "none"],
  ])("with the mouse %s, the terminal's own mouse mode is %s", async (mouse, mouseTrackingMode) => {
    const place = createPlace();
    await place.serve();
    const view = place.attach({ columns: 90, rows: 16 }, "--mouse", mouse);
    await view.shows("BUILD");
    expect(view.emulator.modes()).toMatchObject({ mouseTrackingMode });
  });

  test("shows tabs, fields and the log, changes a value, and takes a refused one back with the reason", async () => {
    const place = createPlace();
    await place.serve();
    const attached = place.attach();
    await attached.shows("rebuilt for development, 0 warnings");
    const screen = await attached.shows("❯ Build for  [ development ]");
    expect(screen).toMatch(/^ BUILD {2}SERVER .*\?:help$/m);
    expect(screen).toContain("1/4  ↑↓ logs");

    attached.type(`${ENTER + ERASE_LINE}production${ENTER}`);
    await attached.shows("rebuilt for production, 0 warnings");
    await attached.shows("Build for  [ production ]");
    expect(await shownValue(await place.where(), "Mode")).toBe("production");

    attached.type(`${ENTER + ERASE_LINE}staging${ENTER}`);
    const refused = await attached.shows("Build for  [ production ]");
    expect(refused).toContain("Build for  [ production ]");
    await attached.shows("✕ Mode is one of development, production, not staging");
    await attached.shows("Build for  [ production ]");
  });

  test("one letter changes and runs things from any tab, and a conversation asks until it has all it needs", async () => {
    const place = createPlace();
    await place.serve();
    const attached = place.attach({ columns: 100, rows: 20 });
    await attached.shows("rebuilt for development");
    attached.type("\t\tp");
    await attached.shows("rebuilt for production, 0 warnings");
    await attached.shows("❯ Build for  [ production ]");
    attached.type("m");
    await attached.shows("❯ Make it small  [ on ]");
    attached.type("t");
    await attached.shows("0 failed, 2 passed");
    attached.type("d");
    await attached.shows("❯ Build for  [ development ]");
    attached.type(`\x1b[D${ENTER}`);
    await attached.shows("Name of the module");
    attached.type(`No Name${ENTER}`);
    await attached.shows('a name is a few small letters, not "No Name"');
    attached.type(`${ERASE_LINE}farewell${ENTER}`);
    await attached.shows("What it says");
    attached.type(`Good bye${ENTER}`);
    await attached.shows("src/farewell.ts is there");
    expect(readFileSync(join(place.project, "src/farewell.ts"), "utf8")).toBe('export const farewell = "Good bye";\n');
    // The line to type in is closed a moment after the log tells of its end.
    await attached.shows("↑↓ logs");
    attached.type("?");
    await attached.shows(/ r +Build again in BUILD/);
  });

  test("runs actions, searches the log, and leaves the daemon running", async () => {
    const place = createPlace();
    const daemon = await place.serve();
    const attached = place.attach();
    await attached.shows("rebuilt for development");
    attached.type(`:Minify on${ENTER}`);
    await attached.shows("Make it small  [ on ]");
    attached.type(`/rebuilt${ENTER}`);
    await attached.shows("n next · N back");
    attached.type("\x1b");
    await attached.shows("1/4  ↑↓ logs");
    attached.type("\x03");
    expect(await attached.ended).toBe(0);
    await attached.isGivenBack();
    expect(await attached.window()).toContain("Detached; the daemon keeps running.");
    expect(isRunning(daemon.child.pid ?? 0)).toBe(true);
    expect(await shownValue(await place.where(), "Minify")).toBe("on");
  });

  test("a signal ends the view alone, and the terminal is given back", async () => {
    const place = createPlace();
    const daemon = await place.serve();
    const attached = place.attach();
    await attached.shows("rebuilt for development");
    process.kill(attached.pty.pid, "SIGTERM");
    await attached.ended;
    await attached.isGivenBack();
    expect(isRunning(daemon.child.pid ?? 0)).toBe(true);
  });

  test("survives a restart of the daemon: says so, comes back, and shows no line twice", async () => {
    const place = createPlace();
    const daemon = await place.serve();
    const attached = place.attach();
    await attached.shows("rebuilt for development");
    daemon.child.kill("SIGKILL");
    await daemon.exited;
    await attached.shows("lost the daemon; reconnecting in");
    await attached.shows("Build for  [ development ]");
    await place.serve();
    await attached.shows("1/4  ↑↓ logs");
    // Each of the two says once where it serves; all lines of the tab are wanted.
    attached.type("\t\x0f");
    const screen = await attached.shows(/serving at[\s\S]*serving at/);
    const lines = screen.split("\n").filter((row) => row.includes("serving at"));
    expect(lines).toHaveLength(2);
    expect(new Set(lines.map((row) => row.slice(row.indexOf("http")))).size).toBe(2);
  });

  test("after kill -9 of the view the terminal is in order and the daemon notices nothing", async () => {
    const place = createPlace();
    const daemon = await place.serve();
    const shell = new Attached("/bin/bash", ["--norc", "--noprofile"], { env: place.env, columns: 90, rows: 16 });
    shell.type(`PS1='$ '; ${process.execPath} ${programs.palaver} attach --project ${place.project}\r`);
    await shell.shows("rebuilt for development");
    process.kill(await childOf(shell.pty.pid), "SIGKILL");
    // The shell pastes in brackets of its own accord, before the watchdog has come or after it.
    await shell.isGivenBack({ pasting: "as the shell likes" });
    shell.type("echo here $((40 + 2))\r");
    await shell.shows("here 42");
    expect(isRunning(daemon.child.pid ?? 0)).toBe(true);
  });

  test("works in a window of 40 columns and 10 rows, and writes nothing while nothing happens", async () => {
    const place = createPlace();
    await place.serve();
    const attached = place.attach({ columns: 40, rows: 10 });
    await attached.shows("[ development ]");
    await attached.shows("rebuilt for development");
    attached.type("\t");
    await attached.shows("Address");
    attached.pty.resize(60, 12);
    attached.emulator.resize(60, 12);
    // Only the wider window has room for the time.
    await attached.shows(/^ \d\d:\d\d:\d\d server/m);
    const before = attached.bytes;
    const where = await place.where();
    // Others look at the daemon meanwhile; that is no news for this view.
    for (let looks = 0; looks < 50; looks += 1) expect(await shownValue(where, "Mode")).toBe("development");
    expect(attached.bytes).toBe(before);
  });
});

describe("palaver attach on a daemon with keys of its own", () => {
  test("a shortcut changes a value from anywhere, an action that fails says why", async () => {
    const place = createPlace();
    const env = { ...place.env, PALAVER_STAND_IN: JSON.stringify({ folder: place.project }) };
    await startProgram(programs.standIn, { env });
    const attached = place.attach();
    await attached.shows("Mode  [ development ]");
    attached.type("?");
    await attached.shows("p  production, Mode in BUILD");
    attached.type("p");
    await attached.shows("Mode  [ p ]");
    attached.type(`:Fails${ENTER}`);
    // As the answer when it fails at once; a daemon that is busy takes it first, and the log says it.
    await attached.shows(/✕ (?:error: )?this one always fails/);
    attached.type(`:Nothing${ENTER}`);
    await attached.shows('✕ there is no action "Nothing"');
  });

  test("an address and a token lead to a daemon elsewhere", async () => {
    const place = createPlace();
    const env = { ...place.env, PALAVER_STAND_IN: JSON.stringify({ folder: place.project }) };
    const { firstLine } = await startProgram(programs.standIn, { env });
    const { url, token } = JSON.parse(firstLine) as { url: string; token: string };
    const attached = new Attached(process.execPath, [programs.palaver, "attach", url, "--token", token], {
      env: { HOME: place.project },
    });
    await attached.shows("Mode  [ development ]");
    attached.type("\x03");
    expect(await attached.ended).toBe(0);
    const wrong = new Attached(process.execPath, [programs.palaver, "attach", url, "--token", "wrong"], {
      env: { HOME: place.project },
    });
    expect(await wrong.ended).toBe(2);
    expect(await wrong.window()).toContain(`the server at ${url} does not accept this token`);
  });
});

describe("palaver attach with nothing to attach to", () => {
  test("says how to start a daemon", async () => {
    const place = createPlace();
    const attached = place.attach();
    expect(await attached.ended).toBe(1);
    expect(await attached.window()).toMatch(/no daemon runs for \S+\n {2}Start one: {3}palaver serve/);
  });

  test("needs a terminal, and says what does not", async () => {
    const { code, stderr } = await runProgram(process.execPath, [programs.palaver, "attach"]);
    expect(code).toBe(2);
    expect(stderr).toContain("palaver logs -f");
  });
});

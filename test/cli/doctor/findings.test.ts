// From what was seen to plain words: what is well, what is not, and what to do about it.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  agentsFinding,
  daemonFindings,
  modelFinding,
  nodeFinding,
  settingsFinding,
  stateFinding,
} from "../../../src/cli/commands/doctor-command.js";
import { type LoadedConfig, readConfig } from "../../../src/cli/config/load-config.js";
import {
  type Finding,
  fine,
  problem,
  reportJson,
  reportText,
  unasked,
  warning,
  worstOf,
} from "../../../src/cli/doctor/doctor-report.js";
import {
  optionsIn,
  type TerminalVisit,
  terminalFindings,
  windowFindings,
} from "../../../src/cli/doctor/terminal-findings.js";
import { type TerminalSurvey, widthProbes } from "../../../src/cli/doctor/terminal-survey.js";
import { asciiGlyphs, unicodeGlyphs } from "../../../src/terminal/painter/blocks/glyphs.js";
import { textWidth } from "../../../src/text/width.js";

const folder = mkdtempSync(join(tmpdir(), "palaver-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const agreed = widthProbes.map(({ text }) => textWidth(text));
const good: TerminalSurvey = {
  answered: "yes",
  columns: 100,
  rows: 40,
  version: "kitty(0.40)",
  attributes: "62",
  secondaryAttributes: "1;4000;40",
  synchronizedUpdates: 2,
  keyboard: "kitty",
  ground: { background: "rgb:0000/0000/0000" },
  widths: agreed,
};

function config(environment: Record<string, string> = {}): LoadedConfig {
  return readConfig({
    environment: { HOME: folder, LANG: "C.UTF-8", TERM: "xterm-256color", COLORTERM: "truecolor", ...environment },
    folder,
  });
}

const visited = (survey: Partial<TerminalSurvey> = {}): TerminalVisit => ({
  kind: "surveyed",
  survey: { ...good, ...survey },
});

function about(topic: string, findings: readonly Finding[]): Finding | undefined {
  return findings.find((finding) => finding.topic === topic);
}

describe("a good terminal", () => {
  test("gives no reason to complain", () => {
    const all = [...terminalFindings(visited(), config()), ...windowFindings(visited(), config(), null)];
    expect(all.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(all.map(({ topic }) => topic)).toEqual([
      "terminal",
      "size",
      "colours",
      "letters",
      "keyboard",
      "updates",
      "background",
      "widths",
      "clipboard",
      "calls",
    ]);
  });
});

describe("a terminal with a weakness is told of it, with what to do:", () => {
  const cells = (name: string, measured: number) =>
    widthProbes.map((probe, index) => (probe.name === name ? measured : (agreed[index] ?? 0)));

  test.each<[string, Partial<TerminalSurvey>, Record<string, string>, string, Finding["verdict"], RegExp]>([
    ["it is silent", { answered: "no", widths: null }, {}, "terminal", "warn", /answered no query in time/],
    ["it is tiny", { columns: 30, rows: 8 }, {}, "size", "warn", /^30 × 8$/],
    ["its size is unknown", { columns: 0, rows: 0 }, {}, "size", "warn", /does not say how large/],
    ["it has old keys", { keyboard: "unsaid" }, {}, "keyboard", "warn", /some keys may look alike/],
    ["it hides its background", { ground: {} }, {}, "background", "warn", /terminal's own palette/],
    ["it is not UTF-8", { widths: cells("é", 2) }, {}, "widths", "problem", /é 2 wide, not 1/],
    ["it widens signs", { widths: cells("●", 2) }, {}, "widths", "warn", /● 2 wide, not 1/],
    ["it joins nothing", { widths: cells("a joined emoji", 4) }, {}, "widths", "ok", /a joined emoji 4 wide, not 2/],
    ["it was too narrow", { widths: null, columns: 12 }, {}, "widths", "unasked", /too narrow/],
    ["its locale is old", {}, { LC_ALL: "de_DE.ISO-8859-1" }, "letters", "warn", /LC_ALL is de_DE.ISO-8859-1/],
    ["few colours", {}, { TERM: "xterm", COLORTERM: "" }, "colours", "warn", /because TERM is xterm/],
    ["no colours", {}, { NO_COLOR: "1" }, "colours", "ok", /^none, because NO_COLOR is set$/],
    ["colours as set", {}, { PALAVER_COLOUR: "256" }, "colours", "ok", /^256, because the setting colour is 256$/],
    ["a theme as set", {}, { PALAVER_THEME: "moss" }, "background", "ok", /^dark, the theme is moss, as you set it$/],
    ["a hostile name", { version: "x\x1b]0;y\x07\nz" }, {}, "terminal", "ok", /^x z, TERM/],
  ])("%s", (_name, survey, environment, topic, verdict, words) => {
    const finding = about(topic, terminalFindings(visited(survey), config(environment)));
    expect(finding).toMatchObject({ verdict, words: expect.stringMatching(words) });
    expect(finding?.advice === null).toBe(verdict === "ok" || verdict === "unasked");
  });
});

describe("without a terminal", () => {
  test("it is said what could not be asked, and nothing is a fault", () => {
    const visit: TerminalVisit = { kind: "no-terminal" };
    const all = [
      ...terminalFindings(visit, config({ COLORTERM: "", TERM: "" })),
      ...windowFindings(visit, config(), null),
    ];
    expect(about("terminal", all)).toMatchObject({
      verdict: "unasked",
      words: expect.stringContaining("there is none, so"),
    });
    expect(all.map(({ verdict }) => verdict)).not.toContain("warn");
  });

  test("one that only appends is asked nothing", () => {
    const [first] = terminalFindings({ kind: "dumb" }, config({ TERM: "dumb" }));
    expect(first).toMatchObject({ verdict: "ok", words: expect.stringContaining("TERM is dumb") });
  });
});

describe("the window", () => {
  const tmux = (lines: string) => optionsIn(lines);
  const inTmux = config({ TMUX: "/tmp/tmux-1/default,1,0" });

  test.each<[string, Partial<TerminalSurvey>, Record<string, string>, Finding["verdict"]]>([
    ["says itself that it takes the clipboard", { version: null, attributes: "62;52" }, {}, "ok"],
    ["is known to take it", { version: "foot(1.13.1)" }, {}, "ok"],
    ["is known by TERM", { version: null }, { TERM: "xterm-ghostty" }, "ok"],
    ["may refuse it", { version: "XTerm(379)" }, {}, "warn"],
    ["says nothing", { version: null }, {}, "warn"],
    ["is inside of screen", {}, { STY: "1.pts-0.host" }, "warn"],
  ])("%s", (_name, survey, environment, verdict) => {
    expect(about("clipboard", windowFindings(visited(survey), config(environment), null))?.verdict).toBe(verdict);
  });

  test("in tmux as it comes: no clipboard, no calls, no shift+enter, each with the line for tmux.conf", () => {
    const options = tmux("extended-keys off\nfocus-events off\nset-clipboard external\nallow-passthrough off\n");
    const found = windowFindings(visited({ version: "tmux 3.3a" }), inTmux, options);
    expect(found.map(({ topic, verdict, advice }) => [topic, verdict, advice])).toEqual([
      ["clipboard", "warn", "in tmux.conf: set -s set-clipboard on"],
      ["calls", "warn", "in tmux.conf: set -g focus-events on"],
      ["tmux", "warn", expect.stringContaining("set -s extended-keys on")],
    ]);
  });

  test("in tmux as it should be: nothing to say", () => {
    const options = tmux("extended-keys always\nfocus-events on\nset-clipboard on\n");
    const found = windowFindings(visited({ version: "tmux 3.5" }), inTmux, options);
    expect(found.map(({ verdict }) => verdict)).toEqual(["ok", "ok", "ok"]);
  });

  test("a tmux that does not answer is no reason to hang or to guess", () => {
    expect(about("tmux", windowFindings(visited(), inTmux, null))?.verdict).toBe("unasked");
  });
});

describe("the machine", () => {
  test.each([
    ["20.18.3", "problem"],
    ["20.19.0", "ok"],
    ["26.1.0", "ok"],
    ["18.20.0", "problem"],
  ])("Node %s is %s", (version, verdict) => {
    expect(nodeFinding(version).verdict).toBe(verdict);
  });

  test("settings with an error are a problem that names the file", () => {
    const path = join(folder, "wrong.toml");
    writeFileSync(path, 'theme = "mos"\n');
    expect(settingsFinding(config({ PALAVER_CONFIG: path }))).toMatchObject({
      verdict: "problem",
      words: expect.stringContaining(`${path}:1: theme`),
    });
    expect(settingsFinding(config()).verdict).toBe("ok");
  });

  test("a state folder that was not there is not left behind", () => {
    const state = join(folder, "not", "yet");
    expect(stateFinding({ XDG_STATE_HOME: state })).toMatchObject({ verdict: "ok" });
    expect(existsSync(join(folder, "not"))).toBe(false);
  });

  test("a state folder that cannot be written is a problem", () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    expect(stateFinding({ XDG_STATE_HOME: join(file, "below") })).toMatchObject({ verdict: "problem" });
  });

  test("agents are those that can be started here", () => {
    expect(agentsFinding(config({ PATH: join(folder, "bin") }))).toMatchObject({ verdict: "warn" });
    const program = join(folder, "gemini");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o755);
    expect(agentsFinding(config({ PATH: folder }))).toMatchObject({
      verdict: "ok",
      words: expect.stringMatching(/^gemini;/),
    });
  });

  test.each<[Record<string, string>, Finding["verdict"], RegExp]>([
    [{}, "warn", /only plain requests/],
    [{ ANTHROPIC_API_KEY: "sk-ant-0123456789" }, "ok", /^anthropic:/],
    [{ PALAVER_MODEL: "openai:gpt-5" }, "problem", /needs a key/],
    [{ PALAVER_MODEL: "nobody:x" }, "problem", /invalid model/],
    [{ PALAVER_MODEL: "ollama:qwen3" }, "ok", /^ollama:qwen3/],
  ])("the model with %o", (environment, verdict, words) => {
    const finding = modelFinding(config(environment));
    expect(finding).toMatchObject({ verdict, words: expect.stringMatching(words) });
    expect(JSON.stringify(finding)).not.toContain("sk-ant");
  });

  test("a daemon that does not answer is a problem, none is none, and each of several is a row", () => {
    const record = { pid: 7, url: "http://127.0.0.1:1", program: "dev.mjs" } as never;
    const running = { kind: "running", record, claims: { version: "1.4.0" } } as never;
    const [fine, silent] = daemonFindings([running, { kind: "silent", record }]);
    expect(fine).toMatchObject({ verdict: "ok", words: "dev.mjs at http://127.0.0.1:1, version 1.4.0" });
    expect(silent).toMatchObject({ verdict: "problem", advice: "end its process 7, then start dev.mjs again" });
    expect(daemonFindings([])).toMatchObject([{ verdict: "ok" }]);
    expect(daemonFindings(null)).toMatchObject([{ verdict: "unasked" }]);
  });
});

describe("the report", () => {
  const diagnosis = {
    version: "1.2.3",
    terminal: [fine("size", "100 × 40"), unasked("widths", "could not be measured")],
    machine: [
      warning("agents", "none is installed, so only the built-in one can run here", "install one"),
      problem("node", "18 is too old", "install another"),
    ],
  };
  const plain = { paint: (_: unknown, text: string) => text, glyphs: unicodeGlyphs, columns: 60 };

  test("has a row for each finding, and below it what to do", () => {
    expect(reportText(diagnosis, plain)).toBe(`Terminal
  ● size        100 × 40
  ◌ widths      could not be measured

This machine
  ▲ agents      none is installed, so only the built-in one
                can run here
                › install one
  ✕ node        18 is too old
                › install another

1 problem, 1 warning.  palaver 1.2.3
`);
  });

  test("can be read without UTF-8, and says when nothing is wrong", () => {
    const well = { version: "1", terminal: [fine("node", "26")], machine: [] };
    expect(reportText(well, { ...plain, glyphs: asciiGlyphs })).toBe(
      "Terminal\n  * node        26\n\nThis machine\n\nNo problems found.  palaver 1\n",
    );
  });

  test("is JSON with the terminal's answers for programs", () => {
    expect(JSON.parse(reportJson(diagnosis, visited()))).toMatchObject({
      version: "1.2.3",
      verdict: "problem",
      answers: { version: "kitty(0.40)" },
      machine: [{ topic: "agents", verdict: "warn" }, { topic: "node" }],
    });
    expect(worstOf({ ...diagnosis, machine: [] })).toBe("ok");
  });
});

// Tries real agents through the whole of Palaver: each is installed once, started by its preset in a terminal, and led through
// every case against a stand-in model. In the end there is a table, and no process is left; that is checked, too.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentPreset, presets } from "../../src/agents/presets.js";
import { type AgentKind, agentKinds, furnish } from "./agent-kinds.js";
import type { CaseDesk } from "./case-steps.js";
import { type RealCase, realCases, scriptsIn } from "./cases.js";
import { guideCases, guideScriptsIn } from "./guide-cases.js";
import { Installation } from "./installation.js";
import { MARK_VARIABLE, ProcessWatch } from "./process-watch.js";
import { promptCases, promptScriptsIn } from "./prompt-cases.js";
import { type StandInModel, startStandInModel } from "./stand-in-model.js";
import { UiSession } from "./ui-session.js";

export type RealAgentsOptions = {
  readonly palaver: string;
  /** Where the agents are installed. */
  readonly installs: string;
  /** Names; all when empty. */
  readonly agents: readonly string[];
  readonly cases: readonly string[];
  /** Where screens and recordings of failures are kept. */
  readonly keep: string;
  print(line: string): void;
};

type Verdict = { readonly mark: string; readonly words: string };

/** How long what an agent started may take to end after Palaver has. */
const GONE_MS = 3_000;

export async function tryRealAgents(options: RealAgentsOptions): Promise<number> {
  const installation = new Installation(options.installs, options.print);
  const kinds = agentKinds.filter(({ name }) => options.agents.length === 0 || options.agents.includes(name));
  const wanted = ({ name }: RealCase) => options.cases.length === 0 || options.cases.includes(name);
  const cases = [...realCases, ...promptCases, ...guideCases].filter(wanted);
  const rows: { name: string; verdicts: Verdict[] }[] = [];
  for (const kind of kinds) {
    const binaries = kind.package === null ? null : await installation.agent(kind.name, kind.package);
    const bench = await openBench(kind, binaries === null ? [] : [binaries, installation.nodeFolder], options);
    const verdicts: Verdict[] = [];
    for (const each of cases) {
      const verdict = await bench.try(each);
      options.print(`${kind.name} · ${each.name}: ${[verdict.mark, verdict.words].filter(Boolean).join(" ")}`);
      verdicts.push(verdict);
    }
    rows.push({ name: kind.name, verdicts });
    await bench.close();
  }
  for (const line of tableOf(cases, rows)) options.print(line);
  return rows.every(({ verdicts }) => verdicts.every(({ mark }) => mark !== "✕")) ? 0 : 1;
}

async function openBench(kind: AgentKind, path: readonly string[], options: RealAgentsOptions) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), `palaver-${kind.name}-`)));
  const folder = join(home, "project");
  mkdirSync(folder);
  const model = await startStandInModel({
    ...scriptsIn(folder),
    ...promptScriptsIn(folder),
    ...guideScriptsIn(folder),
  });
  const place = { url: `http://127.0.0.1:${model.port}`, key: `stand-in-${randomBytes(16).toString("hex")}`, home };
  furnish(kind, place);
  const environment = {
    ...homeEnvironment(home),
    ...kind.environment(place),
    PATH: [...path, process.env["PATH"] ?? ""].join(":"),
  };
  return {
    async try(each: RealCase): Promise<Verdict> {
      if (each.needs === "servers" && kind.tools === "its own") {
        return { mark: "–", words: "takes no servers of tools" };
      }
      if (each.needs === "a greeting" && (kind.package === null || presetOf(kind).protocol !== "acp"))
        return { mark: "–", words: "greets nobody" };
      return new Trial(kind, each, { ...options, home, folder, model, environment }).run();
    },
    async close() {
      await model.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function presetOf({ name }: AgentKind): AgentPreset {
  const preset = presets.find((candidate) => candidate.name === name);
  if (preset === undefined) throw new Error(`there is no preset ${name}`);
  return preset;
}

// Behind a shell nobody knows it by its name.
function commandOf(kind: AgentKind): string[] {
  const { command, args } = presetOf(kind);
  return ["sh", "-c", `exec ${[command, ...args].join(" ")}`];
}

function homeEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
    DO_NOT_TRACK: "1",
    NO_UPDATE_NOTIFIER: "1",
  };
}

type TrialParts = RealAgentsOptions & {
  readonly home: string;
  readonly folder: string;
  readonly model: StandInModel;
  readonly environment: Readonly<Record<string, string>>;
};

/** One case with one agent. */
class Trial {
  private readonly kind: AgentKind;
  private readonly each: RealCase;
  private readonly parts: TrialParts;
  private readonly watch = new ProcessWatch(randomBytes(8).toString("hex"));
  private readonly sessions: UiSession[] = [];

  constructor(kind: AgentKind, each: RealCase, parts: TrialParts) {
    this.kind = kind;
    this.each = each;
    this.parts = parts;
  }

  async run(): Promise<Verdict> {
    const { folder, model } = this.parts;
    const startedMs = performance.now();
    const { name, comeBack, sessions, denial } = this.kind;
    const named = this.kind.package === null ? [] : [name];
    const { problem, words } = await this.each
      .run({
        folder,
        model,
        comeBack,
        sessions,
        denial,
        open: (...args) => this.open("run", [...args, ...named]),
        openUnknown: () => this.open("run", ["--", ...commandOf(this.kind)]),
        prompt: (...args) => this.open("prompt", args),
        shell: (script) => this.shell(script),
        agent: name,
        guide: readFileSync(join(this.parts.palaver, "../../docs/guides/script-and-ci.md"), "utf8"),
      })
      .then((told) => ({ problem: null, words: typeof told === "string" ? told : "" }))
      .catch((error: unknown) => ({ problem: error instanceof Error ? error.message : String(error), words: "" }));
    if (problem !== null || this.each.keeps === "screens") await this.keepScreens();
    for (const session of this.sessions) session.kill();
    const left = await this.leftOver();
    const seconds = [`${((performance.now() - startedMs) / 1_000).toFixed(0)} s`, words].filter(Boolean).join(", ");
    if (problem !== null) return { mark: "✕", words: problem };
    return left.length === 0 ? { mark: "✓", words: seconds } : { mark: "✕", words: `left behind: ${left.join("; ")}` };
  }

  private open(verb: "run" | "prompt", args: readonly string[]): UiSession {
    const { palaver, folder, environment, home } = this.parts;
    const session = new UiSession({
      palaver,
      verb,
      args,
      folder,
      environment: { ...environment, [MARK_VARIABLE]: this.watch.mark },
      recording: join(home, `${this.each.name.replaceAll(" ", "-")}-${this.sessions.length}.jsonl`),
      watch: this.watch,
    });
    this.sessions.push(session);
    return session;
  }

  private shell(script: string): ReturnType<CaseDesk["shell"]> {
    const { palaver, folder, environment } = this.parts;
    const known = `palaver() { "${process.execPath}" "${palaver}" "$@"; }`;
    return new Promise((resolve, reject) => {
      const child = spawn("sh", ["-c", `${known}\n${script}`], {
        cwd: folder,
        env: { ...environment, [MARK_VARIABLE]: this.watch.mark },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk) => (stdout += chunk));
      child.stderr.on("data", (chunk) => (stderr += chunk));
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  }

  private async leftOver(): Promise<string[]> {
    const deadline = performance.now() + GONE_MS;
    while (this.watch.left().length > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const left = this.watch.left();
    for (const { pid } of left) endProcess(pid);
    return left.map(({ pid, command }) => `${pid} ${command.slice(0, 60)}`);
  }

  private async keepScreens(): Promise<void> {
    mkdirSync(this.parts.keep, { recursive: true });
    const asked = join(this.parts.keep, `${this.kind.name}-${this.each.name.replaceAll(" ", "-")}-model.json`);
    writeFileSync(asked, JSON.stringify(this.parts.model.requests, null, 1));
    for (const [index, session] of this.sessions.entries()) {
      const name = join(this.parts.keep, `${this.kind.name}-${this.each.name.replaceAll(" ", "-")}-${index}`);
      writeFileSync(`${name}.txt`, await session.text());
      writeFileSync(
        `${name}.jsonl`,
        session
          .events()
          .map((event) => `${JSON.stringify(event)}\n`)
          .join(""),
      );
    }
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself after all.
  }
}

//   agent      allow  deny   …
//   gemini     ✓ 12 s ✓ 9 s
function tableOf(
  cases: readonly RealCase[],
  rows: readonly { name: string; verdicts: readonly Verdict[] }[],
): string[] {
  const cell = ({ mark, words }: Verdict) => (mark === "✓" ? `${mark} ${words}` : mark);
  const widths = cases.map(({ name }, index) =>
    Math.max(name.length, ...rows.map(({ verdicts }) => cell(verdicts[index] ?? { mark: "", words: "" }).length)),
  );
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(10), ...cells.map((text, index) => text.padEnd(widths[index] ?? 0))].join("  ").trimEnd();
  return [
    "",
    line(
      "agent",
      cases.map(({ name }) => name),
    ),
    ...rows.map(({ name, verdicts }) => line(name, verdicts.map(cell))),
  ];
}

// From arguments to a command, and from its end to an exit code. An unexpected error becomes one line; PALAVER_DEBUG=1 adds the
// stack.

import { nearestName } from "../contract/nearest-name.js";
import { errorMessage } from "../contract/plain-word.js";
import { terminalPlace } from "../terminal/device/exit-guard.js";
import { commandTable } from "./command-table.js";
import { type ExitCode, exitCodes, UsageError } from "./exit-codes.js";

export async function runCommandLine(argv: string[]): Promise<number> {
  leaveWithoutOutput();
  leaveOnSignals();
  try {
    return await dispatch(argv);
  } catch (error) {
    if (error instanceof UsageError) {
      await complain(error.message);
      return exitCodes.badUsage;
    }
    // main.ts reports these, without opening another file.
    const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
    if (code === "EMFILE" || syscall === "uv_cwd") throw error;
    await complain(errorMessage(error));
    if (process.env.PALAVER_DEBUG && error instanceof Error) {
      const { tellStack } = await import("./printed.js");
      tellStack(error, process.env);
    }
    return exitCodes.agentFailed;
  }
}

// Loaded on demand, which fails after an update replaced the files.
async function complain(words: string): Promise<void> {
  const printed = await import("./printed.js").catch(() => null);
  if (printed === null) process.stderr.write(`palaver: ${words.replace(/[^\P{C}\n]/gu, "")}\n`);
  else printed.complain(`palaver: ${words}`);
}

async function dispatch([name, ...args]: string[]): Promise<number> {
  if (name === undefined) return plainPalaver();
  // `palaver --theme ember` is `palaver run --theme ember`: the flags of the terminal UI.
  if (name.startsWith("-") && name !== "--help" && name !== "-h") return runUi([name, ...args]);
  if (name === "--help" || name === "-h") return show(helpText());
  if (name === "help") return args[0] === undefined ? show(helpText()) : dispatch([args[0], "--help"]);
  // The demo's former name still works.
  const entry = commandTable.find((command) => command.name === (name === "taste" ? "demo" : name));
  if (entry === undefined) throw new UsageError(await unknownCommand(name));
  const command = await entry.load();
  const options = args.slice(0, args.includes("--") ? args.indexOf("--") : args.length);
  if (options.includes("--help") || options.includes("-h")) return show(command.help);
  return command.run(args);
}

// With a terminal on both ends the UI opens; otherwise stdin may have a prompt.
async function plainPalaver(): Promise<number> {
  if (process.stdin.isTTY && process.stdout.isTTY) {
    return runUi([]);
  }
  const { promptFromStdin } = await import("./stdin-prompt.js");
  const text = await promptFromStdin();
  if (text === null) {
    throw new UsageError(
      "there is no terminal here and no prompt on stdin.\n" +
        '  Pipe one in:          echo "what is in this folder?" | palaver\n' +
        "  See what it can do:   palaver demo   or   palaver --help",
    );
  }
  const { streamFromBuiltInAgent } = await import("./commands/demo-command.js");
  return streamFromBuiltInAgent(text);
}

async function runUi(args: string[]): Promise<number> {
  const { command } = await import("./commands/run-command.js");
  return command.run(args);
}

function show(text: string): ExitCode {
  process.stdout.write(text);
  return exitCodes.done;
}

async function unknownCommand(name: string): Promise<string> {
  const { presets } = await import("../agents/presets.js");
  if (presets.some((agent) => agent.name === name))
    return `there is no command "${name}"; palaver run ${name} opens the agent`;
  const near = nearestName(
    name,
    commandTable.map((command) => command.name),
  );
  const hint = near === null ? "palaver --help lists the commands" : `did you mean "palaver ${near}"?`;
  return `there is no command "${name}"; ${hint}`;
}

// A normal exit ends agents and restores terminals.
function leaveOnSignals(): void {
  for (const [signal, number] of [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ] as const) {
    process.once(signal, () => {
      // On exit Node sets the terminal's modes, which stops a background process instead of ending it. The signal, now without
      // a listener, ends it at once.
      if (terminalPlace() === "background") process.once("exit", () => process.kill(process.pid, signal));
      process.exit(128 + number);
    });
  }
}

// `palaver … | head` closes our output early, which is no failure. A full disk or a closed terminal is one.
function leaveWithoutOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(exitCodes.done);
      if (stream === process.stdout) process.stderr.write(`palaver: the output cannot be written: ${error.message}\n`);
      process.exit(exitCodes.agentFailed);
    });
  }
}

/** The longest usage; with it and the longest summary a row is 80 columns wide at most. */
const USAGE_WIDTH = 24;

export function helpText(): string {
  const rows = commandTable.map(({ usage, summary }) =>
    usage.length < USAGE_WIDTH
      ? `  palaver ${usage.padEnd(USAGE_WIDTH)}${summary}`
      : `  palaver ${usage}\n          ${"".padEnd(USAGE_WIDTH)}${summary}`,
  );
  return `Palaver is one terminal UI for every coding agent, daemon and script.

  palaver                         open the terminal UI on the built-in agent
  palaver -c                      the same, and resume the last session here
${rows.join("\n")}

  palaver NAME --help     more about one command, with examples
  palaver --version       the version

Examples
  palaver run gemini
  echo "what is in this folder?" | palaver
  palaver ask confirm "Deploy?" && ./deploy

To write an agent: docs/protocol.md, or serveLines from "palaver/ui".
`;
}

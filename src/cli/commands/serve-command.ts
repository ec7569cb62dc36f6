// `palaver serve`: the daemon of a project, in the foreground. It says where it is, prints its log, and ends on ctrl+c, on a
// signal or on `palaver stop`, giving back what it holds each time.
import { AskBoard } from "../../daemon/asks/ask-board.js";
import { HeadlessTui } from "../../daemon/handlers/headless-tui.js";
import { DaemonError } from "../../daemon/project/project-claim.js";
import { type Daemon, serveDaemon } from "../../daemon/serve-daemon.js";
import { humanDuration } from "../../text/humanize.js";
import { createRedactor } from "../../text/redact.js";
import { secretName } from "../../text/secret-shapes.js";
import { readArguments, wholeNumber } from "../arguments.js";
import type { Command } from "../command.js";
import { type ExitCode, exitCodes } from "../exit-codes.js";
import { logWords } from "../log-words.js";
import { UsageError } from "../usage-error.js";

const help = `palaver serve [options]

The daemon of this project: others look at it and act on it from elsewhere, with palaver state, action and logs,
or over HTTP (/openapi.json describes it). It listens on loopback and every request needs the token, which lies in
a file that only you can read. One daemon runs per project; one of another version is replaced.

  --port N           the port (default: any free one)
  --project FOLDER   another project (default: the project of this folder)
  --replace          end a daemon that runs already, also one of the same version
  --host ADDRESS     another address to listen on; together with --allow-remote, because others can reach it then
  --allow-remote     let other machines reach it; the token is all that keeps them out, and it travels unencrypted
  --json             say where it is as one line of JSON, and print no log

ctrl+c ends it, and so does palaver stop.

Examples
  palaver serve
  palaver serve --port 4100 --json
`;

const options = {
  port: { type: "string", default: "0" },
  project: { type: "string", default: "." },
  host: { type: "string" },
  "allow-remote": { type: "boolean", default: false },
  replace: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

export const serveCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments("serve", args, options);
    if (positionals.length > 0) throw new UsageError(`serve takes no "${positionals[0]}"\n  palaver serve --help`);
    const tui = createTui();
    const daemon = await startDaemon(values, tui);
    say(daemon, values.json ? "json" : "words");
    if (!values.json) tui.logs.tap("from-now", (entry) => process.stdout.write(logWords(entry)));
    return endOf(daemon);
  },
};

type Values = ReturnType<typeof readArguments<typeof options>>["values"];

function createTui(): HeadlessTui {
  const tui = new HeadlessTui();
  const startedAtMs = performance.now();
  const content = () => `version ${PALAVER_VERSION}, up for ${humanDuration(performance.now() - startedAtMs)}`;
  const section = tui.newTabSection("DAEMON", "The daemon itself");
  tui.addHandler({ name: () => "daemon", label: () => "Daemon", content }, "", section);
  return tui;
}

async function startDaemon(values: Values, tui: HeadlessTui): Promise<Daemon> {
  const redactor = createRedactor(secretsIn(process.env));
  try {
    return await serveDaemon({
      tui,
      asks: new AskBoard(),
      version: PALAVER_VERSION,
      folder: values.project,
      port: wholeNumber("--port", values.port, 65_535),
      host: values.host,
      remote: values["allow-remote"] ? "allow" : "refuse",
      replace: values.replace ? "always" : "other-version",
      redact: redactor.text,
    });
  } catch (error) {
    if (error instanceof DaemonError && error.code === "address_refused") {
      throw new UsageError(`${error.message}: --allow-remote`);
    }
    throw error;
  }
}

function secretsIn(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value]) => (value && secretName.test(name) ? [value] : []));
}

function say({ url, project, tokenPath, logPath }: Daemon, form: "json" | "words"): void {
  if (form === "json") {
    const where = { url, project, pid: process.pid, token_file: tokenPath, log_file: logPath };
    process.stdout.write(`${JSON.stringify(where)}\n`);
    return;
  }
  process.stdout.write(
    `The daemon of ${project} is at ${url}\n` +
      `  token  ${tokenPath}\n` +
      `  log    ${logPath}\n` +
      "  ctrl+c ends it · palaver state · palaver logs -f\n",
  );
}

// The signals were somebody else's until now; here they end the daemon first. Whoever asks twice is in a hurry.
async function endOf(daemon: Daemon): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (code === exitCodes.interrupted) process.exit(code);
      if (signal === "SIGINT") code = exitCodes.interrupted;
      void daemon.stop();
    });
  }
  await daemon.ended;
  return code;
}

// `palaver conform`: runs an agent through the lines wire and says what it does right and wrong.
import { judgeAgent } from "../../conform/judge.js";
import { countVerdicts, reportJson, reportText } from "../../conform/verdicts.js";
import { readCommandLine, secondsOf } from "../arguments.js";
import type { Command } from "../command-table.js";
import { exitCodes, UsageError } from "../exit-codes.js";

const help = `palaver conform [options] -- <command…>

Starts an agent twice, runs it through the lines protocol (ready, ping, prompt,
streaming, questions of every kind answered, cancelled and ignored, abort, a
prompt in the middle of a turn, sessions, bad input, quit, end of input), checks
every frame against the schema, and reports each rule. The exit code is 0 if the
agent breaks no rule, otherwise 1.

  --json              the report as JSON
  --timeout SECONDS   how long to wait for ready and each answer (default 10)
  --prompt TEXT       a prompt that makes the agent answer
  --ask-prompt TEXT   a prompt that makes the agent ask one question of every
                      kind

Examples
  palaver conform -- python3 my-agent.py
  palaver conform --json --timeout 2 -- ./my-agent | jq .counts
`;

const options = {
  json: { type: "boolean", default: false },
  timeout: { type: "string", default: "10" },
  prompt: { type: "string", default: "Say hello in one short sentence." },
  "ask-prompt": {
    type: "string",
    default: "Ask me one question of every kind: select, confirm, input, editor, form, files and permission.",
  },
} as const;

export const command: Command = {
  help,
  async run(args) {
    const { values, positionals, line } = readCommandLine("conform", args, options);
    const [command, ...agentArgs] = line ?? positionals;
    if (command === undefined) throw new UsageError("conform needs an agent: palaver conform -- python3 my-agent.py");
    const progress = progressLine();
    const patienceMs = secondsOf("--timeout", values.timeout);
    const report = await judgeAgent(
      { command, args: agentArgs },
      {
        patienceMs,
        startMs: patienceMs,
        prompts: { plain: values.prompt, asking: values["ask-prompt"] },
        onChapter: progress.show,
      },
    );
    progress.clear();
    process.stdout.write(values.json ? reportJson(report) : reportText(report));
    return countVerdicts(report).failed === 0 ? exitCodes.done : exitCodes.agentFailed;
  },
};

function progressLine(): { show(chapter: string): void; clear(): void } {
  if (!process.stderr.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show: (chapter) => process.stderr.write(`\r\x1b[K${chapter} …`),
    clear: () => process.stderr.write("\r\x1b[K"),
  };
}

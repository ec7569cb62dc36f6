// `palaver stop`: ends the daemon of a project, politely first.

import { stopDaemon } from "../../server/project/running-daemon.js";
import { readFlags } from "../arguments.js";
import type { Command } from "../command-table.js";
import { noneRuns, presenceOf } from "../daemon-connection.js";
import { exitCodes } from "../exit-codes.js";
import { say } from "../printed.js";

const help = `palaver stop [options]

Ends the daemon of this project and waits until it is gone. Exit code 1 when
none runs.

  --project FOLDER   the daemon of another project (default: the project of this
                     folder)

Examples
  palaver stop
  palaver stop --project ~/src/parser
`;

export const command: Command = {
  help,
  async run(args) {
    const values = readFlags("stop", args, { project: { type: "string" } });
    const presence = await presenceOf(values);
    if (presence.kind !== "running") throw new Error(noneRuns(values));
    const { pid, project } = presence.record;
    if (!(await stopDaemon(presence))) throw new Error(`the daemon does not end; its process is ${pid}`);
    say(`The daemon of ${project} has ended`);
    return exitCodes.done;
  },
};

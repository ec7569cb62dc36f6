// Runs /demo: the tour's script as a model of its own, in a temporary folder with rules of its own. The conversation of the
// session does not hear of it, and nothing outside the folder is touched.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Turn, TurnResult, UI } from "../../sdk/exports.js";
import type { Clock } from "../../system/timers.js";
import { runPrompt } from "../loop/prompt-run.js";
import { openOfflineModel } from "../models/open-model.js";
import { demoFiles, demoScript, demoText, LONG_OUTPUT } from "../offline/demo-script.js";
import type { SessionPermissions } from "../permission/session-permissions.js";
import type { Tool } from "../tool.js";
import { Conversation } from "./conversation.js";
import { ContextGauge, SessionStats } from "./session-stats.js";

const ROUNDS_MAX = 100;
const DENIED_IN_TOUR = "the tour continues";

export type DemoParts = {
  readonly tools: readonly Tool[];
  readonly permissions: SessionPermissions;
  readonly clock: Clock;
};

export async function runDemo(turn: Turn, { tools, permissions, clock }: DemoParts): Promise<TurnResult> {
  if (!turn.ui.hasUI) {
    await turn.say(demoText);
    return {};
  }
  const place = await mkdtemp(join(tmpdir(), "palaver-demo-"));
  try {
    const folder = join(place, "project");
    for (const [path, text] of Object.entries(demoFiles)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const policy = await permissions.forFolder(folder, join(place, "state"));
    // The third approval would teach nothing new.
    await policy.remember(`bash(${LONG_OUTPUT})`);
    const options = {
      ...{ text: turn.text, system: "", tools, signal: turn.signal, turnsMax: ROUNDS_MAX },
      model: openOfflineModel(demoScript, clock),
      conversation: new Conversation(noFile, []),
      gauge: new ContextGauge(),
      stats: new SessionStats(),
    };
    await runPrompt(options, { ...turn, ui: asking(turn.ui), clock, folder, policy, chance: Math.random });
    return {};
  } finally {
    turn.ui.setWidget("plan", null);
    await rm(place, { recursive: true, force: true });
  }
}

// A "no" without a reason would end the turn.
function asking(ui: UI): UI {
  return {
    ...ui,
    async permission(request, options) {
      const answer = await ui.permission(request, options);
      return answer.ok || answer.reason !== "" ? answer : { ...answer, reason: DENIED_IN_TOUR };
    },
  };
}

const noFile = { append: async () => undefined, sync: async () => undefined };

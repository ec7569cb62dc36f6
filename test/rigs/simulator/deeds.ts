// What each action does in a world. Whatever the agent does asks for a frame soon, as in the product; what the user does
// is drawn at once.

import type { Action } from "./action.js";
import { Fault } from "./fault.js";
import type { World } from "./world.js";

type ActionOf<Name extends Action["do"]> = Extract<Action, { do: Name }>;
type Deeds = { readonly [Name in Action["do"]]: (world: World, action: ActionOf<Name>) => void };

const AGENT_DEEDS: Pick<Deeds, "say" | "finish" | "burst" | "run" | "stop" | "notice" | "status" | "widget" | "clear"> =
  {
    say: ({ program }, { as, text }) => program.conversation.say(as, text, program.textCells),
    finish: ({ program }) => program.conversation.finish(program.textCells),
    burst: ({ program }, { text }) => program.conversation.burst(text, program.textCells),
    run: ({ program }, { text }) => program.conversation.run(text, program.textCells),
    stop: ({ program }) => program.conversation.stop(),
    notice: ({ program }, { text }) => program.settle([text]),
    status: ({ program }, { text }) => {
      program.status = text;
    },
    widget: ({ program }, { rows }) => {
      program.widget = rows;
    },
    clear: ({ program }) => program.screen.clear(),
  };

const OTHER_DEEDS: Omit<Deeds, keyof typeof AGENT_DEEDS> = {
  keys: ({ program }, { keys }) => {
    for (const key of keys) program.key(key);
  },
  paste: ({ program }, { text }) => program.key(`\x1b[200~${text}\x1b[201~`),
  ask: ({ program }, { options }) => program.dialogs.ask(options),
  withdraw: ({ program }, { which }) => program.dialogs.withdraw(which),
  resize: (world, { columns, rows, news }) => {
    world.resizeWindow({ columns, rows });
    if (news === "at once") world.tellSize();
  },
  news: (world) => world.tellSize(),
  identify: (world, { profile }) => world.identify(profile),
  suspend: (world, { shell, prompt }) => world.suspend(shell, prompt),
  resume: (world) => world.resume(),
  "open viewer": (world) => world.openViewer(),
  "scroll viewer": ({ program }) => program.scrollViewer(),
  "close viewer": (world) => world.closeViewer(),
  pace: ({ pipe }, { pace }) => {
    pipe.pace = pace;
  },
  read: (world, { units }) => {
    world.read(units);
    world.tellRoom();
  },
  frame: (world, { urgency }) => {
    world.program.screen.requestFrame(urgency);
    if (world.pipe.pace === "fast") checkIdle(world);
  },
  wait: ({ clock }, { ms }) => clock.advance(ms),
};

const DEEDS: Deeds = { ...AGENT_DEEDS, ...OTHER_DEEDS };

export function perform<Name extends Action["do"]>(world: World, action: ActionOf<Name>): void {
  const name: Name = action.do;
  DEEDS[name](world, action);
  if (name in AGENT_DEEDS) world.program.screen.requestFrame("soon");
}

// The first frame may have something to draw; whoever asks again without a change gets nothing.
function checkIdle(world: World): void {
  const { screen } = world.program;
  screen.requestFrame("now");
  world.settleDown();
  const before = world.writes;
  screen.requestFrame("now");
  screen.requestFrame("soon");
  if (world.writes !== before) throw new Fault("idle", "a frame was written although nothing had changed");
}

// Who can be asked from this process: the person at its terminal, or through the daemon of the project.
import type { Ask } from "../../contract/asks.js";
import { glyphsFor } from "../../terminal/painter/blocks/glyphs.js";
import { createStyle } from "../../terminal/painter/style/style.js";
import { colourDepthOf, themeFor } from "../../terminal/painter/style/theme-choice.js";
import { createRedactor, secretsIn } from "../../text/redact.js";
import type { WaitingRoom } from "../../views/mini/ask-decider.js";
import type { OpenAskView } from "../../views/mini/ask-view.js";
import type { LoadedConfig } from "../config/load-config.js";
import { processClock } from "../process-clock.js";

/** Null when no one can be asked here, or no one shall be. */
export async function askViewHere(
  { settings, environment }: LoadedConfig,
  input: "asked" | "off",
  author?: "user",
): Promise<OpenAskView | null> {
  if (input === "off") return null;
  const { findAskView } = await import("../../views/mini/find-ask-view.js");
  const theme = themeFor(settings.theme, { colorfgbg: environment["COLORFGBG"] });
  return findAskView({
    clock: processClock,
    author,
    environment,
    typingGuardMs: settings.typing_guard_ms,
    look: {
      style: createStyle({ theme, depth: colourDepthOf(environment, settings.colour) }),
      glyphs: glyphsFor(environment),
    },
  });
}

const NO_DAEMON = "no daemon runs for this project; palaver serve starts one";

/** Leaves questions at the daemon of this project; warns early when none runs. */
export async function waitingRoomHere(onWarning: (words: string) => void): Promise<WaitingRoom> {
  const [{ RemoteAsk }, { addressOf }] = await Promise.all([
    import("./remote-ask.js"),
    import("../daemon-connection.js"),
  ]);
  const find = () => addressOf({});
  const redactor = createRedactor(secretsIn(process.env));
  if ((await find().catch(() => null)) === null) onWarning(`--on-ask wait: ${NO_DAEMON}`);
  return new RemoteAsk({
    clock: processClock,
    find,
    shown: (ask) => redactor.value(ask) as Ask,
    noDaemon: NO_DAEMON,
  });
}

// A setting that is changed in a session whose settings file cannot be written.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../server/temporary-folder.js";
import { PtySession } from "../pty-session.js";
import { palaver } from "../run-program.js";

test("a setting that cannot be saved applies to the session, and that is said at its end", async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "file"), "");
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "file") };
  const session = new PtySession(process.execPath, [palaver], {
    ...{ columns: 100, rows: 30, cwd: home },
    env: { ...env, PALAVER_MODEL: "offline" },
  });
  await session.shows("›");
  session.type("/theme moss\r");
  await session.shows("theme is moss");
  session.type("/quit\r");
  await session.shows("palaver: theme applies to this session only: ");
  expect(await session.ended).toBe(0);
});

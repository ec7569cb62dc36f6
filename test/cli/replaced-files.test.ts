// An update replaced Palaver's own files while it ran: what is loaded on demand is not there any more.
import { afterEach, expect, test, vi } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.js";
import { loadConfig } from "../../src/cli/config/load-config.js";
import { LiveSettings } from "../../src/cli/live-settings.js";

afterEach(() => {
  vi.doUnmock("../../src/cli/config/persist-setting.js");
  vi.doUnmock("../../src/cli/printed.js");
  vi.restoreAllMocks();
});

const isGone = () => {
  throw new Error("Cannot find module");
};

test("a changed setting applies, and is reported as not saved", async () => {
  vi.doMock("../../src/cli/config/persist-setting.js", isGone);
  const environment = { XDG_CONFIG_HOME: "/nowhere" };
  const live = new LiveSettings(loadConfig({ environment, folder: "/" }).settings, environment);
  expect(live.change("theme", "moss")).toBeNull();
  await live.saved;
  expect(live.settings.theme).toBe("moss");
  expect(live.unsaved).toEqual([expect.stringMatching(/^theme applies to this session only: /)]);
});

test("an error is told in its own words, without control characters", async () => {
  vi.doMock("../../src/cli/printed.js", isGone);
  vi.spyOn(process, "once").mockReturnValue(process);
  vi.spyOn(process.stdout, "on").mockReturnValue(process.stdout);
  vi.spyOn(process.stderr, "on").mockReturnValue(process.stderr);
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await runCommandLine(["promt\x1b[31m"])).toBe(2);
  expect(write.mock.calls.map(([text]) => text).join("")).toMatch(/^palaver: there is no command "promt\[31m".*\n$/s);
});

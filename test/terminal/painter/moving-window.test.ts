// A window whose edge is being dragged. The size we know is old by the time a frame arrives, so nothing scrolls until it rests.
import { describe, expect, test } from "vitest";
import { profileFor } from "../../../src/terminal/painter/profile.js";
import { faultsOf, GENERIC, LIVE, NO_FAULTS, Rig } from "./rig.js";

const TAIL = [`${LIVE} a line that grows,`, `  ${LIVE} and its second row`];
const COMPOSER = [`${LIVE} › hello`, `${LIVE} status`];
const DIALOG = [`${LIVE} run rm -rf build?`, `${LIVE} yes`, `${LIVE} no`];

function started(live = COMPOSER): Rig {
  const rig = new Rig({ columns: 40, rows: 10, profile: GENERIC });
  rig.screen.setLive(live, { row: 0, column: 5 });
  rig.screen.settle(["before"]);
  rig.screen.flush();
  return rig;
}

async function shown(rig: Rig): Promise<string[]> {
  await rig.settleDown();
  return rig.emulator
    .allRows()
    .map((row) => row.trimEnd())
    .filter((row) => row !== "");
}

describe("while the window moves", () => {
  test("lines wait for it to rest", async () => {
    const rig = started();
    await rig.resize(39, 10);
    rig.screen.settle(["meanwhile"]);
    rig.clock.advance(299);
    await rig.resize(38, 10);
    rig.clock.advance(299);
    expect(await shown(rig)).toEqual(["before", ...COMPOSER]);
    rig.clock.advance(1);
    expect(await shown(rig)).toEqual(["before", "meanwhile", ...COMPOSER]);
  });

  test("but not for ever: they come every second, above a live area without its tail", async () => {
    const rig = started();
    rig.screen.setLive([...TAIL, ...COMPOSER], null, { transcriptRows: 2 });
    rig.screen.flush();
    for (let i = 0; i < 4; i++) {
      await rig.resize(39 - (i % 2), 10);
      rig.screen.settle([`meanwhile ${i}`]);
      rig.clock.advance(200);
    }
    expect(await shown(rig)).toEqual(["before", ...TAIL, ...COMPOSER]);
    await rig.resize(39, 10);
    rig.clock.advance(200);
    const lines = Array.from({ length: 4 }, (_, i) => `meanwhile ${i}`);
    expect(await shown(rig)).toEqual(["before", ...lines, ...COMPOSER]);
    rig.rest();
    expect(await shown(rig)).toEqual(["before", ...lines, ...TAIL, ...COMPOSER]);
  });

  test("the live area keeps its height until the next news", async () => {
    const rig = started();
    await rig.resize(39, 10);
    rig.screen.setLive([...TAIL, ...COMPOSER], null, { transcriptRows: 2 });
    rig.screen.requestFrame("now");
    expect(await shown(rig)).toEqual(["before", ...COMPOSER]);
    rig.screen.setLive([...DIALOG, ...COMPOSER], null);
    rig.screen.requestFrame("now");
    expect(await shown(rig)).toEqual(["before", ...COMPOSER]);
    await rig.resize(38, 10);
    expect(await shown(rig)).toEqual(["before", ...DIALOG, ...COMPOSER]);
  });

  test.each([
    ["a line that settles", (rig: Rig) => rig.screen.settle(["meanwhile"])],
    ["a tail that grows", (rig: Rig) => rig.screen.setLive([...TAIL, ...DIALOG], null, { transcriptRows: 2 })],
    ["a dialog that opens", (rig: Rig) => rig.screen.setLive([...DIALOG, ...COMPOSER], null)],
  ])("%s leaves no gap in a window that is lower by now", async (_, happens) => {
    const rig = started([...COMPOSER, ...COMPOSER]);
    await rig.resize(40, 9);
    happens(rig);
    await rig.resizeWindow(40, 3);
    rig.screen.requestFrame("now");
    rig.screen.resize({ columns: 40, rows: 3 });
    rig.screen.settle(["afterwards"]);
    rig.screen.close();
    await rig.settleDown();
    expect(faultsOf(rig.emulator, ["before", "afterwards"], 0)).toEqual(NO_FAULTS);
  });

  test("no one can confirm what may not be seen whole", async () => {
    const rig = started();
    await rig.resize(39, 10);
    rig.screen.confirm("requested");
    rig.screen.setLive([...DIALOG, ...COMPOSER], null);
    rig.screen.requestFrame("now");
    expect(rig.screen.activateConfirm()).toBe("not yet");
    rig.rest();
    expect(rig.screen.activateConfirm()).toBe("active");
    expect(await shown(rig)).toEqual(["before", ...DIALOG, ...COMPOSER]);
  });

  test("the cursor waits at the top, where every reflow leaves it", async () => {
    const rig = started();
    const composer = { row: 1, column: 5 };
    rig.screen.setLive([`${LIVE} short`, ...COMPOSER], composer);
    await rig.resize(39, 10);
    await rig.settleDown();
    expect(rig.emulator.cursor()).toMatchObject({ column: 0 });
    rig.rest();
    await rig.settleDown();
    expect(rig.emulator.cursor()).toMatchObject({ column: 5 });
  });

  test("GNU screen, which loses a line that way, gets its lines at once", async () => {
    const rig = started();
    rig.screen.setProfile(profileFor({ secondaryAttributes: "83;40900;0" }, {}));
    await rig.resize(39, 10);
    rig.screen.settle(["meanwhile"]);
    rig.screen.requestFrame("now");
    expect(await shown(rig)).toEqual(["before", "meanwhile", ...COMPOSER]);
  });

  test("xterm, which cuts what it shows, gets lines until nothing of the shell's is in its window, and then they wait", async () => {
    const rig = started();
    rig.screen.setProfile(profileFor({ version: "XTerm(379)" }, {}));
    rig.screen.setLive([...TAIL, ...COMPOSER], null, { transcriptRows: 2 });
    await rig.resize(39, 10);
    rig.screen.settle(["at once"]);
    rig.screen.requestFrame("now");
    expect(await shown(rig)).toEqual(["before", "at once", ...COMPOSER]);
    rig.screen.settle(Array.from({ length: 98 }, (_, i) => `line ${i}`));
    await rig.resize(38, 10);
    rig.screen.settle(["in the end"]);
    await rig.resize(39, 10);
    expect(await shown(rig)).not.toContain("in the end");
    rig.rest();
    expect((await shown(rig)).slice(-6)).toEqual(["line 97", "in the end", ...TAIL, ...COMPOSER].slice(-6));
  });

  test("who leaves leaves nothing behind that was waiting", async () => {
    const rig = started();
    await rig.resize(39, 10);
    rig.screen.settle(["the last words"]);
    rig.screen.close();
    expect(await shown(rig)).toEqual(["before", "the last words"]);
    rig.clock.advance(5_000);
    expect(await shown(rig)).toEqual(["before", "the last words"]);
  });

  test("a frame measures the window first, and fits a window whose news has not come yet", async () => {
    const looks: Array<() => void> = [];
    const rig = new Rig({ columns: 40, rows: 20, profile: GENERIC, measure: () => looks.pop()?.() });
    rig.screen.setLive([...DIALOG, ...COMPOSER], null);
    rig.screen.settle(Array.from({ length: 20 }, (_, i) => `line ${i}`));
    rig.screen.flush();
    await rig.resizeWindow(40, 3);
    rig.screen.settle(["meanwhile"]);
    looks.push(() => rig.screen.resize({ columns: 40, rows: 3 }));
    rig.screen.flush();
    expect(await shown(rig)).not.toContain("meanwhile");
    expect(rig.screen.liveRows).toBe(2);
    rig.rest();
    expect(await shown(rig)).toEqual([...Array.from({ length: 20 }, (_, i) => `line ${i}`), "meanwhile", ...COMPOSER]);
    const rows = rig.emulator.allRows();
    expect(rows.findIndex((row) => row.trim() === "")).toBe(-1);
  });
});

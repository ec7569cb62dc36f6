// The view of a dev daemon in a real Chromium: its handlers are shown, run and changed, and its log follows.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile, standIn, startDaemon, temporaryPlace } from "../daemon/daemon-process.js";
import { projectRoot } from "../run-program.js";
import { browserPath, type Device, PageStage } from "./page-rig.js";

describe.skipIf(browserPath() === null)("the daemon on the page (needs Chromium)", () => {
  let stage: PageStage;
  let phone: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    const place = temporaryPlace();
    const wishes = JSON.stringify({ folder: place, pageFolder: join(projectRoot, "dist", "page") });
    const env = { XDG_STATE_HOME: join(place, "state"), PALAVER_STAND_IN: wishes };
    const daemon = await startDaemon(await compile(standIn), { cwd: place, env });
    phone = await stage.device("phone", { width: 360, height: 740 }, daemon);
    await phone.page.getByRole("link", { name: "daemon" }).click();
  });

  afterAll(async () => {
    await stage?.stop();
  });

  const handler = (name: string) => phone.page.locator(".handlers li", { hasText: name });
  const logged = (text: string) => phone.page.getByRole("log").getByText(text);

  test("an action runs once, its line is in the log, and the state is read again", async () => {
    await phone.page.getByRole("button", { name: "Runs so far" }).click();
    await logged("run 1").waitFor();
    await handler("Runs 1").waitFor();
    expect(await logged("run 1").count()).toBe(1);
    expect(await logged("run 2").count()).toBe(0);
  });

  test("a value is changed and stays so after a reload", async () => {
    await phone.page.getByLabel("Mode").fill("production");
    await handler("Mode").getByRole("button", { name: "set" }).click();
    await phone.page.getByRole("status").getByText("Mode").waitFor();
    await phone.page.reload();
    await expect.poll(() => phone.page.getByLabel("Mode").inputValue()).toBe("production");
  });

  test("an action that fails says why in the log", async () => {
    await phone.page.getByRole("button", { name: "Fails" }).click();
    await logged("this one always fails").waitFor();
  });

  test("a flood of lines keeps the newest and a bounded number of them", async () => {
    await phone.page.getByLabel("Lines").fill("5000");
    await handler("Lines").getByRole("button", { name: "set" }).click();
    await logged("line 4999 of 5000").waitFor();
    expect(await phone.page.getByRole("log").locator("p").count()).toBeLessThanOrEqual(1_000);
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(phone.faults).toEqual([]);
  });
});

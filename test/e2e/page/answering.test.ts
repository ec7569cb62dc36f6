// Questions of every kind are answered in a real Chromium, and the agent gets what was chosen.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AskedParams, browserPath, type Device, PageStage } from "./page-rig.js";

describe.skipIf(browserPath() === null)("questions on the page (needs Chromium)", () => {
  let stage: PageStage;
  let phone: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    phone = await stage.device("phone");
  });

  afterAll(async () => {
    await stage?.stop();
  });

  test("the pairing code leaves the address before it is used", async () => {
    expect(phone.page.url()).toBe(`${stage.origin}/`);
    const visitor = await stage.visitor();
    await visitor.page.goto(`${stage.origin}/#pair=abcdef`);
    await expect.poll(() => visitor.page.getByLabel("code").inputValue()).toBe("abcdef");
    expect(visitor.page.url()).toBe(`${stage.origin}/`);
    await visitor.page.getByRole("button", { name: "pair this device" }).click();
    await visitor.page.getByText("this code is wrong, used or older than two minutes").waitFor();
    const { url } = JSON.parse((await stage.request("POST", "/pair/codes")).body) as { url: string };
    await visitor.page.getByLabel("code").fill(` ${url} `);
    await visitor.page.getByRole("button", { name: "pair this device" }).click();
    await visitor.page.locator(".home .row").first().waitFor();
    await visitor.context.close();
  });

  test("a screen reader is told of each new question, and goes on at the one that is opened", async () => {
    const { page } = phone;
    const announced = page.locator("[aria-live=polite]");
    await stage.asks(page, "confirm", { title: "First?" });
    expect(await announced.textContent()).toBe("Question 1: First?");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("question-title");
    await phone.answer("no");
    await phone.delivered();
    expect(await announced.textContent()).toBe("Question 1: First?");
    await stage.heard(page, "got false");
  });

  const options = ["npm", "pnpm", "yarn"].map((name) => ({ label: name, value: name }));
  const field = (name: string, kind: string) => ({ name, label: name, kind });

  test.each<[string, string, AskedParams, (device: Device) => Promise<void>, unknown]>([
    ["a choice", "select", { title: "Which?", options }, (device) => device.answers.getByText("pnpm").click(), "pnpm"],
    [
      "several choices",
      "select",
      { title: "Which ones?", options, opts: { multiple: true, default: ["npm"] } },
      (device) => device.answers.getByText("yarn").click(),
      ["npm", "yarn"],
    ],
    ["a line", "input", { title: "Name?" }, (device) => device.answers.getByLabel("Name?").fill("Ada"), "Ada"],
    [
      "a text",
      "editor",
      { title: "Story?", prefill: "Once" },
      (device) => device.answers.getByLabel("Story?").fill("Once\nupon"),
      "Once\nupon",
    ],
    [
      "a form",
      "form",
      { title: "Release", fields: [field("version", "text"), field("copies", "number"), field("loud", "confirm")] },
      async ({ answers }) => {
        await answers.getByLabel("version").fill("1.2.3");
        await answers.getByLabel("copies").fill("2");
        await answers.getByText("loud").click();
      },
      { version: "1.2.3", copies: 2, loud: true },
    ],
    [
      "files",
      "files",
      { title: "Which file?" },
      async ({ answers }) => {
        await answers.getByLabel("find files").fill("notes.txt");
        await answers.locator(".choice").first().click();
      },
      ["notes.txt"],
    ],
  ])("%s is chosen, sent and delivered", async (_, method, params, fill, value) => {
    await stage.asks(phone.page, method, params);
    await fill(phone);
    await phone.answer("send");
    await phone.delivered();
    await stage.heard(phone.page, `got ${JSON.stringify(value)}`);
  });

  test("what was filled in outlives a look at the session and a reload, but for secrets; what is wrong is named and gets the focus", async () => {
    const { page, answers } = phone;
    const fields = [{ ...field("version", "text"), required: true }, field("key", "secret")];
    await stage.asks(page, "form", { title: "Release again", fields });
    await phone.answer("send");
    await answers.getByRole("alert").waitFor();
    const hasFocus = () => answers.getByLabel("version").evaluate((input) => input === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await answers.getByLabel("version").fill("2.0.0");
    await answers.getByLabel("key").fill("hunter2-hunter2");
    await page.getByRole("link", { name: "open session" }).click();
    await page.goBack();
    await expect.poll(() => answers.getByLabel("version").inputValue()).toBe("2.0.0");
    await page.reload();
    await expect.poll(() => answers.getByLabel("version").inputValue()).toBe("2.0.0");
    expect(await answers.getByLabel("key").inputValue()).toBe("");
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("hunter2");
    await phone.answer("send");
    await phone.delivered();
    await stage.heard(page, 'got {"version":"2.0.0"}');
  });

  test("a question says that the connection is gone", async () => {
    const { page } = phone;
    await stage.asks(page, "confirm", { title: "Still connected?" });
    await phone.context.setOffline(true);
    await page.locator(".question .stream-notice").waitFor();
    await phone.context.setOffline(false);
    await page.locator(".question .stream-notice").waitFor({ state: "detached" });
    await phone.answer(/^no/);
    await phone.delivered();
  });

  test("a secret is masked, reaches the agent, and is in no transcript", async () => {
    await stage.asks(phone.page, "input", { title: "Key?", opts: { secret: true } });
    const line = phone.answers.getByLabel("Key?");
    expect(await line.getAttribute("type")).toBe("password");
    await line.fill("hunter2-and-more");
    await phone.answer("send");
    await phone.delivered();
    await stage.prompt("say after the secret");
    await stage.heard(phone.page, "after the secret");
    expect(await phone.page.content()).not.toContain("hunter2");
  });

  test("a confirmation is answered with yes", async () => {
    await stage.asks(phone.page, "confirm", { title: "Sure?" });
    await phone.answer(/^yes/);
    await expect
      .poll(() => phone.page.locator(".answer-state").textContent())
      .toContain("yes · delivered to the agent");
    await stage.heard(phone.page, "got true");
  });

  const danger = { title: "run rm -rf build", opts: { tool: "bash", command: "rm -rf build", allow_reason: true } };

  test("something dangerous is allowed in two taps that lie in two places", async () => {
    const { page } = phone;
    await stage.asks(page, "confirm", danger);
    expect(await page.locator(".danger-words").first().textContent()).toContain("▲");
    const once = page.locator(".answer.yes").last();
    const first = await once.boundingBox();
    await phone.answer(/^allow once/);
    const sure = page.getByRole("button", { name: /^yes, allow once/ });
    await sure.waitFor();
    const second = await sure.boundingBox();
    expect(Math.abs((first?.y ?? 0) - (second?.y ?? 0))).toBeGreaterThan(40);
    await phone.answer(/^yes, allow once/);
    await phone.delivered();
  });

  test("a refusal carries its reason to the agent", async () => {
    const { page } = phone;
    await stage.asks(page, "confirm", danger);
    await phone.answer(/reason/);
    await page.locator("[data-answers] textarea").fill("use trash");
    await page.locator("[data-answers] .no").click();
    await phone.delivered();
    await stage.heard(page, "use trash");
  });

  test("a tap that comes with the question counts for nothing", async () => {
    const { page } = phone;
    await stage.asks(page, "confirm", { title: "Early?" });
    const box = await page.locator(".answer.yes").boundingBox();
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    expect(await page.locator(".answer-state").textContent()).toBe("");
    await phone.answer(/^no/);
    await phone.delivered();
    await stage.heard(page, "got false");
  });

  test("the session behind a question is whole when it is opened from there", async () => {
    await stage.prompt("turns 40");
    await stage.asks(phone.page, "confirm", { title: "Look first?" });
    await phone.page.getByRole("link", { name: "open session" }).click();
    const box = phone.page.locator(".transcript");
    await box.getByText("Line one of block 40.").waitFor();
    await expect.poll(() => box.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(1_500);
    await phone.page.getByRole("link", { name: "Look first?" }).click();
    await phone.answer("no");
    await phone.delivered();
  });

  test("on a wide screen, too, no part of a change lies beyond the edge", async () => {
    const { page } = phone;
    await page.setViewportSize({ width: 1440, height: 900 });
    const diff = `--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-ok();\n+ok();${" ".repeat(400)}steal();\n`;
    await stage.asks(page, "confirm", { title: "edit x.js", opts: { tool: "edit", path: "x.js", diff } });
    const shown = page.locator(".question .diff");
    await shown.getByText("steal();").waitFor();
    expect(await shown.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await phone.answer(/^no/);
    await phone.delivered();
    await page.setViewportSize({ width: 360, height: 740 });
  });

  test("an answer key counts when it stands alone", async () => {
    const { page } = phone;
    await stage.asks(page, "confirm", { title: "Key?" });
    // On a busy machine the page may stall, which counts as typing: then the key is pressed again.
    const pressed = async () => {
      if ((await page.locator(".guard-words").allTextContents()).includes("")) await page.keyboard.press("y");
      return page.locator(".answer-state").textContent();
    };
    await expect.poll(pressed, { timeout: 12_000, interval: 1_200 }).toContain("delivered to the agent");
  });

  test("Enter alone does not send what the agent filled in", async () => {
    const { page } = phone;
    await stage.asks(page, "input", { title: "Target?", opts: { default: "production" } });
    const line = phone.answers.getByLabel("Target?");
    await line.press("Enter");
    await line.fill("staging");
    await line.press("Enter");
    await phone.delivered();
    await stage.heard(page, 'got "staging"');
  });

  test("a question that went out of sight takes no key", async () => {
    const { page } = phone;
    const words = page.locator(".guard-words");
    await stage.asks(page, "confirm", { title: "Out of sight?" });
    await words.getByText(/^$/).waitFor({ state: "attached" });
    await page.getByText("open session").click();
    await words.getByText("read to the end to answer").waitFor({ state: "attached" });
    await page.goBack();
    await phone.answer(/^no/);
    await phone.delivered();
  });

  test("beside a session, typing there lets the answers wait, and no line of a diff ends beyond the edge", async () => {
    const desk = await stage.device("desk", { width: 1400, height: 800 });
    const { page } = desk;
    const diff = `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b;${" ".repeat(300)}evil()\n`;
    await stage.asks(page, "confirm", { title: "Wide?", opts: { tool: "edit", diff } });
    const widths = await page.locator(".approval .diff").evaluate((node) => [node.scrollWidth, node.clientWidth]);
    expect(widths[0]).toBe(widths[1]);
    await page.locator(".guard-words").getByText(/^$/).waitFor({ state: "attached" });
    await page.locator(".composer textarea").press("x");
    await page.locator(".guard-words").getByText("one moment…").waitFor();
    await page.locator(".guard-words").getByText(/^$/).waitFor({ state: "attached" });
    // The click that brings the window to the front lies on an answer.
    await page.locator(".answer.yes").evaluate((button) => {
      dispatchEvent(new Event("focus"));
      (button as HTMLElement).click();
    });
    await desk.answer(/^no/);
    await desk.delivered();
    await stage.heard(page, "got false");
    await desk.context.close();
  });

  test("a question that another device answers says so, by its name", async () => {
    const tablet = await stage.device("tablet");
    await stage.asks(phone.page, "confirm", { title: "Who?" });
    await tablet.page.locator(".row.ask").click();
    await tablet.answer(/^yes/);
    await tablet.delivered();
    await phone.delivered("answered by tablet, delivered to the agent");
    expect(await phone.page.locator("[data-answers]").count()).toBe(0);
    await tablet.context.close();
  });

  test("a question that the agent takes back says why", async () => {
    await stage.asks(phone.page, "confirm", { title: "Still?" });
    await phone.page.goto(`${stage.origin}/#session=${stage.sessionId}`);
    await phone.page.getByRole("button", { name: "stop" }).click();
    await phone.page.goBack();
    await phone.delivered("withdrawn: ");
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(phone.faults).toEqual([]);
  });
});

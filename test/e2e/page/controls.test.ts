// What stands around a session in a real Chromium: mode and model, the agent's own commands, pictures by drop, copies, and the click
// on a notification.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath, type Device, PageStage } from "./page-rig.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(browserPath() === null)("the controls of a session on the page (needs Chromium)", () => {
  let stage: PageStage;
  let laptop: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    laptop = await stage.device("laptop", { width: 1440, height: 900 });
    const permissions = ["clipboard-read", "clipboard-write", "notifications"];
    await laptop.context.grantPermissions(permissions, { origin: stage.origin });
    await laptop.page.goto(`${stage.origin}/#session=${stage.sessionId}`);
  });

  afterAll(async () => {
    await stage?.stop();
  });

  const said = (text: string) => laptop.page.locator(".transcript").getByText(text, { exact: true });
  const message = () => laptop.page.getByLabel("message");
  const copied = () => laptop.page.evaluate(() => navigator.clipboard.readText());

  test("the mode is chosen at the agent, and one that never asks is red", async () => {
    const mode = laptop.page.getByLabel("Mode", { exact: true });
    await expect.poll(() => mode.locator("option").allTextContents()).toEqual(["ask", "read only", "yolo"]);
    await mode.selectOption("read only");
    await said("mode is read only").waitFor();
    expect(await mode.inputValue()).toBe("read only");
    expect(await mode.getAttribute("class")).not.toContain("danger");
    await mode.selectOption("yolo");
    await said("mode is yolo").waitFor();
    await expect.poll(() => mode.getAttribute("class")).toContain("danger");
  });

  test("the models of an agent that names only its own are listed and chosen", async () => {
    const { page } = laptop;
    await page.getByRole("button", { name: "model" }).click();
    const list = page.getByRole("list", { name: "Models" });
    await list.getByRole("button", { name: "stand-in:large" }).click();
    await said("model is stand-in:large").waitFor();
    await list.waitFor({ state: "detached" });
    await expect.poll(() => page.getByRole("button", { name: "model" }).textContent()).toContain("stand-in:large");
  });

  test("after a slash the agent's own commands are offered, and the chosen one is sent as it is", async () => {
    const { page } = laptop;
    const offered = page.getByRole("list", { name: "Completions" }).getByRole("button");
    await message().fill("/re");
    await expect
      .poll(() => offered.allTextContents())
      .toEqual(["/review [branch] read the changes", "/release publish a version"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => message().inputValue()).toBe("/release ");
    await message().fill("/review main");
    await page.keyboard.press("Enter");
    await said("heard /review main").waitFor();
  });

  test("commands of Palaver's own are obeyed, or refused with words; none is sent as a prompt", async () => {
    const { page } = laptop;
    const typed = async (text: string) => {
      await message().fill(text);
      await page.keyboard.press("Escape");
      await message().press("Enter");
    };
    await typed("/model");
    await page.locator(".composer .problem").getByText("choose the model below").waitFor();
    await typed("/model stand-in:small");
    await said("model is stand-in:small").waitFor();
    await typed("/theme");
    await page.locator(".composer .problem").getByText("/theme is a command of the terminal").waitFor();
    await typed("/nonsense");
    await page.locator(".composer .problem").getByText("there is no command /nonsense").waitFor();
    expect(await page.locator(".prompt", { hasText: /^\/(?:model|theme|nonsense)/ }).count()).toBe(0);
  });

  test("a message that was not typed here is sent as a prompt, also where it looks like a command", async () => {
    const { page } = laptop;
    const before = await page.getByLabel("Mode", { exact: true }).inputValue();
    // From another view, where it may have been the agent's suggestion.
    await stage.prompt("/mode ask");
    await said("heard /mode ask").waitFor();
    expect(before).not.toBe("ask");
    await message().press("ArrowUp");
    expect(await message().inputValue()).toBe("/mode ask");
    await page.keyboard.press("Escape");
    await message().press("Enter");
    await expect.poll(() => said("heard /mode ask").count()).toBe(2);
    expect(await page.getByLabel("Mode", { exact: true }).inputValue()).toBe(before);
  });

  test("a file is named after an @", async () => {
    const { page } = laptop;
    await message().fill("say see @not");
    await page.getByRole("list", { name: "Completions" }).getByRole("button", { name: "notes.txt" }).click();
    await page.keyboard.press("Enter");
    await said("see @notes.txt").waitFor();
  });

  const drop = (name: string, type: string) =>
    laptop.page.locator(".composer").evaluate(
      (form, [fileName, mimeType, base64]) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], fileName, { type: mimeType }));
        const over = new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true });
        // A browser drops only where the drag over it was taken.
        if (!form.dispatchEvent(over))
          form.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      },
      [name, type, PNG] as const,
    );

  test("a dropped picture goes with the message, and what is no picture is refused with words", async () => {
    const { page } = laptop;
    await drop("table.csv", "text/csv");
    await page.getByText("only PNG, JPEG, GIF and WebP pictures").waitFor();
    await drop("dot.png", "image/png");
    await page.locator(".attachments img").waitFor();
    await message().fill("say with a picture");
    await page.keyboard.press("Enter");
    await said("got 1 pictures, image/png").waitFor();
  });

  test("a picture that was attached by mistake is removed", async () => {
    const { page } = laptop;
    await drop("dot.png", "image/png");
    await page.getByRole("button", { name: "remove dot.png" }).click();
    await page.locator(".attachments").waitFor({ state: "detached" });
  });

  test("code, the last reply and a shared link are copied", async () => {
    const { page } = laptop;
    await stage.prompt("say Here:\n\n```js\nconst one = 1;\n```\n\nthat is all");
    await said("that is all").waitFor();
    await page.locator(".code").getByRole("button", { name: "copy" }).click();
    await expect.poll(copied).toBe("const one = 1;");
    await page.getByRole("button", { name: "more" }).click();
    await page.getByRole("button", { name: "copy the last reply" }).click();
    await expect.poll(copied).toBe("Here:\n\n```js\nconst one = 1;\n```\n\nthat is all");
    await page.getByRole("button", { name: "share a read-only link" }).click();
    await page.getByRole("button", { name: "copy the link" }).click();
    await expect.poll(copied).toContain(`${stage.origin}/#share=`);
    await page.getByRole("button", { name: "more" }).click();
  });

  test("a queued message is removed", async () => {
    const { page } = laptop;
    await message().fill("wait");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "stop" }).waitFor();
    await message().fill("say never");
    await page.keyboard.press("Enter");
    await page.locator(".queue").getByRole("button", { name: "remove" }).click();
    await page.locator(".queue").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "stop" }).click();
    await page.locator(".doing").waitFor({ state: "detached" });
    expect(await said("never").count()).toBe(0);
  });

  test("a click on a notification opens its question in the page that is open", async () => {
    await stage.prompt(`ask confirm ${JSON.stringify({ title: "From a notification?" })}`);
    const { page } = laptop;
    await page.goto(`${stage.origin}/#devices`);
    const link = page.locator(".asks .row.ask", { hasText: "From a notification?" });
    const id = decodeURIComponent((await link.getAttribute("href"))?.split("=")[1] ?? "");
    const [worker] = laptop.context.serviceWorkers();
    // A notification is clicked outside of the page, where no test can reach it: the worker gets the same event.
    const isTaken = await worker?.evaluate((askId) => {
      const event = new Event("notificationclick") as Event & {
        notification?: object;
        waitUntil?: (done: Promise<unknown>) => void;
      };
      let isWaited = false;
      event.notification = { close: () => undefined, data: { id: askId } };
      event.waitUntil = () => {
        isWaited = true;
      };
      dispatchEvent(event);
      return isWaited;
    }, id);
    expect(isTaken).toBe(true);
    await page.waitForURL(new RegExp(`#ask=${id}$`));
    await laptop.answer(/^yes/);
    await laptop.delivered();
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(laptop.faults).toEqual([]);
  });
});

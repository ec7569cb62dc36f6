// A session in a real Chromium: writing, stopping, pictures, search, going offline and coming back, a revoked device.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../run-program.js";
import { browserPath, type Device, PageStage } from "./page-rig.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(browserPath() === null)("a session on the page (needs Chromium)", () => {
  let stage: PageStage;
  let laptop: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    laptop = await stage.device("laptop", { width: 1440, height: 900 });
    await laptop.page.goto(`${stage.origin}/#session=${stage.sessionId}`);
  });

  afterAll(async () => {
    await stage?.stop();
  });

  const said = (text: string) => laptop.page.locator(".transcript").getByText(text, { exact: true });
  const message = () => laptop.page.getByLabel("message");
  const write = async (text: string) => {
    await message().fill(text);
    await laptop.page.keyboard.press("Enter");
  };

  test("a message is sent, and the answer is read as Markdown", async () => {
    await write("say It is **done**: [docs](https://example.org/a)");
    await laptop.page.locator(".md strong").getByText("done").waitFor();
    const link = laptop.page.locator(".md a");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  });

  test("a working agent is stopped, and a message that waits is taken back", async () => {
    await write("wait");
    await laptop.page.getByRole("button", { name: "stop" }).waitFor();
    await write("say later");
    await laptop.page.locator(".queue").getByRole("button", { name: "edit" }).click();
    await expect.poll(() => laptop.page.getByLabel("message").inputValue()).toBe("say later");
    await laptop.page.getByLabel("message").fill("");
    await laptop.page.getByRole("button", { name: "stop" }).click();
    await laptop.page.locator(".doing").waitFor({ state: "detached" });
  });

  test("a picture is attached, another one pasted, and the agent gets both", async () => {
    const { page } = laptop;
    const file = { name: "a.png", mimeType: "image/png", buffer: Buffer.from(PNG, "base64") };
    await page.getByLabel("attach a picture").setInputFiles(file);
    await page.getByRole("textbox", { name: "message" }).evaluate((area, base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "b.png", { type: "image/png" }));
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, PNG);
    await page.locator(".attachments img").nth(1).waitFor();
    await write("draw");
    await said("got 2 pictures, image/png").waitFor();
    expect(await page.locator(".attachments img").count()).toBe(0);
    await page.locator(".transcript img").waitFor();
    expect(await page.locator(".transcript img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  });

  test("a message that is written offline is shown as not sent, and sent once when the network is back", async () => {
    await laptop.context.setOffline(true);
    await write("say from the tunnel");
    await laptop.page.locator(".queue").getByText("not sent yet").waitFor();
    await laptop.context.setOffline(false);
    await said("from the tunnel").waitFor();
    await laptop.page.locator(".queue").waitFor({ state: "detached" });
    expect(await said("from the tunnel").count()).toBe(1);
  });

  test("a draft outlives a reload, and the arrow recalls what was asked before", async () => {
    await laptop.page.getByLabel("message").fill("half a th");
    await laptop.page.reload();
    await said("from the tunnel").waitFor();
    expect(await laptop.page.getByLabel("message").inputValue()).toBe("half a th");
    await laptop.page.getByLabel("message").fill("");
    await laptop.page.keyboard.press("ArrowUp");
    expect(await laptop.page.getByLabel("message").inputValue()).toBe("say from the tunnel");
    await laptop.page.getByLabel("message").fill("");
  });

  test("words are found in a part of the transcript that is not in the document", async () => {
    await write("say the needle is here");
    await said("the needle is here").waitFor();
    await write("turns 300");
    await said("Line one of block 300.").waitFor();
    await said("the needle is here").waitFor({ state: "detached" });
    expect(await laptop.page.locator(".item").count()).toBeLessThan(80);
    await laptop.page.keyboard.press("Control+f");
    await laptop.page.getByLabel("search the transcript").fill("needle is");
    await said("the needle is here").waitFor();
    await laptop.page.getByRole("button", { name: "close search" }).click();
    await laptop.page.getByRole("button", { name: "newest" }).click();
    await said("Line one of block 300.").waitFor();
  });

  test("words inside a long answer, and in folded output, are marked and come into sight", async () => {
    const { page } = laptop;
    await write(
      `say ${"A paragraph before it.\n\n".repeat(60)}the Haystack ends here${"\n\nA paragraph behind it.".repeat(60)}`,
    );
    await write(`tool list ${Array.from({ length: 30 }, (_, at) => `row ${at}`).join("\n")}\nthe pin`);
    await page.locator(".tool").last().waitFor();
    const found = async (words: string) => {
      await page.keyboard.press("Control+f");
      await page.getByLabel("search the transcript").fill(words);
      const isSeen = () =>
        page.evaluate(() => {
          const [range] = (CSS.highlights.get("found") ?? []) as Iterable<Range>;
          const box = document.querySelector(".transcript")?.getBoundingClientRect();
          const at = range?.getBoundingClientRect();
          return at !== undefined && box !== undefined && at.top >= box.top && at.bottom <= box.bottom
            ? String(range)
            : "";
        });
      await expect.poll(isSeen).toBe(words);
      await page.keyboard.press("Escape");
      await page.getByLabel("search the transcript").waitFor({ state: "detached" });
      expect(page.url()).toContain("#session=");
    };
    await found("the pin");
    await found("Haystack ends");
    await page.getByRole("button", { name: "newest" }).click();
  });

  test("a session that is not there says so, and waits for nothing", async () => {
    const { page } = laptop;
    await page.goto(`${stage.origin}/#session=nonsense`);
    await page.locator(".session-view .stream-notice").waitFor();
    expect(await page.locator(".doing, .composer").count()).toBe(0);
    await page.goto(`${stage.origin}/#session=${stage.sessionId}`);
  });

  test("without a network the page says so after a reload, too, and comes back by itself", async () => {
    const { page } = laptop;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await laptop.context.setOffline(true);
    await page.reload().catch(() => null);
    await page.getByText("No connection to Palaver").waitFor();
    await laptop.context.setOffline(false);
    await message().waitFor();
    expect(page.url()).toContain(`#session=${stage.sessionId}`);
  });

  test.each(["Markdown", "HTML"])("all of the transcript is saved as %s, also what was not loaded", async (format) => {
    const { page } = laptop;
    await page.reload();
    await page.getByRole("button", { name: "more", exact: true }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: `export as ${format}` }).click(),
    ]);
    const text = readFileSync(await saved.path(), "utf8");
    expect(text).toContain("the needle is here");
    expect(text).toContain("Line one of block 300.");
    expect(saved.suggestedFilename()).toMatch(/^[\w-]+\.(md|html)$/);
  });

  test("a session is ended in two taps only", async () => {
    await laptop.page.getByRole("button", { name: "end this session…" }).click();
    await laptop.page.getByRole("button", { name: "yes, end this session" }).waitFor();
    await laptop.page.getByRole("button", { name: "more", exact: true }).click();
    expect(JSON.parse((await stage.request("GET", "/sessions")).body)[0].state).toBe("idle");
  });

  test("keys move between rows, open one, show the list of keys, and go back", async () => {
    const { page } = laptop;
    await page.getByLabel("message").focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.waitForURL(/#home$/);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#session=/);
  });

  test("what was said while the tab was frozen is there afterwards, once", async () => {
    const tab = await laptop.context.newCDPSession(laptop.page);
    await tab.send("Page.setWebLifecycleState", { state: "frozen" });
    await stage.prompt("say said while asleep");
    await tab.send("Page.setWebLifecycleState", { state: "active" });
    await said("said while asleep").waitFor();
    expect(await said("said while asleep").count()).toBe(1);
  });

  test("an answer that is given offline is shown as delivered only after it was", async () => {
    await stage.prompt(`ask confirm ${JSON.stringify({ title: "Offline?" })}`);
    await laptop.page.locator("[data-answers]").waitFor();
    await laptop.page.locator("[data-answers] .answer.settling").first().waitFor({ state: "detached" });
    await laptop.context.setOffline(true);
    await laptop.answer(/^yes/);
    await laptop.delivered("no connection, it is sent again");
    await laptop.context.setOffline(false);
    await laptop.delivered();
    await said("got true").waitFor();
    expect(await said("got true").count()).toBe(1);
  });

  test("ten tabs share the few connections of a browser: each one loads, is told, and can answer", async () => {
    const tabs = await Promise.all(Array.from({ length: 9 }, () => laptop.context.newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${stage.origin}/#session=${stage.sessionId}`)));
    await stage.prompt(`ask confirm ${JSON.stringify({ title: "Ten tabs?" })}`);
    await Promise.all(tabs.map((tab) => tab.locator(".asks .row.ask", { hasText: "Ten tabs?" }).waitFor()));
    const last = tabs.at(-1) ?? laptop.page;
    await last.locator("[data-answers] .answer.settling").first().waitFor({ state: "detached" });
    await last.getByRole("button", { name: /^no/ }).first().click();
    await last.locator(".answer-state").getByText("delivered to the agent").waitFor();
    await Promise.all(tabs.map((tab) => tab.close()));
  });

  test("a page outlives its daemon: it says that the connection is gone, and follows the next one", async () => {
    const notice = laptop.page.locator(".home .stream-notice");
    await stage.restart(() => notice.waitFor());
    await notice.waitFor({ state: "detached" });
    await stage.prompt("say back again");
    await said("back again").waitFor();
    expect(await said("got true").count()).toBeLessThanOrEqual(1);
  });

  test("a revoked device loses its streams and is asked to pair again", async () => {
    const guest = await stage.device("guest");
    const devices = JSON.parse((await stage.request("GET", "/devices")).body) as { id: string; name: string }[];
    await stage.request("DELETE", `/devices/${devices.find(({ name }) => name === "guest")?.id}`);
    await guest.page.getByRole("button", { name: "pair this device" }).waitFor();
    await guest.context.close();
  });

  test("a flood of text is followed to its end, and the page can be used at once", async () => {
    await write("flood 800000");
    await said("The flood is over.").waitFor();
    expect(await laptop.page.getByRole("button", { name: "newest" }).count()).toBe(0);
    await laptop.page.getByLabel("message").fill("still here", { timeout: 2_000 });
    await laptop.page.getByLabel("message").fill("");
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(laptop.faults).toEqual([]);
  });
});

test("the first load of the page is at most 120 kB of gzip", () => {
  const folder = join(projectRoot, "dist", "page");
  const script = readdirSync(folder).find((name) => /^app-.*\.js$/.test(name)) ?? "";
  const imported = [...readFileSync(join(folder, script), "utf8").matchAll(/from"\.\/([\w-]+\.js)"/g)];
  const first = [script, ...imported.map(([, name = ""]) => name), "index.html"];
  const style = readdirSync(folder).filter((name) => name.endsWith(".css"));
  const sizes = [...first, ...style].map((name) => gzipSync(readFileSync(join(folder, name))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120_000);
});

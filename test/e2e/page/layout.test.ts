// Where things lie on a phone: what is tapped stays where it is, what is chosen is in sight, and nothing ends beyond an edge.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath, type Device, PageStage } from "./page-rig.js";

const PHONE = { width: 360, height: 740 };
/** What is left of it above the keyboard. */
const ABOVE_KEYBOARD = { width: 360, height: 380 };

const topOf = (element: Locator) => element.evaluate((one) => Math.round(one.getBoundingClientRect().top));

describe.skipIf(browserPath() === null)("the layout on a phone (needs Chromium)", () => {
  let stage: PageStage;
  let phone: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    phone = await stage.device("phone");
  });

  afterAll(async () => {
    await stage?.stop();
  });

  describe("what is tapped stays where it is", () => {
    const three = ["npm", "pnpm", "yarn"].map((label) => ({ label, value: label }));

    test("a choice that ends a hint, and one that brings an error", async () => {
      const { page } = phone;
      await stage.asks(page, "select", { title: "Which manager?", options: three });
      const pnpm = phone.answers.locator(".choice", { hasText: "pnpm" });
      const before = await topOf(pnpm);
      await pnpm.click();
      expect(await topOf(pnpm)).toBe(before);
      await phone.answer("cancel");
      await phone.delivered();
      await stage.asks(page, "select", { title: "Which two?", options: three, opts: { multiple: true, max: 1 } });
      const yarn = phone.answers.locator(".choice", { hasText: "yarn" });
      const first = await topOf(yarn);
      for (const choice of await phone.answers.locator(".choice").all()) await choice.click();
      await phone.answers.getByText("choose at most 1").waitFor();
      expect(await topOf(yarn)).toBe(first);
      await phone.answer("cancel");
      await phone.delivered();
    });

    test("a field whose text begins to fit", async () => {
      await stage.asks(phone.page, "input", { title: "Which name?", opts: { required: true } });
      const field = phone.answers.getByRole("textbox");
      const before = await topOf(field);
      await field.fill("v9");
      expect(await topOf(field)).toBe(before);
      await phone.answer("cancel");
      await phone.delivered();
    });

    test("answers, when the connection is lost in a browser that does not anchor what was scrolled", async () => {
      const { page, context } = phone;
      const message = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
      await stage.asks(page, "confirm", { title: "Go on?", message });
      await page.evaluate(() => {
        for (const one of document.querySelectorAll<HTMLElement>("*")) one.style.overflowAnchor = "none";
      });
      const no = phone.answers.getByRole("button", { name: "no" });
      await no.scrollIntoViewIfNeeded();
      const before = await topOf(no);
      await context.setOffline(true);
      await page.locator(".question .stream-notice").waitFor();
      expect(await topOf(no)).toBe(before);
      await context.setOffline(false);
      await page.locator(".question .stream-notice").waitFor({ state: "detached" });
      await phone.answer("no");
      await phone.delivered();
    });
  });

  test("no choice ends beyond the edge", async () => {
    const labels = ["service-with-a-rather-long-name-that-does-not-fit-in-one-row", "x".repeat(90), "short"];
    const options = labels.map((label) => ({ label, value: label, description: "what it is ".repeat(6) }));
    await stage.asks(phone.page, "select", { title: "Which service?", options });
    const rights = await phone.answers
      .locator(".choice, .choice *")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...rights)).toBeLessThanOrEqual(PHONE.width);
    const tops = await phone.answers
      .locator(".choice")
      .first()
      .evaluate((choice) => [...choice.children].map((one) => Math.round(one.getBoundingClientRect().top / 20)));
    expect(new Set(tops).size).toBe(1);
    await phone.answer("cancel");
    await phone.delivered();
  });

  test("above the keyboard, completions and queued messages leave the composer in sight", async () => {
    const { page } = phone;
    for (let at = 0; at < 12; at += 1) writeFileSync(join(stage.cwd, `chapter-${at}.txt`), "");
    await page.goto(`${stage.origin}/#session=${encodeURIComponent(stage.sessionId)}`);
    await page.setViewportSize(ABOVE_KEYBOARD);
    await page.getByLabel("message", { exact: true }).fill("wait");
    await page.getByRole("button", { name: "send" }).click();
    for (const text of ["one", "two", "three", "four"]) {
      await page.getByLabel("message", { exact: true }).fill(text);
      await page.getByRole("button", { name: "queue" }).click();
      await page.locator(".queue").getByText(text, { exact: true }).waitFor();
    }
    await page.getByLabel("message", { exact: true }).fill("");
    await page.getByLabel("message", { exact: true }).pressSequentially("see @chap");
    const completion = page.locator(".completions button").nth(7);
    expect((await completion.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    for (const part of [page.getByLabel("message", { exact: true }), page.getByRole("button", { name: "queue" })]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(ABOVE_KEYBOARD.height);
    }
    await page.getByLabel("message", { exact: true }).press("ArrowUp");
    // The list scrolls after the marked row was drawn.
    const isInSight = async () => {
      const list = await page.locator(".completions").boundingBox();
      const marked = await page.locator(".completions .marked").boundingBox();
      const end = (box: typeof list) => (box?.y ?? 0) + (box?.height ?? 0);
      return (marked?.y ?? 0) >= (list?.y ?? 0) && end(marked) <= end(list) + 1;
    };
    await expect.poll(isInSight).toBe(true);
    await page.getByLabel("message", { exact: true }).fill("");
    await page.getByRole("button", { name: "stop" }).click();
    await page.setViewportSize(PHONE);
  });

  describe("a list with a search field", () => {
    const options = Array.from({ length: 12 }, (_, at) => ({ label: `part ${at + 1}`, value: `p${at + 1}` }));

    test("shows what is chosen, also when it does not fit what is typed", async () => {
      await stage.asks(phone.page, "select", { title: "Which part?", options });
      await phone.answers.getByText("part 7").click();
      await phone.answers.getByLabel("filter").fill("part 1");
      expect(await phone.answers.locator(".choice").allTextContents()).toEqual([
        "part 1",
        "part 7",
        "part 10",
        "part 11",
        "part 12",
      ]);
      await phone.answers.getByLabel("filter").fill("nothing");
      expect(await phone.answers.locator(".choice.chosen").allTextContents()).toEqual(["part 7"]);
      await phone.answer("cancel");
      await phone.delivered();
    });

    test("keeps its rows when one of them is tapped, also one that does not fit what is typed", async () => {
      const rows = phone.answers.locator(".choice");
      await stage.asks(phone.page, "select", { title: "Which single part?", options });
      await phone.answers.getByText("part 7").click();
      await phone.answers.getByLabel("filter").fill("part 1");
      const before = await rows.allTextContents();
      await phone.answers.getByText("part 10").click();
      await phone.answers.locator(".choice.chosen", { hasText: "part 10" }).waitFor();
      expect(await rows.allTextContents()).toEqual(before);
      await phone.answers.getByLabel("filter").fill("part 2");
      await phone.answers.getByText("part 2").waitFor();
      expect(await rows.allTextContents()).toEqual(["part 2", "part 10"]);
      await phone.answer("cancel");
      await phone.delivered();
    });

    test("keeps the rows of files when one of them is tapped, also one that does not fit what is typed", async () => {
      const rows = phone.answers.locator(".choice .path");
      await stage.asks(phone.page, "files", { title: "Which files now?", opts: { multiple: true } });
      await phone.answers.getByLabel("find files").fill("new.md");
      await phone.answers.getByText("as you typed it").click();
      await phone.answers.getByLabel("find files").fill("other.md");
      await expect.poll(() => rows.allTextContents()).toEqual(["new.md", "other.mdas you typed it"]);
      await phone.answers.getByText("new.md").click();
      await phone.answers.locator(".choice.chosen").waitFor({ state: "detached" });
      expect(await rows.allTextContents()).toEqual(["new.md", "other.mdas you typed it"]);
      await phone.answer("cancel");
      await phone.delivered();
    });

    test.each([
      ["select", { title: "Which of these?", options }, "filter"],
      ["files", { title: "Which file?" }, "find files"],
    ])("does not move while something is typed: %s", async (method, params, label) => {
      await stage.asks(phone.page, method, params);
      const field = phone.answers.getByLabel(label);
      await phone.answers.locator(".choice").first().waitFor();
      const cancel = phone.answers.getByRole("button", { name: "cancel" });
      const before = [await topOf(field), await topOf(cancel)];
      await field.fill("../nothing");
      await phone.answers.getByText("nothing fits").waitFor();
      expect([await topOf(field), await topOf(cancel)]).toEqual(before);
      await phone.answer("cancel");
      await phone.delivered();
    });
  });

  test("the heading of a long question stays in sight", async () => {
    const { page } = phone;
    const message = Array.from({ length: 120 }, (_, at) => `line ${at}`).join("\n");
    await stage.asks(page, "confirm", { title: "Read all of it?", message });
    await phone.answers.getByRole("button", { name: "no" }).scrollIntoViewIfNeeded();
    expect(await topOf(page.locator(".question .head"))).toBeGreaterThanOrEqual(0);
    await phone.answer("no");
    await phone.delivered();
  });

  /** What a tap in the middle of an element meets. */
  const isCovered = (element: Locator) =>
    element.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });

  test.each([
    ["a long title", 900, { width: 360, height: 640 }],
    ["a title of some rows above the keyboard", 115, { width: 360, height: 300 }],
  ])("%s does not cover the answers", async (_, length, size) => {
    const { page } = phone;
    await stage.asks(page, "input", { title: `Which name of ${"many words ".repeat(90)}`.slice(0, length) });
    await page.setViewportSize(size);
    const field = phone.answers.getByRole("textbox");
    await phone.answers.getByRole("button", { name: "cancel" }).scrollIntoViewIfNeeded();
    await page.locator(".question").evaluate((question) => question.parentElement?.scrollTo(0, question.scrollHeight));
    for (const part of [field, phone.answers.getByRole("button", { name: "cancel" })]) {
      expect(await isCovered(part)).toBe(false);
    }
    await phone.answer("cancel");
    await phone.delivered();
    await page.setViewportSize(PHONE);
  });

  test("a path that is not in the folder is marked as what was typed", async () => {
    await stage.asks(phone.page, "files", { title: "Which new file?" });
    await phone.answers.getByLabel("find files").fill("no-such-note");
    await phone.answers.locator(".choice", { hasText: "no-such-note" }).getByText("as you typed it").waitFor();
    await phone.answer("cancel");
    await phone.delivered();
  });

  test("the row of a long command is short enough to be read aloud", async () => {
    const { page } = phone;
    const command = `echo ${"and-on-".repeat(2_000)}`;
    await stage.asks(page, "confirm", { title: `bash ${command}`, opts: { tool: "bash", command } });
    expect((await page.locator(".asks .row.ask").first().textContent())?.length).toBeLessThan(300);
    await phone.answer("no");
    await phone.delivered();
  });

  test("two taps in one place sign no device out", async () => {
    const guest = await stage.device("guest");
    const { page } = guest;
    await page.goto(`${stage.origin}/#devices`);
    await page.getByRole("button", { name: "sign this device out…" }).dblclick();
    const sure = page.getByRole("button", { name: "yes, sign out", disabled: false });
    await sure.waitFor();
    expect((await stage.request("GET", "/devices")).body).toContain('"guest"');
    await sure.click();
    await page.getByText("This device is not paired").waitFor();
    await guest.context.close();
  });

  test("a field that is wrong says so to a screen reader, and gets the keyboard that fits it", async () => {
    const fields = [
      { name: "mail", label: "E-mail", kind: "text", format: "email" },
      { name: "copies", label: "Copies", kind: "number", max: 5 },
    ];
    await stage.asks(phone.page, "form", { title: "A release", fields });
    const mail = phone.answers.getByLabel("E-mail");
    expect(await mail.getAttribute("inputmode")).toBe("email");
    expect(await mail.getAttribute("aria-invalid")).toBeNull();
    await mail.fill("nobody");
    expect(await mail.getAttribute("aria-invalid")).toBe("true");
    const described = (await mail.getAttribute("aria-describedby")) ?? "";
    expect(await phone.page.locator(`#${described}`).textContent()).toBe("must be an e-mail address");
    await phone.answer("cancel");
    await phone.delivered();
    await stage.asks(phone.page, "input", { title: "Its name?", opts: { required: true, min_length: 3 } });
    const hint = phone.answers.getByText("required");
    expect(await hint.getAttribute("class")).not.toContain("problem");
    const line = phone.answers.getByRole("textbox");
    await line.fill("ab");
    expect(await line.getAttribute("aria-describedby")).toBe("answer-hint");
    await phone.answer("cancel");
    await phone.delivered();
  });

  test("above the keyboard, an editor leaves its answers in sight", async () => {
    const { page } = phone;
    await stage.asks(page, "editor", { title: "Which notes?", prefill: "one\ntwo\n" });
    await page.setViewportSize(ABOVE_KEYBOARD);
    const sizes = [phone.answers.getByRole("textbox"), page.locator(".status select")].map((field) =>
      field.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
    );
    expect(await Promise.all(sizes)).toEqual([16, 16]);
    const send = await phone.answers.getByRole("button", { name: "send" }).boundingBox();
    expect((send?.y ?? 0) + (send?.height ?? 0)).toBeLessThanOrEqual(ABOVE_KEYBOARD.height);
    await page.setViewportSize(PHONE);
    await phone.answer("cancel");
    await phone.delivered();
  });

  test("the page itself does not scroll, and the transcript does with the keyboard", async () => {
    const { page } = phone;
    await page.goto(`${stage.origin}/#session=${encodeURIComponent(stage.sessionId)}`);
    await stage.prompt("turns 40");
    const transcript = page.getByRole("log", { name: "Transcript" });
    await transcript.getByText("block 40", { exact: false }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(PHONE.height);
    await transcript.focus();
    expect(await transcript.evaluate((one) => one === document.activeElement)).toBe(true);
    const model = page.getByRole("button", { name: "model" });
    expect(await model.getAttribute("aria-label")).toBeNull();
  });
});

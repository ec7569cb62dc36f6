// Where a thumb slips and an eye is quick: what is shown, and what one tap, two taps and a tap beside it do, in a real Chromium.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath, type Device, PageStage } from "./page-rig.js";

describe.skipIf(browserPath() === null)("the page on a phone (needs Chromium)", () => {
  let stage: PageStage;
  let phone: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    phone = await stage.device("phone");
  });

  afterAll(async () => {
    await stage?.stop();
  });

  describe("a command that is approved", () => {
    const command = `git push --force origin ${"feature-".repeat(9)}end  --no-verify`;
    const params = { title: `bash ${command}`, opts: { tool: "bash", command } };

    test("stands alone, exactly as it runs, below the name of the tool", async () => {
      const { page } = phone;
      await stage.asks(page, "confirm", params);
      expect(await page.locator("#question-title").textContent()).toBe("bash");
      expect(await page.locator(".command").textContent()).toBe(command);
    });

    test("is broken where a row is full and nowhere else, and its spaces are tinted", async () => {
      const line = phone.page.locator(".command-line");
      const rows = await line.evaluate((element) => {
        const rights = new Map<number, number>();
        const range = document.createRange();
        for (const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
          const { currentNode } = walker;
          for (let at = 0; at < (currentNode.textContent ?? "").trimEnd().length; at += 1) {
            range.setStart(currentNode, at);
            range.setEnd(currentNode, at + 1);
            const { top, right } = range.getBoundingClientRect();
            rights.set(Math.round(top), Math.max(right, rights.get(Math.round(top)) ?? 0));
          }
        }
        return [...rights].sort(([a], [b]) => a - b).map(([, right]) => Math.round(right));
      });
      expect(rows.length).toBeGreaterThan(2);
      expect(new Set(rows.slice(0, -1)).size).toBe(1);
      const tinted = await line.locator(".spaces").evaluateAll((all) => all.map((one) => one.textContent?.length));
      expect(tinted).toEqual([1, 1, 1, 1, 2]);
      await phone.answer("no");
      await phone.delivered();
    });
  });

  describe("two taps in one place", () => {
    const sessions = async () =>
      JSON.parse((await stage.request("GET", "/sessions")).body) as { id: string; state: string }[];

    test("end no session; a third one, a moment later, does, and the same agent can be started again", async () => {
      const { page } = phone;
      await page.goto(`${stage.origin}/#new`);
      await page.getByRole("button", { name: "obedient" }).click();
      await page.waitForURL(/#session=/);
      const id = decodeURIComponent(page.url().split("#session=")[1] ?? "");
      await page.getByRole("button", { name: "more" }).click();
      await page.getByRole("button", { name: "end this session…" }).dblclick();
      const sure = page.getByRole("button", { name: "yes, end this session", disabled: false });
      await sure.waitFor();
      expect((await sessions()).find((one) => one.id === id)?.state).not.toBe("ended");
      await sure.click();
      await page.getByText("◌ this session has ended").waitFor();
      await page.getByRole("button", { name: "start obedient again" }).click();
      await expect.poll(() => page.url()).not.toContain(encodeURIComponent(id));
      await page.getByLabel("message").fill("say from the next one");
      await page.getByRole("button", { name: "send" }).click();
      await page.locator(".transcript").getByText("from the next one", { exact: true }).waitFor();
    });

    test("revoke no device", async () => {
      const guest = await stage.device("guest");
      const { page } = phone;
      await page.goto(`${stage.origin}/#devices`);
      const row = page.locator(".page-view .row", { hasText: "guest" });
      await row.getByRole("button", { name: "revoke…" }).dblclick();
      await row.getByRole("button", { name: "yes, revoke", disabled: false }).waitFor();
      expect((await stage.request("GET", "/devices")).body).toContain('"guest"');
      await guest.context.close();
    });
  });

  test("an agent's error has the sign of an error, and goes with the next turn", async () => {
    const { page } = phone;
    await page.goto(`${stage.origin}/#session=${encodeURIComponent(stage.sessionId)}`);
    const frame = { type: "ui_notify", session_id: "main", params: { message: "one mirror is down", level: "error" } };
    await stage.prompt(`frames ${JSON.stringify([frame])}`);
    await page.locator(".remark").getByText("✕").waitFor();
    await stage.prompt("say all is well");
    await page.locator(".remark").waitFor({ state: "detached" });
  });

  test("the list of sessions has the last line without its marks", async () => {
    const { page } = phone;
    await stage.prompt("say It is **bold** and `code`, see [here](https://example.org)");
    await page.goto(`${stage.origin}/#home`);
    await page.locator(".last-line").getByText("It is bold and code, see here", { exact: true }).waitFor();
    await stage.prompt("say | file | change |\n|---|---|\n| parser.ts | one line |");
    await page.locator(".last-line").getByText("parser.ts · one line", { exact: true }).waitFor();
  });

  test("a question that never was is not said to be closed", async () => {
    await phone.page.goto(`${stage.origin}/#ask=never`);
    await phone.page.getByText("There is no such question").waitFor();
  });

  test("a device that opens a shared link gets its session; a viewer whose link is gone is sent to no terminal", async () => {
    const { body } = await stage.request("POST", `/sessions/${stage.sessionId}/shares`);
    const { id, url } = JSON.parse(body) as { id: string; url: string };
    const { page } = phone;
    await page.goto("about:blank");
    await page.goto(url);
    await expect.poll(() => page.url()).toContain(`#session=${stage.sessionId}`);
    await stage.request("DELETE", `/shares/${id}`);
    const viewer = await stage.visitor();
    await viewer.page.goto(url);
    await viewer.page.getByText("Ask for a new link where you got this one").waitFor();
    expect(await viewer.page.getByText("palaver pair").count()).toBe(0);
    await viewer.context.close();
  });

  test("notifications say that they are being turned on", async () => {
    const { page } = phone;
    await page.goto(`${stage.origin}/#devices`);
    await page.evaluate(() => {
      PushManager.prototype.subscribe = () => new Promise(() => undefined);
    });
    await page.getByRole("button", { name: "notify me" }).click();
    await page.getByText("asking the browser and its push service…").waitFor();
  });

  test.each([86_400_000, -86_400_000])(
    "a clock that is wrong by %i ms changes neither ages nor answers",
    async (byMs) => {
      const page = await phone.context.newPage();
      await page.addInitScript((by) => {
        const real = Date.now;
        Date.now = () => real() + by;
      }, byMs);
      await page.goto(stage.origin);
      await stage.prompt(`ask confirm ${JSON.stringify({ title: "Which day?" })}`);
      await page.locator(".asks .row.ask").click();
      expect(await page.locator(".where").textContent()).toMatch(/ · \d s · /);
      await page.locator("[data-answers] .answer.settling").first().waitFor({ state: "detached" });
      await page.getByRole("button", { name: /^yes/ }).click();
      await page.locator(".answer-state").getByText("delivered to the agent").waitFor();
      await page.close();
    },
  );

  test.each([
    ["newer", "/overview", 2, "#home"],
    ["older", "/sessions/*/changes*", 1, "#session="],
  ])("a daemon that is %s is named as such, and its events are not read", async (_, path, protocol, hash) => {
    const page = await phone.context.newPage();
    const hello = `event: hello\ndata: ${JSON.stringify({ at_ms: Date.now(), protocol, epoch: "another" })}\n\n`;
    await page.route(`${stage.origin}${path}`, (route) =>
      route.fulfill({ contentType: "text/event-stream", body: hello }),
    );
    await page.goto(`${stage.origin}/${hash}${hash === "#home" ? "" : stage.sessionId}`);
    await page.locator(".stream-notice").getByText("the daemon has another version than this page").waitFor();
    await page.getByRole("button", { name: "load again" }).waitFor();
    await page.close();
  });

  test("of many questions the oldest are shown, with the number of the others", async () => {
    const { page } = phone;
    await page.goto(`${stage.origin}/#home`);
    await stage.prompt("many 150");
    await page.locator(".top").getByText("150 questions").waitFor();
    const rows = page.locator(".asks .row.ask");
    expect(await rows.count()).toBe(100);
    expect(await rows.first().textContent()).toContain("Question 1?");
    await page.getByText("50 more questions wait").getByRole("button", { name: "show more" }).click();
    await expect.poll(() => rows.count()).toBe(150);
    await rows.first().click();
    await phone.answer(/^yes/);
    await phone.delivered();
    await page.locator(".next-ask").getByRole("link", { name: "next question" }).click();
    await page.getByRole("heading", { name: "Question 2?" }).waitFor();
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(phone.faults).toEqual([]);
  });
});

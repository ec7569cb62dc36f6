// Hostile text in every field that an agent fills, in a real Chromium: it is shown as text, no policy is broken, nothing is asked of
// another origin, and no script runs. And what went wrong in other web front ends, by its name, in the browser; the daemon's half is
// in `test/safety/page-history.test.ts`.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linesOutputSchema } from "../../../src/contract/lines-outputs.js";
import { samplesOf } from "../../safety/schema-samples.js";
import { browserPath, type Device, PageStage, REBOUND } from "./page-rig.js";

const HTML = `<img src=https://evil.example/x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>`;
const LINKS = `[a](javascript:globalThis.owned=1) [b](data:text/html,x) ![p](https://evil.example/p.png) <https://evil.example>`;
const EVIL = `${HTML} ${LINKS} \u202ecod\u202c \u001b]0;owned\u0007`;
const FILE = "<img src=x onerror=globalThis.owned=1>.txt";

describe.skipIf(browserPath() === null)("hostile text on the page (needs Chromium)", () => {
  let stage: PageStage;
  let phone: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    writeFileSync(join(stage.cwd, FILE), "");
    phone = await stage.device(`phone ${HTML}`.slice(0, 60));
  });

  afterAll(async () => {
    await stage?.stop();
  });

  const isOwned = () => phone.page.evaluate(() => "owned" in globalThis);
  const unharmed = async () => {
    expect(await phone.page.locator("#page img, #page script, #page iframe, #page [onerror]").count()).toBe(0);
    expect(await phone.page.locator("#page a:not([href^='#']):not([href^='http'])").count()).toBe(0);
    expect(await isOwned()).toBe(false);
  };

  test("in an approval with a change, a command and details it is text", async () => {
    const details = [{ name: EVIL, value: EVIL }];
    const diff = `--- a/${EVIL}\n+++ b/${EVIL}\n@@ -1 +1 @@ ${EVIL}\n-${EVIL}\n+${EVIL} x\n`;
    const opts = { tool: EVIL, command: EVIL, path: EVIL, diff, details, rule: EVIL };
    await stage.asks(phone.page, "confirm", { title: `${EVIL}?`, message: EVIL, opts });
    expect(await phone.page.locator("h1#question-title").textContent()).toContain("<script>");
    await unharmed();
    await phone.answer(/^no/);
    await phone.delivered();
  });

  test("in an approval what cannot be seen is spelt out", async () => {
    await stage.asks(phone.page, "confirm", { title: "run it", opts: { tool: "bash", command: "rm \u202ecod" } });
    expect(await phone.page.locator(".command").textContent()).toContain("⟨U+202E⟩");
    await phone.answer(/^no/);
    await phone.delivered();
  });

  test("in prose, tools and names it is text, and links go to web addresses alone", async () => {
    await stage.prompt(`say ${EVIL}\n\n| ${EVIL} |\n|---|\n| ${EVIL} |\n\n\`\`\`html\n${EVIL}\n\`\`\`\n\nend of it`);
    await stage.heard(phone.page, "end of it");
    await stage.prompt(`tool ${HTML.replaceAll(" ", "_")} ${EVIL}`);
    await phone.page.locator(".tool").last().waitFor();
    await unharmed();
    const links = await phone.page
      .locator(".transcript a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    expect(links.length).toBeGreaterThan(0);
    expect(links.every((href) => /^https?:\/\//.test(href ?? ""))).toBe(true);
  });

  test("in titles, status, widgets, notices, thinking and the type of a picture it is text", async () => {
    const ui = (type: string, params: object) => ({ type, params });
    const picture = { type: "image", mime_type: `image/png" onerror="globalThis.owned=1`, data: EVIL };
    const thought = { type: "thinking", thinking: EVIL };
    const event = (type: string, ...data: unknown[]) => ({ type: "event", event: { type, data } });
    const frames = [
      ui("ui_set_title", { title: EVIL }),
      ui("ui_status", { key: EVIL, text: EVIL }),
      ui("ui_widget", { key: "w", content: [EVIL] }),
      ui("ui_notify", { notify_type: "error", message: EVIL }),
      event("message_start", { role: "assistant", content: [thought, picture] }),
      event("message_end", { role: "assistant", content: [thought, picture] }),
    ];
    await stage.prompt(`frames ${JSON.stringify(frames)}`);
    const view = phone.page.locator(".session-view");
    await view.getByText("a picture that cannot be shown").waitFor();
    await view.locator(".thinking .fold").click();
    for (const place of ["h1", ".widget", ".status", ".notice", ".thinking"])
      await expect.poll(() => view.locator(place).last().textContent(), { message: place }).toContain("<script>");
    await unharmed();
  });

  type Frame = { readonly type: string; readonly method?: string; readonly params?: { readonly title?: string } };
  let count = 0;
  // Each field has words of its own, but for those by which a frame is read at all.
  const everyFrame = (samplesOf(linesOutputSchema, () => `w${count++} ${EVIL}`) as Frame[]).map((frame) => ({
    ...frame,
    ...(/^(?:session_|active_)/.test(frame.type) ? {} : { session_id: "main" }),
    event_seq: undefined,
    protocol_version: "1",
  }));

  test("in every field of every frame that its schema knows it is text", async () => {
    await phone.page.goto(`${stage.origin}/#session=${stage.sessionId}`);
    const frames = everyFrame.filter(({ type }) => type !== "ui_request");
    const back = { type: "active_session", session_id: "main" };
    for (let at = 0; at < frames.length; at += 40) {
      await stage.prompt(`frames ${JSON.stringify([...frames.slice(at, at + 40), back])}`);
      await stage.prompt(`say so many frames: ${at}`);
      await phone.page.locator(".transcript").getByText(`so many frames: ${at}`, { exact: true }).waitFor();
      await unharmed();
    }
  });

  test.each([...new Map(everyFrame.map((frame) => [frame.method ?? "", frame.params] as const))].slice(1))(
    "in every field of %s that its schema knows it is text",
    async (method, params) => {
      const { page } = phone;
      const rows = page.locator(".asks .row.ask");
      await page.goto(`${stage.origin}/#home`);
      // The one before has left the list.
      await expect.poll(() => rows.count()).toBe(0);
      await stage.prompt(`ask ${method} ${JSON.stringify(params)}`);
      await rows.click();
      await phone.answers.waitFor();
      expect(await page.locator("h1#question-title").textContent()).toContain("<script>");
      await unharmed();
      await phone.answer(/^(cancel|no)/);
      await phone.delivered();
    },
  );

  test("in the name of a file it is text", async () => {
    await phone.page.goto(`${stage.origin}/#session=${stage.sessionId}`);
    await phone.page.getByLabel("message").fill("see @onerror");
    await phone.page.getByRole("list", { name: "Completions" }).getByRole("button", { name: FILE }).waitFor();
    await unharmed();
  });

  describe("a page of another origin in the same browser", () => {
    let other: Page;

    beforeAll(async () => {
      const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<p>other</p>"));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      other = await phone.context.newPage();
      // Another port of the same machine: the browser sends the cookie along, for cookies know no ports.
      await other.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return () => server.close();
    });

    test("opens no socket (CVE-2025-52882, CVE-2026-59723)", async () => {
      const opened = await other.evaluate(async (origin) => {
        const socket = new WebSocket(`${origin.replace("http", "ws")}/overview`);
        return new Promise((resolve) => {
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        });
      }, stage.origin);
      expect(opened).toBe("refused");
    });

    test("reads nothing, and changes nothing (CVE-2026-22812)", async () => {
      const body = JSON.stringify({ intent: { type: "submit", text: "say from elsewhere" } });
      const read = await other.evaluate(
        async ([origin, path, text]) => {
          const reads = ["/overview", "/device", path ?? ""].map((one) =>
            fetch(origin + one, { credentials: "include" }).then(
              ({ status }) => status,
              () => "refused",
            ),
          );
          const init = { method: "POST", mode: "no-cors", credentials: "include", body: text ?? "" } as const;
          await fetch(origin + path, init).catch(() => null);
          return Promise.all(reads);
        },
        [stage.origin, `/sessions/${stage.sessionId}/intents`, body] as const,
      );
      expect(read).toEqual(["refused", "refused", "refused"]);
      const { body: transcript } = await stage.request("GET", `/sessions/${stage.sessionId}/transcript`);
      expect(transcript).not.toContain("from elsewhere");
    });

    test("shows the page in no frame", async () => {
      const isShown = await other.evaluate(async (origin) => {
        const frame = document.createElement("iframe");
        frame.src = origin;
        document.body.append(frame);
        await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        return frame.contentDocument !== null;
      }, stage.origin);
      expect(isShown).toBe(false);
      expect(await other.frames()[1]?.locator("#page").count()).toBe(0);
    });
  });

  test("a name that points to this machine gets nothing (CVE-2025-59956)", async () => {
    const stranger = await stage.visitor();
    const answer = await stranger.page.goto(stage.origin.replace("127.0.0.1", REBOUND));
    expect(answer?.status()).toBe(403);
    await stranger.context.close();
  });

  test("an address that is given to the page is asked for nothing (CVE-2026-25253)", async () => {
    const query = "gatewayUrl=https://evil.example&url=https://evil.example&token=x";
    await phone.page.goto(`${stage.origin}/?${query}#session=https://evil.example&${query}`);
    await phone.page.locator(".session-view .stream-notice").waitFor();
    await unharmed();
  });

  test("no script of the page can read what identifies it (CVE-2026-109288, CVE-2026-109300)", async () => {
    const [cookie] = await phone.context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    const kept = await phone.page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    );
    expect(kept).not.toContain(cookie?.value ?? "?");
  });

  test("a script that got into the document would be refused, and be noticed here (CVE-2026-22813)", async () => {
    const victim = await stage.visitor();
    await victim.page.goto(stage.origin);
    const isRefused = await victim.page.evaluate((html) => {
      try {
        document.body.innerHTML = html;
        return false;
      } catch {
        const made = document.createElement("img");
        made.src = "https://evil.example/x";
        document.body.append(made);
        return true;
      }
    }, HTML);
    expect(isRefused).toBe(true);
    await expect.poll(() => victim.faults.filter((fault) => fault.startsWith("policy: ")).length).toBeGreaterThan(1);
    expect(await victim.page.evaluate(() => "owned" in globalThis)).toBe(false);
    await victim.context.close();
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(phone.faults).toEqual([]);
  });
});

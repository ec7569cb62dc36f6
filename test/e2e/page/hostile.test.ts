// Hostile text in every field that an agent fills, in a real Chromium: it is shown as text, no policy is broken, nothing is asked of
// another origin, and no script runs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AskedParams, browserPath, type Device, PageStage } from "./page-rig.js";

const HTML = `<img src=https://evil.example/x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>`;
const LINKS = `[a](javascript:globalThis.owned=1) [b](data:text/html,x) ![p](https://evil.example/p.png) <https://evil.example>`;
const EVIL = `${HTML} ${LINKS} \u202ecod\u202c \u001b]0;owned\u0007`;

describe.skipIf(browserPath() === null)("hostile text on the page (needs Chromium)", () => {
  let stage: PageStage;
  let phone: Device;

  beforeAll(async () => {
    stage = await PageStage.start();
    phone = await stage.device(`phone ${HTML}`.slice(0, 60));
  });

  afterAll(async () => {
    await stage?.stop();
  });

  const isOwned = () => phone.page.evaluate(() => "owned" in globalThis);

  const option = { label: EVIL, value: "x", description: EVIL };
  const field = { name: "f", label: EVIL, kind: "text", description: EVIL, placeholder: EVIL };
  const details = [{ name: EVIL, value: EVIL }];
  const diff = `--- a/${EVIL}\n+++ b/${EVIL}\n@@ -1 +1 @@ ${EVIL}\n-${EVIL}\n+${EVIL} x\n`;

  test.each<[string, AskedParams]>([
    ["select", { title: EVIL, message: EVIL, options: [option] }],
    ["input", { title: EVIL, message: EVIL, placeholder: EVIL }],
    ["editor", { title: EVIL, prefill: EVIL }],
    ["form", { title: EVIL, fields: [field, { ...field, name: "g", kind: "select", options: [option] }] }],
    ["files", { title: EVIL }],
    [
      "confirm",
      { title: EVIL, message: EVIL, opts: { tool: EVIL, command: EVIL, path: EVIL, diff, details, rule: EVIL } },
    ],
  ])("in a question of the kind %s it is text", async (method, params) => {
    await stage.asks(phone.page, method, params);
    expect(await phone.page.locator("h1#question-title").textContent()).toContain("<script>");
    expect(await phone.page.locator("#page img, #page script, #page a[href^='javascript']").count()).toBe(0);
    await phone.answer(/^(cancel|no)/);
    await phone.delivered();
    expect(await isOwned()).toBe(false);
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
    const links = await phone.page
      .locator(".transcript a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    expect(links.length).toBeGreaterThan(0);
    expect(links.every((href) => /^https?:\/\//.test(href ?? ""))).toBe(true);
    expect(await phone.page.locator("#page img, #page script").count()).toBe(0);
    expect(await isOwned()).toBe(false);
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
    expect(await phone.page.locator("#page img, #page script").count()).toBe(0);
    expect(await isOwned()).toBe(false);
  });

  test("nothing broke the policy, asked elsewhere or threw", () => {
    expect(phone.faults).toEqual([]);
  });
});

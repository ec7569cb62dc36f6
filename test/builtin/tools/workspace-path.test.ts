// A path leads where the disk says it leads, not where its letters say.
import { existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findPath } from "../../../src/builtin/tools/workspace-path.js";
import { verifies } from "../../verifies.js";
import { makeWorkspace, type Workspace } from "./workspace.js";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.remove());

async function place(written: string) {
  const { subject, reach } = await findPath(ws.folder, written);
  return `${reach} ${subject.replace(ws.outside, "OUT")}`;
}

function deepestExisting(path: string): string {
  return existsSync(path) ? path : deepestExisting(dirname(path));
}

describe("a path of the workspace", () => {
  test("is named relative to it, however it was written", async () => {
    ws.put("src/a.ts", "");
    for (const written of ["src/a.ts", "./src/a.ts", "src/../src//a.ts", join(ws.folder, "src/a.ts")]) {
      expect(await place(written)).toBe("inside src/a.ts");
    }
    expect(await place(".")).toBe("inside .");
    expect(await place("src/..")).toBe("inside .");
    expect(await place("new/deep/file")).toBe("inside new/deep/file");
    expect(await place("..hidden")).toBe("inside ..hidden");
  });

  test("leads outside by dots, as an absolute path, or from home", async () => {
    expect(await place("../outside/x")).toBe("outside OUT/x");
    expect(await place("/etc/hosts")).toBe("outside /etc/hosts");
    expect(await place("~/x")).toMatch(/^outside .*\/x$/);
    expect(await place(`${ws.folder}-other/x`)).toMatch(/^outside /);
    expect(await place("missing/../../outside/x")).toBe("outside OUT/x");
  });

  test("leads where its links lead, also when nothing is there yet", async () => {
    verifies("rules.paths-are-real");
    ws.put("real/a.ts", "");
    symlinkSync(ws.outside, join(ws.folder, "away"));
    symlinkSync("real", join(ws.folder, "alias"));
    symlinkSync("../outside/missing", join(ws.folder, "dangling"));
    symlinkSync("away/deep", join(ws.folder, "twice"));
    expect(await place("away/x")).toBe("outside OUT/x");
    expect(await place("alias/a.ts")).toBe("inside real/a.ts");
    expect(await place("dangling")).toBe("outside OUT/missing");
    expect(await place("twice/x")).toBe("outside OUT/deep/x");
    expect(await place("away/../x")).toMatch(/^outside .*\/x$/);
    expect(await place("missing/../away/x")).toBe("outside OUT/x");
    expect(await place("alias/../x")).toBe("inside x");
  });

  test("may come from a workspace that is itself behind a link", async () => {
    ws.put("a.ts", "");
    const link = join(ws.outside, "link");
    symlinkSync(ws.folder, link);
    expect(await findPath(link, "a.ts")).toMatchObject({ subject: "a.ts", reach: "inside" });
    expect(await findPath(link, join(link, "a.ts"))).toMatchObject({ subject: "a.ts", reach: "inside" });
  });

  test("tells nothing of what is in the way, which only a look at it may", async () => {
    symlinkSync("b", join(ws.folder, "a"));
    symlinkSync("a", join(ws.folder, "b"));
    ws.put("file", "");
    expect(await place("a/x")).toMatch(/^inside [ab]\/x$/);
    expect(await place("file/x")).toBe("inside file/x");
  });

  test("is refused when it is no path", async () => {
    await expect(place("")).rejects.toThrow(/empty/);
    await expect(place("a\0b")).rejects.toThrow(/NUL/);
    await expect(findPath(join(ws.folder, "gone"), "a")).rejects.toThrow(/The workspace .* does not exist/);
    await expect(place("x".repeat(5_000))).rejects.toThrow(/longer than/);
  });

  test("never counts as inside when its real place is not", async () => {
    mkdirSync(join(ws.folder, "d"));
    symlinkSync(ws.outside, join(ws.folder, "away"));
    symlinkSync("..", join(ws.folder, "d", "up"));
    const name = fc.constantFrom("d", "up", "away", "..", ".", "new", "", "outside", "ws");
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 8 }), async (names) => {
        const { realPath, reach } = await findPath(ws.folder, names.join("/") || ".");
        expect(reach === "inside").toBe(`${realPath}/`.startsWith(`${ws.folder}/`));
        const existing = deepestExisting(realPath);
        expect(realpathSync(existing)).toBe(existing);
      }),
    );
  });
});

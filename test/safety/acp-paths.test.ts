// Folders and files whose names look like a path: a yes covers the place that was shown, and no other that reads alike.
import { describe, expect, test } from "vitest";
import { absolutePath } from "../../src/agents/dialects/acp/paths.js";
import { options, readyStage, type Stage } from "../agents/dialects/acp/stage.js";

const here = "/home/ada/parser";

function allowed(toolCall: object): Stage {
  const stage = readyStage().prompt();
  stage.asks("session/request_permission", { toolCall: { toolCallId: "t1", ...toolCall }, options });
  return stage.answers({ choiceId: "yes-1" });
}

describe("a backslash is a letter of a name", () => {
  const odd = `${here}/x\\..`;

  test.each([odd, `/home/ada/out\\..\\parser`, `${here}\\x\\..`])(
    "a yes to a run does not cover the folder %s",
    (folder) => {
      const stage = allowed({ title: "npm test", kind: "execute", rawInput: { command: "npm test" } });
      stage.links.set(`${here}/lnk`, folder);
      stage.asks("terminal/create", { command: "sh", args: ["-c", "npm test"], cwd: "lnk" });
      expect(stage.of("ask.raised")).toHaveLength(2);
      expect(stage.ask().question.params).toMatchObject({
        details: expect.arrayContaining([{ name: "folder", value: folder }]),
      });
    },
  );

  test("a yes to a change does not cover a file in such a folder", () => {
    const change = { type: "diff", path: `${here}/run.sh`, oldText: null, newText: "new" };
    const stage = allowed({ title: "Edit", kind: "edit", content: [change] });
    stage.asks("fs/write_text_file", { path: `${here}/x\\../run.sh`, content: "new" });
    stage.inspects(null);
    expect(stage.of("ask.raised")).toHaveLength(2);
    expect(stage.ask().question.params).toMatchObject({ title: "edit x\\../run.sh", path: `${odd}/run.sh` });
  });

  test("on Windows it separates names", () => {
    expect(absolutePath("src\\..\\a.ts", "C:\\ws")).toBe("C:/ws/a.ts");
    expect(absolutePath("D:\\a.ts", "C:\\ws")).toBe("D:/a.ts");
    expect(absolutePath("C:\\a.ts", "/ws")).toBe("/ws/C:\\a.ts");
  });
});

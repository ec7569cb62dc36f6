// The modes of codex: which of its policies have a name, and what is shown while a turn runs in another one than was chosen.
import { expect, test } from "vitest";
import { answer, greeted, notice, refuse, thread } from "./codex-frames.js";

function inMode(policies: object) {
  const talking = greeted();
  answer(talking, "thread/start", { ...thread("t1"), ...policies });
  const modes = () => {
    const changed = talking.events.findLast(({ type }) => type === "settings.changed");
    return changed?.type === "settings.changed" ? changed.settings.find(({ key }) => key === "mode") : undefined;
  };
  const shown = () => modes()?.options.find(({ value }) => value === modes()?.value)?.label;
  return { talking, modes, shown };
}

test("a mode chosen during a turn is shown as that of the next turn, beside the one that runs", () => {
  const fullAccess = { approvalPolicy: "never", sandbox: { type: "dangerFullAccess" } };
  const { talking, modes, shown } = inMode(fullAccess);
  const choose = (value: string) => talking.say({ type: "set_config", key: "mode", value });
  talking.say({ type: "prompt", text: "go" });
  answer(talking, "turn/start", { turn: { id: "u1" } });
  choose("read-only");
  expect(shown()).toBe("full access, read only from the next turn");
  choose("auto");
  expect(shown()).toBe("full access, auto from the next turn");
  choose("full-access");
  expect(shown()).toBe("full access");
  choose("read-only");
  talking.hear(notice("turn/completed", { turn: { id: "u1", status: "completed" } }));
  expect([modes()?.value, shown()]).toEqual(["read-only", "read only"]);
  talking.hear(notice("turn/started", { turn: { id: "u2", status: "inProgress" } }));
  expect(shown(), "codex began by itself, in its own mode").toBe("full access, read only from the next turn");
  talking.hear(notice("turn/completed", { turn: { id: "u2", status: "completed" } }));
  talking.say({ type: "prompt", text: "again" });
  expect(shown()).toBe("read only");
  expect(talking.lastSent).toMatchObject({ params: { sandboxPolicy: { type: "readOnly" } } });
});

test.each([
  [{ networkAccess: true }, "on-request, workspace write, with network"],
  [{ writableRoots: ["/"] }, "on-request, workspace write, with other folders"],
  [{ networkAccess: true, writableRoots: ["/"] }, "on-request, workspace write, with network, other folders"],
  [{ networkAccess: false, writableRoots: [] }, "auto"],
])("a sandbox that allows more than a mode says is not shown as that mode: %j", (more, label) => {
  const { shown } = inMode({ approvalPolicy: "on-request", sandbox: { type: "workspaceWrite", ...more } });
  expect(shown()).toBe(label);
});

test("approval policy and sandbox are one mode, which goes along with the next turn", () => {
  const { talking, modes } = inMode({ approvalPolicy: "on-request", sandbox: { type: "readOnly" } });
  const values = ["read-only", "ask", "auto", "full-access"];
  expect(modes()).toMatchObject({ kind: "mode", value: "read-only", options: values.map((value) => ({ value })) });
  talking.say({ type: "set_config", key: "mode", value: "full-access" });
  expect(modes()).toMatchObject({ value: "full-access" });
  talking.say({ type: "prompt", text: "go" });
  expect(talking.lastSent).toMatchObject({
    params: { approvalPolicy: "never", sandboxPolicy: { type: "dangerFullAccess" } },
  });
  refuse(talking, "turn/start", "no network");
  talking.say({ type: "prompt", text: "again" });
  expect(talking.lastSent, "the mode that is shown").toMatchObject({ params: { approvalPolicy: "never" } });
  const wrong = talking.say({ type: "set_config", key: "mode", value: "custom" });
  expect(wrong).toMatchObject([{ type: "command.failed", message: 'codex has no mode "custom"' }]);
  talking.hear(
    notice("thread/settings/updated", {
      threadSettings: { approvalPolicy: "never", sandboxPolicy: { type: "workspaceWrite" } },
    }),
  );
  expect(modes()).toMatchObject({
    value: "custom",
    options: [{ label: "never, workspace write" }, ...values.map(() => ({}))],
  });
});

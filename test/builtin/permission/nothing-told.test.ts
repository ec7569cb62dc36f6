// Policy comes before any look: a model learns neither contents nor names of files that it may not read, by no tool, by no
// failure, and not by whether a question comes.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionMode } from "../../../src/session/permission/policy.js";
import { verifies } from "../../verifies.js";
import { freshFolder, startWithModel } from "../rig.js";

const SECRET_LINES = ["DATABASE_PASSWORD=correct-horse", "API_TOKEN=battery", "SALT=staple", "HOST=zebra.example"];
const GUESSES = ["DATABASE_PASSWORD=", "PASSWORD", "API_TOKEN=x", "TOKEN", "SALT=", "HOST=", "correct-horse", "zebra"];
const rules = ["private/**", "hidden.txt"].map((pattern) => ({
  layer: "user" as const,
  rule: { decision: "deny" as const, tool: "read", pattern },
}));

type Call = { readonly name: string; readonly args: Record<string, unknown> };

function houseOfSecrets(): { folder: string; outside: string } {
  const top = freshFolder();
  const folder = join(top, "ws");
  const outside = join(top, "home");
  for (const each of [folder, outside, join(outside, ".ssh"), join(folder, "private")]) mkdirSync(each);
  const text = `${SECRET_LINES.join("\n")}\n`;
  for (const name of [".env", "private/diary.txt", "hidden.txt"]) writeFileSync(join(folder, name), text);
  for (const name of [".ssh/id_rsa", "letter.txt", ".bashrc"]) writeFileSync(join(outside, name), text);
  symlinkSync("nowhere/else", join(folder, "private", "link"));
  return { folder, outside };
}

/** What a model may try on one file, and on one that is not there. */
function attempts(path: string): Call[] {
  const edit = (old_text: string): Call => ({
    name: "edit",
    args: { path, edits: [{ old_text, new_text: "x", replace_all: true }] },
  });
  const whole = `${SECRET_LINES.join("\n")}\n`;
  return [
    ...GUESSES.map(edit),
    ...SECRET_LINES.map(edit),
    edit(""),
    { name: "write", args: { path, content: whole } },
    { name: "write", args: { path, content: "x" } },
    { name: "write", args: { path: `${path}/x`, content: "x" } },
    { name: "read", args: { path } },
    { name: "read", args: { path: `${path}/x` } },
    { name: "grep", args: { path, pattern: "PASSWORD" } },
    { name: "ls", args: { path } },
    { name: "ls", args: { path: `${path}/..` } },
    { name: "glob", args: { path, pattern: "*" } },
  ];
}

/** What the model hears of each call, with the path taken out. */
async function heard(
  calls: readonly Call[],
  folder: string,
  options: { mode?: PermissionMode; ui?: "none" } = {},
): Promise<string[]> {
  const { agent, model } = await startWithModel({ folder, rules, ...options });
  model.play({ calls: [...calls] }, { text: "ok" });
  await agent.prompt("look");
  return (model.requests[1]?.body.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
}

test.each<[string, { mode?: PermissionMode; ui?: "none" }]>([
  ["without a person", { ui: "none" }],
  ["in a read-only session without a person", { mode: "read-only", ui: "none" }],
])("%s, secret, denied and outside files are told apart from missing ones by nothing", async (_name, options) => {
  verifies("rules.nothing-told-unasked");
  const { folder, outside } = houseOfSecrets();
  const pairs = [
    [".env", ".env.local"],
    ["private/diary.txt", "private/diarz.txt"],
    ["private/link", "private/lino"],
    [join(outside, ".ssh/id_rsa"), join(outside, ".ssh/id_dsa")],
    [join(outside, "letter.txt"), join(outside, "letten.txt")],
    [join(outside, ".bashrc"), join(outside, ".zshrc")],
  ] as const;
  for (const [there, missing] of pairs) {
    const [told, control] = [
      await heard(attempts(there), folder, options),
      await heard(attempts(missing), folder, options),
    ];
    expect(told).toHaveLength(attempts(there).length);
    for (const line of SECRET_LINES) expect(told.join("\n")).not.toContain(line);
    expect(told.join("\n")).not.toMatch(/correct-horse|battery|staple|nearest|Did you mean|letter\.txt\b.*is a/);
    const plain = (texts: string[], path: string) => texts.map((text) => text.replaceAll(path, "PATH"));
    // A folder above is listed where that is allowed, and says the same each time.
    expect(plain(told, there)).toEqual(plain(control, missing));
  }
});

test("an edit of a file that may not be read asks before it tells whether it fits", async () => {
  const { folder } = houseOfSecrets();
  const { agent, model } = await startWithModel({ folder });
  const edit = (old_text: string) => ({
    calls: [{ name: "edit", args: { path: ".env", edits: [{ old_text, new_text: "x" }] } }],
  });
  model.play(edit("SALT"), edit("SALT=stapler"), edit("SALT=stapler"), { text: "ok" });
  agent.send({ type: "prompt", text: "go" });
  const fits = await agent.question();
  expect(String(fits.params.opts?.diff)).toContain("-SALT=staple");
  agent.answer(fits, { ok: false, reason: "not that" });
  const misses = await agent.question();
  expect((misses.params as { message: string }).message).toMatch(/Nothing would change.*: old_text is not in the file/);
  expect(misses.params.opts?.allow_remember).toBe(false);
  agent.answer(misses, { ok: false, reason: "not that" });
  agent.answer(await agent.question(), { ok: true });
  await agent.event("agent_end");
  const told = (at: number) =>
    String(model.requests[at]?.body.messages.filter(({ role }) => role === "tool").at(-1)?.content);
  expect(told(1)).toBe(told(2));
  expect(told(3)).toMatch(/nearest is line 3: SALT=staple/);
});

test("a file inside that may be read is told about at once, without a question", async () => {
  const { folder } = houseOfSecrets();
  writeFileSync(join(folder, "a.txt"), "one line\n");
  const calls = [
    { name: "edit", args: { path: "a.txt", edits: [{ old_text: "one lime", new_text: "x" }] } },
    { name: "read", args: { path: "b.txt" } },
    { name: "read", args: { path: "hidden.tx" } },
  ];
  const [nearest, near, hidden] = await heard(calls, folder);
  expect(nearest).toMatch(/The nearest is line 1: one line/);
  expect(near).toBe("b.txt does not exist. Did you mean a.txt?");
  expect(hidden).toBe("hidden.tx does not exist.");
});

test("where writing is allowed and reading is not, the model hears only that it was written", async () => {
  const { folder, outside } = houseOfSecrets();
  const rule = { decision: "allow" as const, tool: "write", pattern: `${outside}/*.txt` };
  const { agent, model } = await startWithModel({ folder, ui: "none", rules: [{ layer: "user", rule }] });
  const write = (name: string, content: string) => ({ name: "write", args: { path: join(outside, name), content } });
  const same = `${SECRET_LINES.join("\n")}\n`;
  model.play(
    { calls: [write("letter.txt", same), write("letter.txt", "x\n"), write("new.txt", "x\n")] },
    { text: "ok" },
  );
  await agent.prompt("go");
  const told = model.requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
  expect(told.map(({ content }) => String(content).replaceAll(outside, "OUT"))).toEqual([
    "OUT/letter.txt was not written.",
    "Wrote OUT/letter.txt.",
    "Wrote OUT/new.txt.",
  ]);
});

test("an edit needs the right to read, also where every edit is allowed", async () => {
  const { folder } = houseOfSecrets();
  const allow = { layer: "user" as const, rule: { decision: "allow" as const, tool: "edit", pattern: null } };
  const { agent, model } = await startWithModel({ folder, ui: "none", rules: [...rules, allow] });
  const edits = ["SALT=staple", "SALT=wrong"].map((old_text) => ({
    name: "edit",
    args: { path: "private/diary.txt", edits: [{ old_text, new_text: "x" }] },
  }));
  model.play({ calls: edits }, { text: "ok" });
  await agent.prompt("go");
  const told = model.requests[1]?.body.messages.filter(({ role }) => role === "tool") ?? [];
  const words = "Not allowed: your rules deny read(private/**).";
  expect(told.map(({ content }) => content)).toEqual([words, words]);
});

test("a pattern cannot be used to guess the names in a denied folder", async () => {
  const { folder } = houseOfSecrets();
  const tries = ["private/d*", "private/q*", "missing/d*", "**/diary.txt", "**/qiary.txt"];
  const globs = await heard(
    tries.map((pattern) => ({ name: "glob", args: { pattern } })),
    folder,
  );
  const greps = await heard(
    tries.map((glob) => ({ name: "grep", args: { pattern: "PASSWORD", glob } })),
    folder,
  );
  const plain = (texts: string[]) => new Set(texts.map((text, at) => text.replace(tries[at] ?? "", "PATTERN")));
  expect(plain(globs).size).toBe(1);
  expect(plain(greps).size).toBe(1);
});

// Whose permission rule it is: rules of the user, of a project and of runs without a person come from files on disk as
// layers of their own, and no file of a project can allow what the user did not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { permissionsIn } from "../../src/cli/commands/agent-command.js";
import { readConfigFile } from "../../src/cli/config/config-file.js";
import { loadConfig } from "../../src/cli/config/load-config.js";
import { decidePermission, defaultPolicy } from "../../src/session/permission/policy.js";
import type { PermissionRequest } from "../../src/session/permission/request.js";
import { ruleText } from "../../src/session/permission/rule.js";

let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "palaver-rules-"));
  project = join(home, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** The permissions of the project, with these two files. */
async function permissions({ own = "", its = "", trust = "foreign" }: { own?: string; its?: string; trust?: string }) {
  const file = join(project, ".palaver.toml");
  const config = join(home, "config.toml");
  if (its !== "") writeFileSync(file, its);
  const fingerprint = trust === "trusted" ? readConfigFile(file, "links-refused")?.fingerprint : "none";
  writeFileSync(config, `${own}\n[trusted]\n${JSON.stringify(file)} = "${fingerprint}"\n`);
  return permissionsIn(loadConfig({ environment: { HOME: home, PALAVER_CONFIG: config }, folder: project }));
}

const edit: PermissionRequest = {
  tool: "edit",
  access: "write",
  subject: "src/a.ts",
  reach: "inside",
  danger: null,
};

async function decision(files: Parameters<typeof permissions>[0], presence: "person" | "headless" = "person") {
  const { mode, rules } = await permissions(files);
  return decidePermission({ ...defaultPolicy, mode, rules, presence }, edit).decision;
}

test("each rule is in the layer of its author", async () => {
  const { rules } = await permissions({
    own: '[permissions]\nallow = ["read"]\nask = ["bash"]\n[permissions.headless]\nallow = ["bash(npm test:*)"]\n',
    its: '[permissions]\ndeny = ["write"]\nask = ["read(*.pem)"]\n[permissions.headless]\ndeny = ["bash"]\n',
  });
  expect(rules.map(({ layer, rule }) => `${layer}: ${rule.decision} ${ruleText(rule)}`)).toEqual([
    "user: allow read",
    "user: ask bash",
    "project: ask read(*.pem)",
    "project: deny write",
    "headless: allow bash(npm test:*)",
    "project-headless: deny bash",
  ]);
});

describe("a project's file", () => {
  const allows = '[permissions]\nallow = ["edit", "edit(src/**)", "edit(./src/a.ts)"]\n';

  test("that no one has trusted allows nothing", async () => {
    expect(await decision({ its: allows })).toBe("ask");
    expect(await decision({ its: allows.replace("]", "]\n[permissions.headless]\n") }, "headless")).toBe("deny");
    expect(await decision({ its: '[permissions.headless]\nallow = ["edit(./src/a.ts)"]\n' }, "headless")).toBe("deny");
  });

  test("that the user has trusted allows what it says, and never what the user denies", async () => {
    expect(await decision({ its: allows, trust: "trusted" })).toBe("allow");
    const own = '[permissions]\ndeny = ["edit(src/**)"]\n';
    expect(await decision({ own, its: allows, trust: "trusted" })).toBe("deny");
    const headless = '[permissions.headless]\nallow = ["edit(./src/a.ts)"]\n';
    const ownHeadless = '[permissions.headless]\ndeny = ["edit(src/**)"]\n';
    expect(await decision({ its: headless, trust: "trusted" }, "headless")).toBe("allow");
    expect(await decision({ own: ownHeadless, its: headless, trust: "trusted" }, "headless")).toBe("deny");
  });

  test("may be stricter without being trusted", async () => {
    const own = '[permissions]\nallow = ["edit"]\n';
    expect(await decision({ own })).toBe("allow");
    expect(await decision({ own, its: '[permissions]\nask = ["edit(src/**)"]\n' })).toBe("ask");
    expect(await decision({ own, its: '[permissions]\ndeny = ["edit"]\n' })).toBe("deny");
    expect(await decision({ own, its: "read_only = true\n" })).toBe("deny");
  });

  test("cannot turn a denial of the user into a question", async () => {
    const own = '[permissions]\ndeny = ["edit"]\n';
    expect(await decision({ own, its: '[permissions]\nask = ["edit(./src/a.ts)"]\n' })).toBe("deny");
    expect(await decision({ own: "read_only = true\n", its: "read_only = false\n" })).toBe("deny");
  });
});

test("rules for running without a person count then, and only then", async () => {
  const own = '[permissions.headless]\nallow = ["edit(src/**)"]\n';
  expect(await decision({ own }, "headless")).toBe("allow");
  expect(await decision({ own }, "person")).toBe("ask");
});

test("a rule that is none is named with its file", async () => {
  await expect(permissions({ its: '[permissions]\ndeny = ["Edit"]\n' })).rejects.toThrow(
    /project\/\.palaver\.toml, deny\[0\]: the rule "Edit" names no tool/,
  );
});

// The sandbox as data: the order of its mounts, the profile for macOS, the variables that enter, and the signs of a failure.
import { describe, expect, test } from "vitest";
import { stoppedBySandbox } from "../../../src/session/sandbox/outside-approval.js";
import { sandboxEnvironment } from "../../../src/session/sandbox/sandbox-environment.js";
import { bwrapArguments, type SandboxPolicy, seatbeltProfile } from "../../../src/session/sandbox/sandbox-policy.js";

const policy: SandboxPolicy = {
  writable: ["/home/ada/work"],
  hidden: ["/home", "/run"],
  replaced: [{ at: "/home/ada", by: "/tmp/p/home" }],
  visible: ["/home/ada/.cargo/bin"],
  pinned: ["/home/ada/work/deploy"],
  guarded: ["/home/ada/work/.git"],
  forbidden: ["/home/ada/work/.vscode"],
  masked: [{ path: "/home/ada/work/deploy/.env", kind: "file" }],
  empty: { file: "/tmp/p/file", folder: "/tmp/p/folder" },
  network: "none",
};

describe("the arguments of bubblewrap", () => {
  const line = bwrapArguments(policy, "/home/ada/work").join(" ");

  test("cover in this order: the system, what is hidden, what is shown, what may be written, what may not", () => {
    const steps = [
      "--ro-bind / /",
      "--tmpfs /home",
      "--bind /tmp/p/home /home/ada",
      "--ro-bind /home/ada/.cargo/bin /home/ada/.cargo/bin",
      "--bind /home/ada/work /home/ada/work",
      "--bind /home/ada/work/deploy /home/ada/work/deploy",
      "--ro-bind /home/ada/work/.git /home/ada/work/.git",
      "--ro-bind /tmp/p/file /home/ada/work/deploy/.env",
      "--remount-ro /home",
    ];
    const places = steps.map((step) => line.indexOf(step));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test("put a home below /tmp into the private /tmp", () => {
    const replaced = [
      { at: "/tmp/home", by: "/p/home" },
      { at: "/tmp", by: "/p/tmp" },
    ];
    expect(bwrapArguments({ ...policy, replaced }, "/").join(" ")).toContain(
      "--bind /p/tmp /tmp --bind /p/home /tmp/home",
    );
  });

  test("cut the network only where the policy says so", () => {
    expect(line).toContain("--unshare-net");
    expect(bwrapArguments({ ...policy, network: "shared" }, "/").join(" ")).not.toContain("--unshare-net");
  });
});

describe("the profile for macOS (its text alone: sandbox-exec runs only there)", () => {
  test("denies by default, and denies again what lies in the folder that may be written", () => {
    const rules = seatbeltProfile(policy).split("\n");
    expect(rules.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
    const place = (rule: string) => rules.indexOf(rule);
    const order = [
      '(deny file-read* (subpath "/home") (subpath "/run") (subpath "/home/ada"))',
      '(allow file-read* (subpath "/home/ada/.cargo/bin") (subpath "/tmp/p/home") (subpath "/home/ada/work"))',
      '(allow file-write* (subpath "/tmp/p/home") (subpath "/home/ada/work"))',
      '(deny file-write* (subpath "/home/ada/work/.git") (subpath "/home/ada/work/.vscode"))',
      '(deny file-write-unlink (literal "/home/ada/work/deploy"))',
      '(deny file-read* file-write* (subpath "/home/ada/work/deploy/.env"))',
    ].map(place);
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(rules.join()).not.toContain("network");
  });

  test("a folder with a quote in its name stays one name", () => {
    expect(seatbeltProfile({ ...policy, writable: ['/a")(allow default)("\\'] })).toContain(
      '(subpath "/a\\")(allow default)(\\"\\\\")',
    );
  });
});

test("variables that hold a secret, or lead to a program that acts for the user, stay outside", () => {
  const variables = {
    PATH: "/usr/bin",
    PWD: "/home/ada/work/a-long-folder",
    GITHUB_TOKEN: "abcdefgh",
    DB_PASSWORD: "x",
    ODD: "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    NODE_OPTIONS: "--title=ghp_0123456789abcdefghijABCDEFGHIJ012345",
    DATABASE_URL: "postgres://ada:hunter2@db/x",
    SSH_AUTH_SOCK: "/run/agent",
    DISPLAY: ":0",
    GONE: undefined,
  };
  expect(Object.keys(sandboxEnvironment(variables, { secrets: "secrets-out" }))).toEqual(["PATH", "PWD"]);
  const agent = sandboxEnvironment(variables, { secrets: "secrets-in" });
  expect(agent["GITHUB_TOKEN"]).toBe("abcdefgh");
  expect(agent).not.toHaveProperty("SSH_AUTH_SOCK");
});

test("a variable with a name that is not known to be harmless enters only when the user names it", () => {
  const names =
    "OPENAI_KEY STRIPE_KEY SMTP_PASS NPM_CONFIG__AUTH BASIC_AUTH SENTRY_DSN API_CREDS WHATEVER DISPLAY".split(" ");
  const variables = { ...Object.fromEntries(names.map((name) => [name, "x"])), LC_ALL: "C", NODE_ENV: "test" };
  expect(sandboxEnvironment(variables, { secrets: "secrets-out" })).toEqual({ LC_ALL: "C", NODE_ENV: "test" });
  const named = sandboxEnvironment(variables, { secrets: "secrets-out", variables: ["WHATEVER", "DISPLAY"] });
  expect(named).toEqual({ LC_ALL: "C", NODE_ENV: "test", WHATEVER: "x" });
});

test.each([
  ["touch: cannot touch '/etc/x': Read-only file system", /write outside the workspace/],
  ["npm error code EROFS", /write outside the workspace/],
  ["curl: (6) Could not resolve host: example.org", /network/],
  ["npm error getaddrinfo EAI_AGAIN registry.npmjs.org", /network/],
  ["connect: Network is unreachable", /network/],
  ["cp: cannot create: Operation not permitted", /not permitted/],
])("%s: the sandbox may be the reason", (output, because) => {
  expect(stoppedBySandbox({ output })).toMatch(because);
});

test("a file that is missing is one that the sandbox hides, if it lies in a hidden folder", () => {
  const output = "cat: /home/ada/notes.txt: No such file or directory\n[exit code 1]";
  expect(stoppedBySandbox({ output, hidden: ["/home"] })).toBe("it wanted a file that is hidden there");
  expect(stoppedBySandbox({ output, hidden: ["/run"] })).toBeNull();
});

test("a test that fails is no reason to leave the sandbox", () => {
  expect(stoppedBySandbox({ output: "1 failed, 3 passed\n[exit code 1]" })).toBeNull();
});

test("a git stash that fails without a word wanted to write in .git", () => {
  expect(stoppedBySandbox({ command: "git stash -u", output: "[exit code 1]" })).toMatch(/\.git/);
  expect(stoppedBySandbox({ command: "git log", output: "[exit code 1]" })).toBeNull();
});

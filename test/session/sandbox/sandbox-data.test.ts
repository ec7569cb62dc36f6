// The sandbox as data: the order of its mounts, the profile for macOS, the variables that enter, and the signs of a failure.
import { describe, expect, test } from "vitest";
import { bwrapArguments } from "../../../src/session/sandbox/bwrap-arguments.js";
import { sandboxEnvironment } from "../../../src/session/sandbox/sandbox-environment.js";
import type { SandboxPolicy } from "../../../src/session/sandbox/sandbox-policy.js";
import { seatbeltProfile } from "../../../src/session/sandbox/seatbelt-profile.js";
import { stoppedBySandbox } from "../../../src/session/sandbox/stopped-by-sandbox.js";

const policy: SandboxPolicy = {
  writable: ["/home/ada/work"],
  hidden: ["/home", "/run"],
  replaced: [{ at: "/home/ada", by: "/tmp/p/home" }],
  visible: ["/home/ada/.cargo/bin"],
  guarded: ["/home/ada/work/.git"],
  forbidden: [],
  masked: [{ path: "/home/ada/work/.env", kind: "file" }],
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
      "--ro-bind /home/ada/work/.git /home/ada/work/.git",
      "--ro-bind /tmp/p/file /home/ada/work/.env",
      "--remount-ro /home",
    ];
    const places = steps.map((step) => line.indexOf(step));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
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
      '(deny file-write* (subpath "/home/ada/work/.git"))',
      '(deny file-read* file-write* (subpath "/home/ada/work/.env"))',
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

test("variables that hold a secret, or lead to a program that acts for the person, stay outside", () => {
  const variables = {
    PATH: "/usr/bin",
    PWD: "/home/ada/work/a-long-folder",
    GITHUB_TOKEN: "abcdefgh",
    DB_PASSWORD: "x",
    ODD: "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    DATABASE_URL: "postgres://ada:hunter2@db/x",
    SSH_AUTH_SOCK: "/run/agent",
    DISPLAY: ":0",
    GONE: undefined,
  };
  expect(Object.keys(sandboxEnvironment(variables, "secrets-out"))).toEqual(["PATH", "PWD"]);
  const agent = sandboxEnvironment(variables, "secrets-in");
  expect(agent["GITHUB_TOKEN"]).toBe("abcdefgh");
  expect(agent).not.toHaveProperty("SSH_AUTH_SOCK");
});

test.each([
  ["touch: cannot touch '/etc/x': Read-only file system", /write outside the workspace/],
  ["npm error code EROFS", /write outside the workspace/],
  ["curl: (6) Could not resolve host: example.org", /network/],
  ["npm error getaddrinfo EAI_AGAIN registry.npmjs.org", /network/],
  ["connect: Network is unreachable", /network/],
  ["cp: cannot create: Operation not permitted", /not permitted/],
])("%s: the sandbox may be the reason", (output, because) => {
  expect(stoppedBySandbox(output)).toMatch(because);
});

test("a file that is missing is one that the sandbox hides, if it lies in a hidden folder", () => {
  const output = "cat: /home/ada/notes.txt: No such file or directory\n[exit code 1]";
  expect(stoppedBySandbox(output, ["/home"])).toBe("it wanted a file that is hidden there");
  expect(stoppedBySandbox(output, ["/run"])).toBeNull();
});

test("a test that fails is no reason to leave the sandbox", () => {
  expect(stoppedBySandbox("1 failed, 3 passed\n[exit code 1]")).toBeNull();
});

// Who gets past the guard: only somebody with the token, by our own name, from nowhere else, on a plain path.
import { describe, expect, test } from "vitest";
import { createGuard, loopbackHosts } from "../../../src/server/http/request-guard.js";
import { verifies } from "../../verifies.js";

const token = "0123456789abcdef0123456789abcdef";
const guard = createGuard({ token, port: 4100, hosts: loopbackHosts });

type Headers = Readonly<Record<string, string>>;
const good: Headers = { Host: "127.0.0.1:4100", Authorization: `Bearer ${token}` };
const judge = (target: string, headers: Headers, check = guard) => {
  const verdict = check({ method: "GET", target, rawHeaders: Object.entries(headers).flat() });
  return "status" in verdict ? verdict.status : "passes";
};

describe("the Host", () => {
  test.each([
    ["127.0.0.1:4100", "passes"],
    ["localhost:4100", "passes"],
    ["LOCALHOST:4100", "passes"],
    ["[::1]:4100", "passes"],
    ["evil.example:4100", 403],
    ["127.0.0.1.evil.example:4100", 403],
    ["localhost.evil.example:4100", 403],
    ["127.0.0.1", 403],
    ["127.0.0.1:4101", 403],
    ["127.0.0.1:04100", 403],
    ["2130706433:4100", 403],
    ["user@127.0.0.1:4100", 403],
    ["127.0.0.1:4100, evil.example", 403],
    ["", 403],
  ])("%s: %s", (host, verdict) => {
    expect(judge("/state", { ...good, Host: host })).toBe(verdict);
  });

  test("missing or doubled is refused", () => {
    const { Host: _, ...rest } = good;
    expect(judge("/state", rest)).toBe(403);
    const rawHeaders = ["Host", "127.0.0.1:4100", "host", "evil.example", "Authorization", `Bearer ${token}`];
    expect(guard({ method: "GET", target: "/state", rawHeaders })).toMatchObject({ status: 400 });
  });

  test("may be any plain address where the owner listens on all, but never a name", () => {
    const open = createGuard({ token, port: 4100, hosts: "any-address" });
    const hosts = [
      "192.168.1.5:4100",
      "[fe80::1]:4100",
      "localhost:4100",
      "evil.example:4100",
      "192.168.1.5",
      "a:4100",
    ];
    expect(hosts.map((Host) => judge("/state", { ...good, Host }, open))).toEqual([
      "passes",
      "passes",
      "passes",
      403,
      403,
      403,
    ]);
  });
});

describe("the Origin", () => {
  test.each([
    ["http://127.0.0.1:4100", "passes"],
    ["http://localhost:4100", 403],
    ["http://localhost:3000", 403],
    ["https://127.0.0.1:4100", 403],
    ["http://evil.example", 403],
    ["http://127.0.0.1:4100.evil.example", 403],
    ["null", 403],
    ["", 403],
    ["file://", 403],
  ])("%s: %s", (origin, verdict) => {
    expect(judge("/action", { ...good, Origin: origin })).toBe(verdict);
  });

  test("a browser that says the request comes from another site is believed", () => {
    const sites = ["cross-site", "same-site", "same-origin", "none"];
    expect(sites.map((site) => judge("/state", { ...good, "Sec-Fetch-Site": site }))).toEqual([
      403,
      403,
      "passes",
      "passes",
    ]);
  });
});

describe("the token", () => {
  test.each([
    [`Bearer ${token}`, "passes"],
    [`bearer  ${token}`, "passes"],
    [`Bearer ${token}x`, 401],
    [`Bearer ${token.slice(1)}`, 401],
    [`Bearer ${token.toUpperCase()}`, 401],
    ["Bearer ", 401],
    ["Bearer", 401],
    [token, 401],
    [`Basic ${token}`, 401],
    ["", 401],
  ])("%s: %s", (authorization, verdict) => {
    verifies("daemon.needs-the-token");
    expect(judge("/state", { ...good, Authorization: authorization })).toBe(verdict);
  });

  test("is not taken from the address, which ends up in histories and logs", () => {
    const { Authorization: _, ...rest } = good;
    expect(judge(`/logs?token=${token}`, rest)).toBe(401);
  });

  test("an empty one in the daemon opens nothing", () => {
    const open = createGuard({ token: "", port: 4100, hosts: loopbackHosts });
    expect(["Bearer ", "Bearer", ""].map((Authorization) => judge("/state", { ...good, Authorization }, open))).toEqual(
      [401, 401, 401],
    );
  });
});

describe("the path", () => {
  test.each([
    ["/state", "passes"],
    ["/openapi.json", "passes"],
    ["/asks/a%20b:c/answer?x=//..%2f", "passes"],
    ["/", "passes"],
    ["//state", 400],
    ["/state//x", 400],
    ["/../state", 400],
    ["/./state", 400],
    ["/x/../state", 400],
    ["/%2e%2e/state", 400],
    ["/x%2fstate", 400],
    ["/x%5Cstate", 400],
    ["/state%00", 400],
    ["\\state", 400],
    ["/a\\b", 400],
    ["http://evil.example/state", 400],
    ["http://127.0.0.1:4100/state", 400],
    ["*", 400],
    ["", 400],
    ["/stäte", 400],
    [`/${"x".repeat(9_000)}`, 400],
  ])("%s: %s", (target, verdict) => {
    expect(judge(target, good)).toBe(verdict);
  });
});

test("a client without the token does not learn which paths there are", () => {
  const { Authorization: _, ...rest } = good;
  expect(["/state", "/nothing", "/openapi.json"].map((target) => judge(target, rest))).toEqual([401, 401, 401]);
});

// Where a daemon may listen: loopback without words, everything else only when that was said outright.
import { expect, test } from "vitest";
import { bindAddress } from "../../src/server/http/listening.js";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["localhost", "127.0.0.1"],
  ["::1", "::1"],
  ["[::1]", "::1"],
  ["127.1.2.3", "127.1.2.3"],
])("%s is loopback", (host, address) => {
  expect(bindAddress({ host }).host).toBe(address);
});

test("the default is loopback", () => {
  expect(bindAddress({})).toEqual({
    host: "127.0.0.1",
    urlHost: "127.0.0.1",
    hosts: ["127.0.0.1", "localhost", "[::1]"],
  });
});

test.each(["0.0.0.0", "::", "192.168.1.5", "example.org", "127.0.0.1.example.org", "localhost.example.org", ""])(
  "%s is refused until it is allowed",
  (host) => {
    expect(() => bindAddress({ host })).toThrow(expect.objectContaining({ code: "address_refused" }));
    expect(bindAddress({ host, remote: "allow" }).host).toBe(host);
  },
);

test("on all addresses any plain address is a good Host, and clients here use loopback", () => {
  expect(bindAddress({ host: "0.0.0.0", remote: "allow" })).toEqual({
    host: "0.0.0.0",
    urlHost: "127.0.0.1",
    hosts: "any-address",
  });
});

// The fragment of the address and the screens it names.
import { expect, test } from "vitest";
import { hashOf, routeOf } from "../../src/page/state/route.js";

test.each([
  ["", { at: "home" }],
  ["#home", { at: "home" }],
  ["#ask=p1f2", { at: "ask", id: "p1f2" }],
  ["#session=a%20b", { at: "session", id: "a b" }],
  ["#pair=x=y", { at: "pair", code: "x=y" }],
  ["#share=s", { at: "share", secret: "s" }],
  ["#devices", { at: "devices" }],
  ["#ask=", { at: "home" }],
  ["#ask=%E0%A4%A", { at: "home" }],
  ["#javascript:alert(1)", { at: "home" }],
])("%s is %o", (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
});

test("an id of any letters comes back as it was", () => {
  expect(routeOf(hashOf({ at: "ask", id: "a/b=c#d é" }))).toEqual({ at: "ask", id: "a/b=c#d é" });
});

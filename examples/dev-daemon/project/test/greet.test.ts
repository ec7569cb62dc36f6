// The tests that the dev daemon runs on demand, with Node's own runner.
import { strictEqual } from "node:assert/strict";
import { test } from "node:test";
import { greet } from "../src/greet.js";

test("a greeting names whom it greets", () => {
  strictEqual(greet("you"), "Hello you!");
});

test("an empty name is greeted too", () => {
  strictEqual(greet(""), "Hello !");
});

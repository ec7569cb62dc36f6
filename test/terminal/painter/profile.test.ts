// Which terminal gets which treatment, from its answers and the environment alone.
import { describe, expect, test } from "vitest";
import { profileFor } from "../../../src/terminal/painter/profile.js";

describe("the profile of a terminal", () => {
  test.each([
    ["nothing known", {}, {}, "generic"],
    ["xterm.js by its device attributes", { secondaryAttributes: "0;276;0" }, {}, "xterm.js"],
    ["xterm.js by its version", { version: "xterm.js(6.1)" }, {}, "xterm.js"],
    ["the terminal of an editor, before it answers", {}, { TERM_PROGRAM: "vscode" }, "xterm.js"],
    ["another terminal started from that editor", { version: "XTerm(379)" }, { TERM_PROGRAM: "vscode" }, "xterm"],
    ["kitty", { version: "kitty(0.26.5)", secondaryAttributes: "1;4000;26" }, {}, "kitty"],
    ["ghostty", { version: "ghostty 1.2" }, {}, "kitty"],
    ["VTE", { secondaryAttributes: "65;7006;1" }, {}, "vte"],
    ["tmux by its version", { version: "tmux 3.3a", secondaryAttributes: "84;0;0" }, {}, "tmux"],
    ["tmux inside of xterm.js", { secondaryAttributes: "0;276;0" }, { TMUX: "/tmp/tmux-0/default,1,0" }, "tmux"],
    ["GNU screen", { secondaryAttributes: "83;40900;0" }, {}, "screen"],
    ["an unknown terminal with a name", { version: "Konsole 22.12.3" }, {}, "generic"],
  ])("%s is found", (_, answers, environment, name) => {
    expect(profileFor(answers, environment).name).toBe(name);
  });

  test.each([
    ["kitty", { version: "kitty(0.26.5)" }, {}, "right"],
    ["VTE", { secondaryAttributes: "65;7006;1" }, {}, "right"],
    ["foot", { version: "foot(1.13.1)" }, {}, "right"],
    ["xterm.js", { secondaryAttributes: "0;276;0" }, {}, "right"],
    ["tmux, which tears lines", { version: "tmux 3.3a" }, {}, "unknown"],
    ["xterm, which cuts lines", { version: "XTerm(379)" }, {}, "unknown"],
    ["an unknown terminal", {}, {}, "unknown"],
  ])("%s: whether prose may be left to it", (_, answers, environment, reflow) => {
    expect(profileFor(answers, environment).reflow).toBe(reflow);
  });

  test.each([
    [undefined, "unknown"],
    [0, "no"],
    [1, "known"],
    [2, "known"],
    [4, "no"],
  ])("an answer of %s about synchronized updates means %s", (answer, expected) => {
    const answers = answer === undefined ? {} : { synchronizedUpdates: answer };
    expect(profileFor(answers, {}).synchronized).toBe(expected);
  });
});

// Where settings and state are kept, from the variables and the account.
import { expect, test } from "vitest";
import { configFolder, homeFolder, stateFolder } from "../../src/session/user-folders.js";

const account = () => "/account";
const unknown = () => {
  throw new Error("no such user");
};

test.each([
  [{ HOME: "/h", XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c" }, "/s/palaver", "/c/palaver"],
  [{ HOME: "/h" }, "/h/.local/state/palaver", "/h/.config/palaver"],
  [{ HOME: "/h/" }, "/h/.local/state/palaver", "/h/.config/palaver"],
  [{ HOME: "/" }, "/.local/state/palaver", "/.config/palaver"],
  [{ HOME: "/h", XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "./c" }, "/h/.local/state/palaver", "/h/.config/palaver"],
  [{ HOME: "/h", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" }, "/h/.local/state/palaver", "/h/.config/palaver"],
  [{}, "/account/.local/state/palaver", "/account/.config/palaver"],
  [{ HOME: "" }, "/account/.local/state/palaver", "/account/.config/palaver"],
  [{ HOME: "rel" }, "/account/.local/state/palaver", "/account/.config/palaver"],
  [{ HOME: "." }, "/account/.local/state/palaver", "/account/.config/palaver"],
  [{ HOME: "~" }, "/account/.local/state/palaver", "/account/.config/palaver"],
  [{ USERPROFILE: "C:\\Users\\a" }, "C:\\Users\\a/.local/state/palaver", "C:\\Users\\a/.config/palaver"],
])("%j: state in %s, settings in %s", (environment, state, config) => {
  expect(stateFolder(environment, account)).toBe(state);
  expect(configFolder(environment, account)).toBe(config);
});

test.each([unknown, () => "", () => "relative"])(
  "without a variable and without an account there is no place",
  (home) => {
    for (const environment of [{}, { HOME: "" }, { HOME: "rel", XDG_STATE_HOME: "rel", XDG_CONFIG_HOME: "rel" }]) {
      expect(homeFolder(environment, home)).toBeNull();
      expect(stateFolder(environment, home)).toBeNull();
      expect(configFolder(environment, home)).toBeNull();
    }
  },
);

// Settings from real files: found where they should be, refused where they should not, kept for the next time.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfigFile } from "../../../src/cli/config/config-file.js";
import { configText, settingChoices } from "../../../src/cli/config/config-report.js";
import {
  findProjectFile,
  loadConfig,
  PROJECT_FILE,
  readConfig,
  userConfigPath,
  variablesIn,
  withEnvFile,
} from "../../../src/cli/config/load-config.js";
import { forgetSetting, persistAt, persistSetting, persistTyped } from "../../../src/cli/config/persist-setting.js";
import { settingFlags } from "../../../src/cli/config/typed-layers.js";
import { UsageError } from "../../../src/cli/exit-codes.js";
import { verifies } from "../../verifies.js";

/** A home with a repository in it: home/code/parser/.git, and home/code/parser/src to stand in. */
function world(files: Readonly<Record<string, string>> = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "palaver-config-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  put("code/parser/.git/HEAD", "ref: refs/heads/main\n");
  put("code/parser/src/a.ts", "");
  for (const [path, text] of Object.entries(files)) put(path, text);
  const environment = { HOME: home };
  const folder = join(home, "code/parser/src");
  const config = join(home, ".config/palaver/config.toml");
  return {
    home,
    folder,
    environment,
    config,
    put,
    read: (extra = {}) => readConfig({ environment, folder, ...extra }),
  };
}

const own = ".config/palaver/config.toml";
const theirs = "code/parser/.palaver.toml";

describe("precedence", () => {
  test("a flag beats the environment, which beats the project, which beats the user", () => {
    verifies("settings.flag-beats-file");
    const { read, environment } = world({
      [own]: 'theme = "moss"\nwrap = "terminal"\nmotion = "reduced"\nthinking = "hidden"\n',
      [theirs]: 'theme = "dawn"\nwrap = "words"\nmotion = "full"\n',
    });
    const { settings } = read({
      environment: { ...environment, PALAVER_THEME: "paper", PALAVER_WRAP: "terminal" },
      flags: { theme: "ember", other: "x" },
    });
    expect([settings.theme, settings.wrap, settings.motion, settings.thinking]).toEqual([
      "ember",
      "terminal",
      "full",
      "hidden",
    ]);
  });

  test("there is a flag for every setting that fits on one line", () => {
    expect(Object.keys(settingFlags)).toEqual(expect.arrayContaining(["theme", "typing-guard-ms", "output-lines"]));
    expect(Object.keys(settingFlags)).not.toContain("agents");
  });

  test("an empty variable sets nothing", () => {
    const { read, environment } = world();
    expect(read({ environment: { ...environment, PALAVER_THEME: "" } }).settings.theme).toBe("auto");
  });
});

describe("what is wrong", () => {
  test("in a file that is no TOML is an error with file, line and column", () => {
    const { read, config } = world({ [own]: 'theme = "moss"\nwrap = words\n' });
    expect(() => read()).toThrow(UsageError);
    expect(() => read()).toThrow(new RegExp(`^${config}:2:\\d+: [a-z ]+$`));
  });

  test("is told by file and line, variable or flag", () => {
    const { read, config, environment, home } = world({
      [own]: '# mine\n\n[permissions]\ndeny = "x"\n',
      [theirs]: 'theme = "dawn"\neditor = "evil"\nthemee = 1\n',
    });
    const { errors, warnings } = read({
      environment: { ...environment, PALAVER_WRAP: "never" },
      flags: { "output-lines": "many" },
    });
    const file = join(home, theirs);
    expect(errors).toEqual([
      `${config}:4: permissions.deny must be a list of rules such as "bash(npm test:*)", such as ["…", "…"]`,
      "PALAVER_WRAP must be one of auto, words, terminal",
      "--output-lines must be a whole number from 1 to 10000",
    ]);
    expect(warnings[0]).toMatch(`${file}:2: editor is ignored in a project's file`);
    expect(warnings[1]).toBe(`${file}:3: themee is not a setting; did you mean theme?`);
  });

  test("ends a command that needs settings, and a warning does not", async () => {
    const { environment, folder, put } = world({ [own]: 'themee = "x"\n' });
    expect(loadConfig({ environment, folder }).warnings).toHaveLength(1);
    put(own, 'theme = "x"\n');
    expect(() => loadConfig({ environment, folder })).toThrow(/must be one of/);
  });

  test("without any file the variables and flags still count", async () => {
    const { environment, folder } = world();
    const { settings, userPath, project } = loadConfig({
      environment: { ...environment, PALAVER_THEME: "paper" },
      folder,
      flags: { wrap: "terminal" },
    });
    expect([settings.theme, settings.wrap, project]).toEqual(["paper", "terminal", null]);
    expect(userPath).toMatch(/config\.toml$/);
  });

  test("with keys is a warning that names the line", () => {
    const { read, config } = world({ [own]: '[keys]\nabort = "ctrl+x"\nredraw = "ctrl+c"\n' });
    expect(read().warnings).toEqual([
      `${config}:3: keys.redraw ctrl+c always means cancel`,
      `${config}:3: keys.redraw has no key left: other actions use them all`,
    ]);
  });
});

describe("the project's file", () => {
  test("is the nearest one up to the root of the repository, never the home's", () => {
    const { home, folder, environment, put } = world({ ".palaver.toml": "", "code/.palaver.toml": "" });
    expect(findProjectFile(folder, environment)).toBeNull();
    put(theirs, "");
    expect(findProjectFile(folder, environment)).toBe(join(home, theirs));
    put("code/parser/src/.palaver.toml", "");
    expect(findProjectFile(folder, environment)).toBe(join(folder, ".palaver.toml"));
    expect(findProjectFile(join(home, "code"), environment)).toBe(join(home, "code/.palaver.toml"));
    expect(findProjectFile(home, environment)).toBeNull();
  });

  test("of somebody who put it above us in a shared place is not looked at", () => {
    const { home, put } = world({ ".palaver.toml": "", "a/b/x": "" });
    expect(findProjectFile(join(home, "a/b"), { HOME: "/nowhere" })).toBeNull();
    put("a/b/.palaver.toml", "");
    expect(findProjectFile(join(home, "a/b"), { HOME: "/nowhere" })).toBe(join(home, "a/b/.palaver.toml"));
  });

  test("is trusted as it was, and not when it has changed", () => {
    const { read, environment, home, put } = world({ [theirs]: 'editor = "vim"\n' });
    const path = join(home, theirs);
    expect(read().settings.editor).toBe("");
    const file = readConfigFile(path, "links-refused");
    if (file === null) throw new Error("the file is there");
    persistAt(environment, ["trusted", path], file.fingerprint);
    expect(read()).toMatchObject({ settings: { editor: "vim" }, project: { trust: "trusted" }, warnings: [] });
    put(theirs, 'editor = "vim" # and evil\n');
    expect(read()).toMatchObject({ settings: { editor: "" }, project: { trust: "foreign" } });
  });

  const SECRET = "aws_secret_access_key = wJalrXUtnFEMI";
  test.each<[string, (path: string, secret: string) => void, string]>([
    ["a link to a file of the user", (path, secret) => symlinkSync(secret, path), "it is a link"],
    ["a link to itself", (path) => symlinkSync(PROJECT_FILE, path), "it is a link"],
    ["a link to nothing", (path) => symlinkSync("/nowhere", path), "it is a link"],
    ["a folder", (path) => mkdirSync(path), "it is not a file"],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), "it is not a file"],
    ["too large", (path) => writeFileSync(path, "#".repeat(1024 * 1024 + 1)), "it is too large"],
    ["not TOML", (path) => writeFileSync(path, `[default]\n${SECRET}\n`), ":2:"],
  ])("that is %s is ignored with a warning that quotes nothing of it", async (_, make, words) => {
    const { home, environment, folder } = world({ credentials: `[default]\n${SECRET}\n` });
    make(join(home, theirs), join(home, "credentials"));
    const { warnings, project } = loadConfig({ environment, folder });
    expect(project).toBeNull();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(join(home, theirs));
    expect(warnings[0]).toContain(words);
    expect(warnings[0]).toContain("the file is ignored");
    expect(warnings[0]).not.toMatch(/wJalr|aws_/);
  });

  test("with a wrong value is a warning until it is trusted, and then an error", async () => {
    const { environment, folder, home, read } = world({ [theirs]: 'theme = "pink"\nwrap = "terminal"\n' });
    const path = join(home, theirs);
    const { warnings, settings } = loadConfig({ environment, folder });
    expect([warnings, settings.theme, settings.wrap]).toEqual([
      [expect.stringMatching(/:1: theme must be one of/)],
      "auto",
      "terminal",
    ]);
    persistAt(environment, ["trusted", path], readConfigFile(path, "links-refused")?.fingerprint ?? "");
    expect(() => loadConfig({ environment, folder })).toThrow(`${path}:1: theme must be one of`);
    expect(read().errors).toHaveLength(1);
  });

  test("does not choose the model: that says where the conversation goes", () => {
    const { read } = world({ [theirs]: 'model = "openai:theirs"\n' });
    expect(read().settings.model).toBe("");
    expect(read().warnings[0]).toContain("model is ignored in a project's file");
  });

  test("cannot trust itself", () => {
    const { read, home } = world({ [theirs]: 'editor = "vim"\n' });
    const path = join(home, theirs);
    const file = readConfigFile(path, "links-refused");
    if (file === null) throw new Error("the file is there");
    writeFileSync(path, `${file.text}[trusted]\n"${path}" = "${file.fingerprint}"\n`);
    expect(read().settings.editor).toBe("");
  });
});

describe("keeping a setting", () => {
  test("makes a private file, and it is there next time", () => {
    const { read, environment, config } = world();
    expect(persistSetting(environment, "theme", "dawn")).toBe(config);
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect(read().settings.theme).toBe("dawn");
    forgetSetting(environment, "theme");
    expect(read().settings.theme).toBe("auto");
  });

  test("keeps the comments, the mode and the link into a collection of dotfiles", () => {
    const { environment, config, home } = world({ "dotfiles/palaver.toml": '# mine\ntheme = "moss" # night\n' });
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync(join(home, "dotfiles/palaver.toml"), config);
    persistSetting(environment, "theme", "dawn");
    expect(readFileSync(join(home, "dotfiles/palaver.toml"), "utf8")).toBe('# mine\ntheme = "dawn" # night\n');
    expect(realpathSync(config)).toBe(join(home, "dotfiles/palaver.toml"));
  });

  test.each([
    ["theme", "pink", /theme must be one of .*, not "pink"/],
    ["typing_guard_ms", "10", /must be a whole number from 800/],
    ["agents", "x", /agents is a table of agents; set one entry/],
    ["colr", "16", /there is no setting colr; did you mean colour\?/],
    ["agents.mine.args", "x", /agents must be a table of agents; mine must be/],
  ])("refuses %s = %s and leaves the file alone", (key, value, words) => {
    const { environment, config } = world({ [own]: 'theme = "moss"\n' });
    expect(() => persistTyped(environment, key, value)).toThrow(words);
    expect(readFileSync(config, "utf8")).toBe('theme = "moss"\n');
  });

  test.each([
    ["read_only", "yes", "read_only = true\n"],
    ["permissions.deny", "bash(rm:*), write", '[permissions]\ndeny = [ "bash(rm:*)", "write" ]\n'],
    ["keys.abort", "ctrl+x", '[keys]\nabort = "ctrl+x"\n'],
    ["keys.abort", '["ctrl+x", "f2"]', '[keys]\nabort = [ "ctrl+x", "f2" ]\n'],
    ["agents.mine.command", "my-agent", '[agents.mine]\ncommand = "my-agent"\n'],
  ])("writes %s %s as TOML", (key, value, text) => {
    const { environment, config } = world();
    persistTyped(environment, key, value);
    expect(readFileSync(config, "utf8")).toBe(text);
  });

  test("says why a file cannot be written", () => {
    const { home } = world({ file: "" });
    expect(() => persistSetting({ PALAVER_CONFIG: join(home, "file/x.toml") }, "theme", "moss")).toThrow(UsageError);
  });
});

describe("where the user's file is", () => {
  test.each([
    [{ HOME: "/h", XDG_CONFIG_HOME: "/x" }, "linux", "/x/palaver/config.toml"],
    [{ HOME: "/h", XDG_CONFIG_HOME: "relative" }, "linux", "/h/.config/palaver/config.toml"],
    [{ HOME: "/h" }, "darwin", "/h/.config/palaver/config.toml"],
    [{ HOME: "/h", PALAVER_CONFIG: "/c.toml" }, "linux", "/c.toml"],
    [{ HOME: "/h", APPDATA: "/a" }, "win32", "/a/palaver/config.toml"],
    [{ HOME: "/h", APPDATA: "/a" }, "linux", "/h/.config/palaver/config.toml"],
    [{}, "linux", join(userInfo().homedir, ".config/palaver/config.toml")],
    [{ HOME: "", XDG_CONFIG_HOME: "x" }, "linux", join(userInfo().homedir, ".config/palaver/config.toml")],
  ] as const)("%j on %s is %s", (environment, platform, path) => {
    expect(userConfigPath(environment, platform)).toBe(path);
  });
});

describe("a file of variables", () => {
  test("fills what is not set, overrides nothing, and never says how programs run", () => {
    const { home, put } = world();
    put("x.env", "A=from file\nB=2\nPATH=/evil\nNODE_OPTIONS=--require evil\nPALAVER_EDITOR=evil\nLD_PRELOAD=x\n");
    expect(withEnvFile({ A: "set", PATH: "/bin" }, join(home, "x.env"))).toEqual({ A: "set", B: "2", PATH: "/bin" });
    expect(withEnvFile({ A: "set" }, join(home, "none.env"))).toEqual({ A: "set" });
  });

  test("is read only when the user's own settings name it", () => {
    const { read, put } = world({ "code/parser/src/.env": "SECRET_OF_MINE=1\n", [theirs]: 'env_file = ".env"\n' });
    expect(read().environment).not.toHaveProperty("SECRET_OF_MINE");
    put(own, 'env_file = ".env"\n');
    expect(read().environment).toHaveProperty("SECRET_OF_MINE", "1");
  });

  test("is understood as shells would, without running anything", () => {
    const text = `# words
export A=1
B = "two words" # not this
C='$HOME "x"'
D=plain # comment
E=
not a line
F="a\\nb"`;
    expect(variablesIn(text)).toEqual([
      ["A", "1"],
      ["B", "two words"],
      ["C", '$HOME "x"'],
      ["D", "plain"],
      ["E", ""],
      ["F", "a\nb"],
    ]);
  });
});

describe("in words", () => {
  test("every setting has its value and where it came from, and no secret is shown", () => {
    const { read, config } = world({
      [own]:
        'theme = "moss"\n[mcp_servers.a]\nurl = "https://e.example"\nheaders = { Authorization = "Bearer abcdef123456" }\n',
    });
    const text = configText(read());
    expect(text).toMatch(new RegExp(`^theme +moss +${config}$`, "m"));
    expect(text).toMatch(/^wrap +auto +default$/m);
    expect(text).toMatch(/^editor +\(not set\) +default$/m);
    expect(text).not.toContain("abcdef123456");
  });

  test("what can be changed on the way is a list with its choices", () => {
    const choices = settingChoices(world().read().settings);
    expect(choices.find(({ key }) => key === "motion")).toEqual({
      key: "motion",
      value: "full",
      words: "animations such as the spinner",
      values: ["full", "reduced"],
    });
    expect(choices.map(({ key }) => key)).not.toContain("agents");
  });
});

// Attacks from inside the sandbox, against the real one: each tries to get out of it, and the outside is looked at after.
// Each is harmless where it succeeds: it touches only files, sockets and processes of the test itself.
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { isRunning } from "../../e2e/processes.js";
import { verifies } from "../../verifies.js";
import { Box, boxTest, temporary, whereItWorks } from "./boxed.js";

/** Listens for as long as the test runs, and counts who connects. */
async function listening(where: string | { port: 0; host: "127.0.0.1" }): Promise<{ port: number; visits(): number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.end("secret of the server");
  });
  await new Promise<void>((resolve) => server.listen(where, resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, visits: () => visits };
}

describe(`a command in the sandbox${whereItWorks}`, () => {
  boxTest("writes in the workspace and in a /tmp of its own, which lasts for the session", async () => {
    const box = new Box();
    expect(await box.run("echo a > made && echo b > /tmp/made && echo c > ~/made")).toEqual({ output: "", code: 0 });
    expect(readFileSync(join(box.workspace, "made"), "utf8")).toBe("a\n");
    expect((await box.run("cat /tmp/made ~/made")).output).toBe("b\nc\n");
    expect(existsSync("/tmp/made")).toBe(false);
    expect(existsSync(join(box.home, "made"))).toBe(false);
  });

  boxTest("leaves nothing of its private folders behind at the end of the session", async () => {
    const box = new Box();
    await box.run("mkdir -p /tmp/a/b && touch /tmp/a/b/c && chmod 500 /tmp/a/b");
    expect(readdirSync(join(box.state, "palaver"))).toHaveLength(1);
    (await box.open()).close();
    expect(readdirSync(join(box.state, "palaver"))).toEqual([]);
  });

  boxTest("cannot put a link in place of its private home, also where TMPDIR lies in the workspace", async () => {
    verifies("sandbox.writes-inside-only");
    const box = new Box();
    box.put("home/notes.txt", "SECRET-OF-HOME");
    const tmp = join(box.workspace, "tmp");
    mkdirSync(tmp);
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = tmp;
    onTestFinished(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    const env = { TMPDIR: tmp };
    await box.run(`for d in tmp/* tmp/*/*; do mv $d/home $d/old; ln -s ${box.home} $d/home; done`, { env });
    expect((await box.run("cat ~/notes.txt; echo x > ~/made", { env })).output).not.toContain("SECRET");
    expect(readdirSync(box.home)).toEqual(["notes.txt"]);
    const inside = new Box({
      environment: { ...box.environment, XDG_STATE_HOME: tmp, TMPDIR: tmp },
      folder: box.workspace,
    });
    await expect(inside.run("true")).rejects.toThrow("no place for its private folders");
  });

  boxTest("cannot write outside: by path, link, hard link, /proc or a new mount", async () => {
    verifies("sandbox.writes-inside-only");
    const box = new Box();
    const file = box.put("outside/file", "as it was");
    symlinkSync(box.outside, join(box.workspace, "link"));
    const tries = [
      `echo x > ${file}`,
      `echo x > link/file`,
      `echo x > link/new`,
      `rm ${file}`,
      `echo x > /proc/self/root${file}`,
      `echo x > /proc/1/root${file}`,
      `ln ${file} hard && echo x > hard`,
      `mv ${file} moved`,
      `touch ${box.top}/beside`,
      `cd .. && touch beside`,
      `mv ${box.workspace} ${box.top}/other`,
      `mount -o remount,rw / && touch ${box.top}/beside`,
      `unshare -Urm sh -c 'mount -o remount,rw,bind / ; mount -o remount,rw ${box.top} ; touch ${box.top}/beside'`,
      `unshare -Urm sh -c 'umount -l ${box.workspace} ; touch ${box.top}/beside ${box.workspace}/unmounted'`,
    ];
    for (const attempt of tries) await box.run(attempt);
    expect(readFileSync(file, "utf8")).toBe("as it was");
    expect(readdirSync(box.top).sort()).toEqual(["home", "outside", "ws"]);
    expect(readdirSync(box.outside)).toEqual(["file"]);
    expect(statSync(box.workspace).isDirectory()).toBe(true);
    // Opened, and nothing written, so that a sandbox that fails this test does no harm.
    for (const path of ["/etc/hostname", "/usr/bin/env", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"]) {
      expect((await box.run(`: >> ${path}`)).code, path).not.toBe(0);
    }
  });

  boxTest("cannot change what runs code outside of it later", async () => {
    const box = new Box();
    const config = box.put("ws/.git/config", "[core]\n");
    box.put("ws/.git/HEAD", "ref: refs/heads/main\n");
    box.put("ws/.git/hooks/pre-commit", "true\n");
    const settings = box.put("ws/.palaver.toml", 'theme = "moss"\n');
    for (const attempt of [
      "echo evil > .git/hooks/pre-commit",
      "echo evil > .git/hooks/post-checkout",
      "echo evil >> .git/config",
      "echo ../evil > .git/commondir",
      "mv .git .gone; mkdir .git; echo evil > .git/config",
      "rm -rf .git",
      "echo evil > .palaver.toml",
      "mv .palaver.toml x; echo evil > .palaver.toml",
      "echo evil > new && mv new .palaver.toml",
      "unshare -Urm sh -c 'umount -l .git; echo evil > .git/config'",
    ]) {
      expect((await box.run(attempt)).output, attempt).not.toBe("");
    }
    expect(readFileSync(config, "utf8")).toBe("[core]\n");
    expect(readFileSync(settings, "utf8")).toBe('theme = "moss"\n');
    expect(readdirSync(join(box.workspace, ".git")).sort()).toEqual(["HEAD", "config", "hooks"]);
    expect(readdirSync(join(box.workspace, ".git/hooks"))).toEqual(["pre-commit"]);
  });

  boxTest("cannot make a repository where there is none, and no trace of the guard stays", async () => {
    const box = new Box();
    expect((await box.run("git init; mkdir -p .git/hooks")).code).not.toBe(0);
    expect(readdirSync(box.workspace)).toEqual([]);
  });

  boxTest("sees no secrets: of the home folder, of other homes, of the environment, of the workspace", async () => {
    verifies("sandbox.sees-no-secrets");
    const box = new Box();
    for (const name of [
      ".ssh/id_ed25519",
      ".aws/credentials",
      ".npmrc",
      ".netrc",
      ".config/palaver/config.toml",
      "notes.txt",
    ])
      box.put(`home/${name}`, "SECRET-OF-HOME");
    box.put("home/.gitconfig", "[user]\n\tname = Ada\n[github]\n\ttoken = ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
    for (const name of [".env", "config/.env.production", "deploy/server.pem", ".aws/credentials"])
      box.put(`ws/${name}`, "SECRET-OF-WS");
    box.put("ws/.env.example", "harmless");
    const env = {
      GITHUB_TOKEN: "SECRET-OF-ENV",
      ANTHROPIC_API_KEY: "SECRET-OF-ENV",
      ODD: "ghp_0123456789abcdefghijABCDEFGHIJ012345",
      SSH_AUTH_SOCK: "/run/SECRET-OF-ENV",
      SMTP_PASS: "SECRET-OF-ENV",
      API_CREDS: "SECRET-OF-ENV",
      NODE_ENV: "plain",
    };
    const looks = [
      `grep -rs SECRET ${box.home} ~ . ; find ~ ${box.home} -type f`,
      "cat .env config/.env.production deploy/server.pem .aws/credentials ~/.ssh/*",
      "env; cat /proc/*/environ | tr '\\0' '\\n'",
      "unshare -Urm sh -c 'umount -l .env; cat .env'",
      "ln .env copy; cp .env copy2; mv config config2; cat copy copy2 config2/.env.production",
      "cat /etc/shadow",
      "ls -A /home /run/user /mnt /media",
    ];
    const outputs: string[] = [];
    for (const look of looks) outputs.push((await box.run(look, { env })).output);
    const all = outputs.join("\n");
    expect(all).not.toMatch(/SECRET|ghp_|root:[*$!]/);
    expect(all).not.toMatch(/notes\.txt|\.npmrc/);
    expect(all).toContain("NODE_ENV=plain");
    expect((await box.run("cat .env.example")).output).toBe("harmless");
  });

  boxTest(
    "sees no secret in a workspace that cannot be searched whole: it does not run, or the folder is hidden",
    async () => {
      verifies("sandbox.sees-no-secrets");
      const box = new Box();
      box.put("ws/deep/er/.env", "SECRET-OF-WS");
      await box.run("for i in {1..4200}; do d=$d\\ a$i; done; mkdir $d");
      expect((await box.run("cat deep/er/.env")).output).not.toContain("SECRET");
      const many = new Box();
      for (let at = 0; at < 2_501; at += 1) many.put(`ws/${at}/.env`, "SECRET-OF-WS");
      await expect(many.run("cat */.env")).rejects.toThrow("more than 2500 files that commands may not read");
    },
  );

  boxTest("sees no secret through a link with its name, nor under a name that is not UTF-8", async () => {
    verifies("sandbox.sees-no-secrets");
    const box = new Box();
    const file = box.put("ws/real/x.txt", "SECRET-OF-WS");
    symlinkSync("real/x.txt", join(box.workspace, ".env.local"));
    expect((await box.run("cat .env.local real/x.txt; mv real r2; cat r2/x.txt")).output).not.toContain("SECRET");
    expect(readFileSync(file, "utf8")).toBe("SECRET-OF-WS");
    const odd = Buffer.concat([Buffer.from(`${box.workspace}/caf`), Buffer.from([0xe9])]);
    mkdirSync(odd);
    writeFileSync(Buffer.concat([odd, Buffer.from("/notes")]), "plain");
    expect((await box.run("cat caf*/notes")).output).toBe("plain");
    writeFileSync(Buffer.concat([odd, Buffer.from("/.env")]), "SECRET-OF-WS");
    await expect(box.run("cat caf*/.env")).rejects.toThrow("its name is not UTF-8");
    expect(readdirSync(box.workspace)).toHaveLength(3);
  });

  boxTest("sees a secret-looking file that a rule allows, and not a plain one that a rule denies", async () => {
    const box = new Box();
    box.put("ws/.env", "allowed");
    box.put("ws/private/diary.txt", "denied");
    const mayRead = (path: string) => !path.startsWith("private/");
    expect((await box.run("cat .env private/diary.txt", { mayRead })).output).toBe("allowed");
  });

  boxTest("reaches no network, no server of this machine and no socket", async () => {
    verifies("sandbox.no-network");
    const box = new Box();
    const inWorkspace = temporary("palaver-sock-");
    const abstract = `\0palaver-box-${process.pid}`;
    const servers = [
      await listening({ port: 0, host: "127.0.0.1" }),
      await listening(join(inWorkspace, "in-tmp.sock")),
      await listening(join(box.outside, "outside.sock")),
      await listening(abstract),
    ];
    const connect = (target: string) => `
import socket
s = socket.socket(${target.startsWith("(") ? "socket.AF_INET" : "socket.AF_UNIX"}); s.settimeout(2)
try:
    s.connect(${target}); print("CONNECTED", s.recv(99))
except OSError as e: print("refused")`;
    const targets = [
      `("127.0.0.1", ${servers[0]?.port})`,
      JSON.stringify(join(inWorkspace, "in-tmp.sock")),
      JSON.stringify(join(box.outside, "outside.sock")),
      JSON.stringify(abstract).replace("\\u0000", "\\0"),
      '("192.0.2.1", 80)',
    ];
    for (const target of targets) {
      expect((await box.run(`python3 -c '${connect(target)}'`)).output, target).toBe("refused\n");
    }
    expect((await box.run(`exec 3<>/dev/tcp/127.0.0.1/${servers[0]?.port}`)).code).not.toBe(0);
    expect(servers.map(({ visits }) => visits())).toEqual([0, 0, 0, 0]);
  });

  boxTest("reaches no socket in what it may read besides the workspace", async () => {
    verifies("sandbox.no-network");
    const box = new Box();
    const read = box.put("home/shown/a", "").slice(0, -2);
    box.put("ws/.git/HEAD", "ref: refs/heads/main\n");
    mkdirSync(join(box.workspace, "sub"));
    const part = new Box({ folder: join(box.workspace, "sub"), environment: box.environment, visible: [read] });
    const sockets = [join(read, "with blank.sock"), join(box.workspace, "dev.sock")];
    const servers = await Promise.all(sockets.map((path) => listening(path)));
    for (const path of sockets) {
      const connect = `import socket; socket.socket(socket.AF_UNIX).connect(${JSON.stringify(path)}); print("CONNECTED")`;
      expect((await part.run(`python3 -c '${connect}'`)).output, path).toContain("Error");
    }
    expect(servers.map(({ visits }) => visits())).toEqual([0, 0]);
  });

  boxTest("cannot see, signal or trace a process outside", async () => {
    const box = new Box();
    const victim = spawn("sleep", ["60"], { stdio: "ignore", env: { VICTIM: "SECRET-OF-VICTIM" } });
    onTestFinished(() => void victim.kill("SIGKILL"));
    const { pid = 0 } = victim;
    const { output } = await box.run(
      `kill -9 ${pid}; cat /proc/${pid}/environ /proc/${process.pid}/environ; ls /proc | grep -c '^[0-9]'`,
    );
    expect(output).not.toContain("SECRET");
    expect(isRunning(pid)).toBe(true);
    expect(Number(/(\d+)\n$/.exec((await box.run("ls -d /proc/[0-9]* | wc -l")).output)?.[1])).toBeLessThan(6);
  });

  boxTest("leaves no process behind, whatever it does to get away", async () => {
    const box = new Box();
    const away =
      "( setsid bash -c 'trap \"\" TERM HUP; echo $$ >> away; exec -a palaver-stray sleep 97' & ) & disown; (setsid sleep 97 &)";
    await box.run(`${away}; until [ -s away ]; do :; done`);
    const left = readdirSync("/proc").filter((id) => {
      try {
        return /^\d+$/.test(id) && /palaver-stray|sleep\0?97/.test(readFileSync(`/proc/${id}/cmdline`, "utf8"));
      } catch {
        return false;
      }
    });
    expect(left).toEqual([]);
  });

  boxTest("has no terminal to type into", async () => {
    const box = new Box();
    const push =
      'import fcntl,termios\ntry:\n  fcntl.ioctl(open("/dev/tty","w"), termios.TIOCSTI, b"x"); print("PUSHED")\nexcept OSError: print("refused")';
    expect((await box.run(`python3 -c '${push}'`)).output).toBe("refused\n");
  });

  boxTest("has no capabilities, and none of the machine's devices", async () => {
    const box = new Box();
    expect((await box.run("grep CapEff /proc/self/status")).output).toMatch(/^CapEff:\t0+\n$/);
    expect((await box.run("ls /dev; mknod disk b 8 0")).output).not.toMatch(
      /\b(sd[a-z]|vd[a-z]|nvme\d|mem|kmsg|loop\d)\b/,
    );
  });

  boxTest("lets git work in a submodule", async () => {
    const box = new Box();
    const git = (folder: string, ...args: string[]) =>
      execFileSync("git", ["-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: folder,
        stdio: "ignore",
      });
    git(box.outside, "init", "-q");
    git(box.outside, "commit", "-q", "--allow-empty", "-m", "first");
    git(box.home, "init", "-q");
    git(box.home, "submodule", "add", "-q", box.outside, "sm");
    const part = new Box({ folder: join(box.home, "sm"), environment: box.environment });
    expect((await part.run("git log --format=%s")).output).toBe("first\n");
  });

  boxTest("works in a folder of a repository and in a worktree, without a way to write there", async () => {
    const box = new Box();
    mkdirSync(join(box.workspace, ".git"), { recursive: true });
    linkSync(box.put("outside/linked", "x"), join(box.workspace, "linked"));
    expect(await box.run("pwd; exit 3")).toEqual({ output: `${box.workspace}\n`, code: 3 });
  });
});

// What a command in the sandbox still sees, read-only, of places that are otherwise hidden: programs and the packages they
// were built with. Nothing in these lists holds keys; whatever does stays hidden because it is not listed.

/** Below the home folder. Folders of PATH are shown, too. */
export const toolFolders: readonly string[] = [
  ".nvm",
  ".fnm",
  ".volta",
  ".asdf",
  ".mise",
  ".pyenv",
  ".rbenv",
  ".rvm",
  ".sdkman/candidates",
  ".rustup",
  ".cargo/bin",
  ".cargo/env",
  ".cargo/registry",
  ".cargo/git",
  ".bun",
  ".deno",
  ".dotnet",
  ".ghcup",
  ".juliaup",
  ".nix-profile",
  ".m2/repository",
  ".gradle/caches",
  ".npm/_cacache",
  ".npm-global",
  ".local/bin",
  ".local/lib",
  ".local/pipx",
  ".local/share/fnm",
  ".local/share/mise",
  ".local/share/pnpm",
  ".local/share/uv",
  ".local/share/virtualenvs",
  ".local/state/nix",
  "go",
];

/** Below the home folder; shown only when nothing in them looks like a secret. */
export const plainFiles: readonly string[] = [".gitconfig", ".config/git/config", ".config/git/ignore"];

/** Below /run: where names of hosts are looked up, and where NixOS keeps its programs. */
export const runFolders: readonly string[] = [
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager/resolv.conf",
  "/run/current-system",
  "/run/booted-system",
  "/run/opengl-driver",
];

/** Homes, sockets, and drives; also the homes of the people in /etc/passwd. */
export const hiddenFolders: readonly string[] = [
  "/home",
  "/Users",
  "/run",
  "/var/run",
  "/mnt",
  "/media",
  "/Volumes",
  "/var/tmp",
  "/var/spool",
  "/etc/ssl/private",
];

/** Readable only by root, who may be the one that works here. */
export const systemSecrets: readonly string[] = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
];

/**
 * In the workspace, and read-only: what runs code outside the sandbox by itself, when git is called, the folder is entered or
 * opened, or another agent starts. All of .git, because a new file in it (commondir) makes git take its settings elsewhere.
 */
export const guardedNames: readonly string[] = [
  ".git",
  ".palaver.toml",
  ".envrc",
  ".husky",
  ".vscode",
  ".idea",
  ".devcontainer",
  ".claude",
  ".mcp.json",
  ".cursor",
  ".gemini",
  ".codex",
  ".opencode",
  "opencode.json",
  "opencode.jsonc",
  ".pi",
  ".qwen",
  ".kilocode",
  ".kimi",
  ".zed",
  ".hg",
  ".exrc",
  ".nvim.lua",
];

/** Besides, in a bare repository. */
export const bareRepositoryNames: readonly string[] = [
  "HEAD",
  "config",
  "config.worktree",
  "commondir",
  "hooks",
  "objects",
  "refs",
];

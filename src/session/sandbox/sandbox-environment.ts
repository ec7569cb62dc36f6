// Which variables enter the sandbox. Of a command only those that are known to hold no secret, because a secret can have any
// name; and of these none whose value looks like one. An agent needs the key of its model, so it gets all but those that lead
// to a program outside that acts for the user: a key agent, the desktop, the session bus.
import { createRedactor } from "../../text/redact.js";

export type Variables = Readonly<Record<string, string | undefined>>;

export type EnvironmentOptions = {
  /** "secrets-out" for commands; "secrets-in" for agents, which need the key of their model. */
  readonly secrets: "secrets-out" | "secrets-in";
  /** More names that the user lets in. */
  readonly variables?: readonly string[];
};

const BROKER_VARIABLES = new Set([
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "DBUS_SYSTEM_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "WAYLAND_SOCKET",
  "XAUTHORITY",
  "KRB5CCNAME",
  "DOCKER_HOST",
  "CONTAINER_HOST",
  "TMUX",
  "TMUX_PANE",
  "STY",
  "SSH_CONNECTION",
  "SSH_CLIENT",
  "SSH_TTY",
  "GNOME_KEYRING_CONTROL",
  "VSCODE_IPC_HOOK_CLI",
  "VSCODE_GIT_IPC_HANDLE",
  "GIT_ASKPASS",
  "SSH_ASKPASS",
  "SUDO_ASKPASS",
]);

/** The user and the terminal; shells and pagers; what compilers, packages and test runners are set up with. */
const PLAIN = new Set(
  (
    "PATH HOME PWD OLDPWD USER LOGNAME SHELL SHLVL TERM COLORTERM TERM_PROGRAM COLUMNS LINES LANG LANGUAGE TZ TMPDIR TEMP TMP " +
    "HOSTNAME EDITOR VISUAL PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER LESS GIT_TERMINAL_PROMPT CI DEBUG VERBOSE NO_COLOR " +
    "FORCE_COLOR CLICOLOR CLICOLOR_FORCE XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_DATA_DIRS " +
    "NODE_ENV NODE_PATH NODE_OPTIONS NODE_EXTRA_CA_CERTS NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR " +
    "PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV " +
    "DJANGO_SETTINGS_MODULE FLASK_ENV FLASK_APP RAILS_ENV RACK_ENV GEM_HOME GEM_PATH RBENV_ROOT BUNDLE_PATH APP_ENV " +
    "JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME ANDROID_SDK_ROOT SDKMAN_DIR " +
    "GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOOS GOARCH GOFLAGS GO111MODULE CGO_ENABLED CARGO_HOME CARGO_TARGET_DIR " +
    "RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE RUST_LOG DOTNET_ROOT CC CXX CPP LD AR CFLAGS CXXFLAGS CPPFLAGS " +
    "LDFLAGS LD_LIBRARY_PATH LIBRARY_PATH CPATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH CMAKE_GENERATOR MAKEFLAGS " +
    "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE LOCALE_ARCHIVE " +
    "SOURCE_DATE_EPOCH"
  ).split(" "),
);

export function sandboxEnvironment(
  variables: Variables,
  { secrets, variables: named = [] }: EnvironmentOptions,
): Record<string, string> {
  const redactor = createRedactor();
  const mayEnter = (name: string, value: string) => {
    if (BROKER_VARIABLES.has(name)) return false;
    if (secrets === "secrets-in" || named.includes(name)) return true;
    return (PLAIN.has(name) || name.startsWith("LC_")) && redactor.text(value) === value;
  };
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && mayEnter(entry[0], entry[1]),
    ),
  );
}

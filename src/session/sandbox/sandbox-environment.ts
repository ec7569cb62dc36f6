// Which variables enter the sandbox. Those that hold a secret, or lead to a program outside that acts for the person, stay
// behind: a key agent, the desktop, the session bus.
import { createRedactor } from "../../text/redact.js";
import { secretName } from "../../text/secret-shapes.js";

export type Variables = Readonly<Record<string, string | undefined>>;

const DOORS = new Set([
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
/** Names that end like a secret and are none. */
const HARMLESS = new Set(["PWD", "OLDPWD"]);

/** "secrets-out" for commands; "secrets-in" for agents, which need the key of their model. */
export function sandboxEnvironment(
  variables: Variables,
  secrets: "secrets-out" | "secrets-in",
): Record<string, string> {
  const redactor = createRedactor();
  const isSecret = (name: string, value: string) =>
    !HARMLESS.has(name) && (secretName.test(name) || redactor.text(value) !== value);
  const entries = Object.entries(variables).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !DOORS.has(entry[0]) && (secrets === "secrets-in" || !isSecret(entry[0], entry[1])),
  );
  return Object.fromEntries(entries);
}

// The server through which tools of one run can ask the person, as prompt mode needs it. Who implements it is wired in where
// the program is put together.

export interface AskServer {
  /** The content of a configuration file that names it; it holds the token. */
  configJson(name: string): string;
  /** The same for agents that are told over their own wire. */
  acpServer(name: string): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

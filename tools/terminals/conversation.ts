// How the driver and the program in the terminal talk: JSON lines over a local socket, beside the terminal and not through
// it, so that nothing but the session reaches the scrollback.

import { createServer, type Server, type Socket } from "node:net";
import type { Size } from "../../src/terminal/painter/frame.js";

/** What the program tells. */
export type Report =
  | { readonly type: "ready"; readonly profile: string; readonly size: Size }
  | { readonly type: "reached"; readonly checkpoint: number }
  | { readonly type: "resized"; readonly size: Size }
  | { readonly type: "done"; readonly bytes: number; readonly frames: number }
  | { readonly type: "failed"; readonly message: string };

/** What the driver answers: the window has been told to take the sizes of this checkpoint. */
export interface Go {
  readonly checkpoint: number;
}

export function onLines(socket: Socket, read: (line: string) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) read(line);
  });
}

export function send(socket: Socket, message: Report | Go): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** The driver's end. It waits for one program. */
export class ReportDesk {
  private readonly server: Server;
  private socket: Socket | undefined;
  private readonly listeners = new Set<(report: Report) => void>();

  private constructor(server: Server) {
    this.server = server;
    server.on("connection", (socket) => {
      this.socket = socket;
      socket.on("error", () => undefined);
      onLines(socket, (line) => this.take(JSON.parse(line) as Report));
    });
  }

  static async listen(path: string): Promise<ReportDesk> {
    const server = createServer();
    const desk = new ReportDesk(server);
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
    return desk;
  }

  onReport(listener: (report: Report) => void): void {
    this.listeners.add(listener);
  }

  go(checkpoint: number): void {
    if (this.socket !== undefined) send(this.socket, { checkpoint });
  }

  close(): void {
    this.socket?.destroy();
    this.server.close();
  }

  private take(report: Report): void {
    for (const listener of this.listeners) listener(report);
  }
}

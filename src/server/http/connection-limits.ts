// How many connections are open, counted by what is known about them. One that has not shown the token yet is a stranger: there
// is little room for those, and a new one takes the place of the oldest. So however many strangers hold connections open, the
// owner gets in, and a connection that has shown the token is never closed to make room.
import type { Socket } from "node:net";

export interface ConnectionRoom {
  readonly strangersMax: number;
  readonly ownersMax: number;
}

export class ConnectionLimits {
  private readonly room: ConnectionRoom;
  /** The oldest first. */
  private readonly strangers = new Set<Socket>();
  private readonly owners = new Set<Socket>();

  constructor(room: ConnectionRoom) {
    this.room = room;
  }

  opened(socket: Socket): void {
    this.strangers.add(socket);
    socket.once("close", () => {
      this.strangers.delete(socket);
      this.owners.delete(socket);
    });
    const [oldest] = this.strangers;
    if (this.strangers.size > this.room.strangersMax) {
      this.strangers.delete(oldest ?? socket);
      oldest?.destroy();
    }
  }

  /** The connection has shown the token. "full" when too many have. */
  admit(socket: Socket): "admitted" | "full" {
    if (this.owners.has(socket)) return "admitted";
    if (this.owners.size >= this.room.ownersMax) return "full";
    this.strangers.delete(socket);
    this.owners.add(socket);
    return "admitted";
  }
}

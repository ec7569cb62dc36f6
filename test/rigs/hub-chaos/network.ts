// The network between machines and brokers: a TCP proxy per broker that can be cut. During a cut nothing arrives and nothing is
// closed, as with a pulled cable; then the bytes flow again, or the connections are reset.
import { createServer, connect as openSocket, type Server, type Socket } from "node:net";

export class CuttableNetwork {
  readonly ports: number[] = [];
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private state: "whole" | "cut" = "whole";

  static async before(brokerPorts: readonly number[]): Promise<CuttableNetwork> {
    const network = new CuttableNetwork();
    for (const port of brokerPorts) network.ports.push(await network.listen(port));
    return network;
  }

  cut(): void {
    this.state = "cut";
    for (const socket of this.sockets) socket.pause();
  }

  mend(how: "continues" | "reset"): void {
    this.state = "whole";
    for (const socket of this.sockets) {
      if (how === "reset") socket.destroy();
      else socket.resume();
    }
  }

  close(): void {
    for (const server of this.servers) server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private async listen(brokerPort: number): Promise<number> {
    const server = createServer((near) => {
      const far = openSocket(brokerPort, "127.0.0.1");
      this.join(near, far);
      this.join(far, near);
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as { port: number }).port;
  }

  private join(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on("data", (bytes) => to.write(bytes));
    from.on("error", () => undefined);
    from.on("close", () => {
      this.sockets.delete(from);
      to.destroy();
    });
    if (this.state === "cut") from.pause();
  }
}

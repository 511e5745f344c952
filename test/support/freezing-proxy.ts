/** A proxy between a client and its server that simulates a dead network: nothing arrives, nothing closes. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface FreezingProxy {
  readonly url: string;
  /** Queues all data of both directions, or only the server's answers. */
  freeze(direction?: "both" | "answers"): void;
  /** Delivers the queued data and everything after it. */
  thaw(): void;
  /** Ends every connection; what was queued is lost. */
  cut(): void;
  close(): Promise<void>;
}

export async function startFreezingProxy(target: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const answering = new Set<Socket>();
  let frozen: "both" | "answers" | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    answering.add(upstream);
    upstream.on("close", () => answering.delete(upstream));
    if (frozen === "answers") upstream.pause();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (frozen === "both") from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze(direction = "both") {
      frozen = direction;
      for (const socket of direction === "both" ? sockets : answering) socket.pause();
    },
    thaw() {
      frozen = undefined;
      for (const socket of sockets) socket.resume();
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A slow link with a deep queue between client and server: accepts everything the server sends at once,
 * as operating systems and networks do, and delivers it at its own rate.
 */
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

const DELIVERED_EVERY_MS = 10;
/** After a late timer the link delivers what it would have delivered in the elapsed time, up to this limit. */
const ELAPSED_MAX_MS = 1_000;

export interface SlowLink {
  readonly address: string;
  /** Bytes now in transit to all clients. */
  queuedBytes(): number;
  /** The maximum since the last call. */
  takeQueuedBytesMax(): number;
  close(): Promise<void>;
}

export async function startSlowLink(port: number, bytesPerSecond: number): Promise<SlowLink> {
  const queues = new Map<Socket, Buffer[]>();
  const sockets = new Set<Socket>();
  let queuedBytes = 0;
  let queuedBytesMax = 0;
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const queue: Buffer[] = [];
    queues.set(client, queue);
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      queue.push(chunk);
      queuedBytes += chunk.length;
      queuedBytesMax = Math.max(queuedBytesMax, queuedBytes);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
        for (const { length } of queue.splice(0)) queuedBytes -= length;
        queues.delete(client);
      });
    }
  });
  let deliveredAtMs = performance.now();
  const delivering = setInterval(() => {
    const elapsedMs = Math.min(performance.now() - deliveredAtMs, ELAPSED_MAX_MS);
    deliveredAtMs = performance.now();
    for (const [client, queue] of queues) {
      let left = Math.round((bytesPerSecond * elapsedMs) / 1000);
      while (left > 0 && queue.length > 0) {
        const chunk = queue[0];
        const delivered = chunk.subarray(0, left);
        if (delivered.length === chunk.length) queue.shift();
        else queue[0] = chunk.subarray(left);
        left -= delivered.length;
        queuedBytes -= delivered.length;
        client.write(delivered);
      }
    }
  }, DELIVERED_EVERY_MS);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queuedBytes: () => queuedBytes,
    takeQueuedBytesMax() {
      const most = queuedBytesMax;
      queuedBytesMax = queuedBytes;
      return most;
    },
    close() {
      clearInterval(delivering);
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

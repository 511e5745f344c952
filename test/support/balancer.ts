/**
 * A balancer as in deploy/cluster/haproxy.cfg: it gives new connections to servers that are ready, and ends those to
 * a server that is not any more.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 100;
const READY_MS_MAX = 2_000;

export interface Balancer {
  readonly url: string;
  /** How many are ready. */
  readonly ready: () => number;
  close(): Promise<void>;
}

/** @param servers the addresses of those that run now, if any does under that name */
export async function startBalancer(
  servers: ReadonlyMap<string, { readonly url: string }>,
): Promise<Balancer> {
  const ready = new Set<string>();
  const connections = new Map<Socket, string>();
  let turn = 0;
  const proxy = createServer((client) => {
    const names = [...ready];
    const name = names[turn++ % names.length];
    const url = servers.get(name)?.url;
    if (url === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(url);
    const server = connect(Number(port), hostname);
    connections.set(client, name);
    const end = () => {
      connections.delete(client);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    client.pipe(server).pipe(client);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const end = new AbortController();
  const looking = (async () => {
    while (!end.signal.aborted) {
      await Promise.all(
        [...servers].map(async ([name, { url }]) => {
          if (await isReady(url)) ready.add(name);
          else ready.delete(name);
        }),
      );
      for (const [client, name] of connections) if (!ready.has(name)) client.destroy();
      await delay(POLL_MS);
    }
  })();
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    ready: () => ready.size,
    async close() {
      end.abort();
      await looking;
      for (const client of connections.keys()) client.destroy();
      await new Promise((closed) => proxy.close(closed));
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/health/ready`, {
      signal: AbortSignal.timeout(READY_MS_MAX),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

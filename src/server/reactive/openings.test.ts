/** The work of opening pages is spread over turns of the event loop, with requests between them. */
import type { IncomingMessage } from "node:http";
import { afterEach, expect, test } from "vitest";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, startServer, until } from "#test/support/reactive-server.ts";

const PAGES = 40;
const QUERY_MS = 1.5;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

test("the first queries of pages that open at once run a few in each turn, and a mutation before most", async () => {
  let turn = 0;
  let isOver = false;
  closers.push(() => (isOver = true));
  const next = () => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  const answeredIn = new Map<number, number>();
  let answeredBefore: number | undefined;
  const host = new MemoryHost();
  const executor = {
    ...host.executor,
    query: (call: Parameters<typeof host.executor.query>[0]) => {
      work(QUERY_MS);
      answeredIn.set(turn, (answeredIn.get(turn) ?? 0) + 1);
      return host.executor.query(call);
    },
  };
  const clientAddress = ({ headers }: IncomingMessage) => String(headers["x-address"]);
  const server = await startServer(host, { executor, clientAddress });
  closers.push(() => server.close());
  const answered = () => [...answeredIn.values()].reduce((sum, count) => sum + count, 0);
  const open = (address: string) => openSocket(server, { headers: { "x-address": address } });
  const pages = await Promise.all(
    Array.from({ length: PAGES }, (_, page) => open(`198.51.100.${page}`)),
  );
  for (const { socket } of pages) closers.push(() => socket.terminate());
  const trader = await open("192.0.2.1");
  closers.push(() => trader.socket.terminate());
  trader.send(CONNECT);
  trader.socket.on("message", () => (answeredBefore ??= answered()));
  next();
  for (const [page, { send }] of pages.entries()) {
    send(CONNECT);
    send(addQuery(0, "counters:get", { name: `of page ${page}` }));
  }
  const mutation = { udfPath: "counters:add", args: [{ name: "a", by: 1 }] };
  trader.send({ type: "Mutation", requestId: 0, ...mutation });
  await until(() => pages.every(({ heard }) => heard.length > 0));
  expect(answered()).toBe(PAGES);
  expect(Math.max(...answeredIn.values())).toBeLessThanOrEqual(3);
  expect(answeredBefore).toBeLessThan(PAGES / 2);
});

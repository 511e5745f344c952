/** The information that an action gets about its caller. */
import { afterEach, expect, test } from "vitest";
import type { ActionCall } from "./executor.ts";
import { CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, startServer, tokenFor, until } from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A server whose actions never end. */
async function start() {
  const host = new MemoryHost();
  const calls: ActionCall[] = [];
  const executor = {
    ...host.executor,
    action: (call: ActionCall) => {
      calls.push(call);
      return new Promise<never>(() => {});
    },
  };
  const server = await startServer(host, { executor });
  closers.push(() => server.close());
  return { server, calls };
}

const ACTION = { type: "Action", requestId: 0, udfPath: "echoes:never", args: [{}] };

test("an action over a socket counts against the user, and learns that the caller left", async () => {
  const { server, calls } = await start();
  const { socket, send } = await openSocket(server);
  send(CONNECT);
  send({ type: "Authenticate", tokenType: "User", value: tokenFor("ann"), baseVersion: 0 });
  send(ACTION);
  await until(() => calls.length === 1);
  expect(calls[0].client).toBe("user:ann");
  expect(calls[0].signal?.aborted).toBe(false);
  socket.terminate();
  await until(() => calls[0].signal?.aborted === true);
});

test("an action over HTTP counts against the visitor's address, and learns that they left", async () => {
  const { server, calls } = await start();
  const caller = new AbortController();
  const answer = fetch(`${server.address}/api/action`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path: "echoes:never", args: {} }),
    signal: caller.signal,
  }).catch(() => "cut off");
  await until(() => calls.length === 1);
  expect(calls[0].client).toBe("address:127.0.0.1");
  expect(calls[0].signal?.aborted).toBe(false);
  caller.abort();
  expect(await answer).toBe("cut off");
  await until(() => calls[0].signal?.aborted === true);
});

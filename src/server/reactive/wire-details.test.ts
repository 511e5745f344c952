/** Details of the protocol, observed on the wire. */
import { afterEach, expect, test } from "vitest";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { type Answer, MemoryHost, startServer, until } from "#test/support/reactive-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function open(...given: Parameters<typeof startServer>) {
  const server = await startServer(...given);
  closers.push(() => server.close());
  const client = await openSocket(server);
  closers.push(() => client.socket.terminate());
  return { server, ...client };
}

test("an Event is taken and has no effect", async () => {
  const { heard, closed, send } = await open();
  send(CONNECT);
  send({ type: "Event", eventType: "ClientConnect", event: [{ name: "convexClientConstructed" }] });
  send(addQuery(0, "counters:get", { name: "a" }));
  await until(() => heard.length === 1);
  expect(heard[0]).toMatchObject({ type: "Transition" });
  expect(closed.code).toBeUndefined();
});

test("a path without a name is the module's default, and its .js is left out", async () => {
  const asked: string[] = [];
  const host = new MemoryHost();
  const query = (call: { path: string }) => {
    asked.push(call.path);
    return {
      result: { status: "success" as const, value: null },
      topics: new Set(["x"]),
      readsIdentity: false,
    };
  };
  const { server, heard, send } = await open(host, { executor: { ...host.executor, query } });
  send(CONNECT);
  for (const [at, path] of ["dir/one.js:named", "dir/two.js", "three"].entries()) {
    send(addQuery(at, path, {}, at));
  }
  await until(() => heard.length === 3);
  await fetch(`${server.address}/api/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path: "four.js", args: [{}] }),
  });
  expect(asked).toEqual(["dir/one:named", "dir/two:default", "three:default", "four:default"]);
});

test("transitions tell how far the client's clock is behind, and the server's time", async () => {
  const nowMs = 1_700_000_000_000;
  for (const [clientTs, skew] of [
    [nowMs - 1_234, -1_234],
    // An early clock counts as exact: a token that is renewed late is refused.
    [nowMs + 5_000, 0],
  ]) {
    const { heard, send } = await open(new MemoryHost(), { clock: () => nowMs });
    send({ ...CONNECT, clientTs });
    send(addQuery(0, "counters:get", { name: "a" }));
    await until(() => heard.length === 1);
    expect(heard[0]).toMatchObject({ clientClockSkew: skew, serverTs: nowMs * 1_000_000 });
  }
});

test("timestamps are eight bytes in base64, the lowest first, and begin with zero", async () => {
  const host = new MemoryHost();
  host.sequence = 258n;
  const { heard, send } = await open(host);
  send(CONNECT);
  send(addQuery(0, "counters:get", { name: "a" }));
  await until(() => heard.length === 1);
  const [{ startVersion, endVersion }] = heard;
  expect([startVersion.ts, endVersion.ts]).toEqual(["AAAAAAAAAAA=", "AgEAAAAAAAA="]);
});

test("messages are handled in their order, and an Authenticate holds up those after it", async () => {
  const host = new MemoryHost();
  const order: string[] = [];
  const checked = Promise.withResolvers<void>();
  const executor = {
    ...host.executor,
    async authenticate() {
      order.push("authenticate");
      await checked.promise;
      return { subject: "ann", sessionId: "s", issuedAtMs: 0, expiresAtMs: 1e15 };
    },
    query: (call: Parameters<typeof host.executor.query>[0]) => {
      order.push(`${call.path} for ${call.identity?.subject ?? "a visitor"}`);
      return host.executor.query(call);
    },
  };
  const { heard, send } = await open(host, { executor });
  send(CONNECT);
  send(addQuery(0, "callers:name", {}));
  send({ type: "Authenticate", tokenType: "User", value: "a.b.c", baseVersion: 0 });
  send(addQuery(1, "notes:mine", {}, 1));
  send({ type: "Mutation", requestId: 0, udfPath: "notes:add", args: [{ text: "hers" }] });
  await until(() => order.length === 2);
  expect(order).toEqual(["callers:name for a visitor", "authenticate"]);
  checked.resolve();
  const responses = () => heard.filter(({ type }: Answer) => type === "MutationResponse");
  await until(() => responses().length === 1);
  expect(responses()[0]).toMatchObject({ success: true });
  expect(order.slice(2)).toContain("notes:mine for ann");
  expect(order.slice(2).join()).not.toContain("visitor");
  expect(host.notes.get("ann")).toEqual(["hers"]);
});

test("of the same unchanged answer nothing is sent, and after a reconnection every query has one", async () => {
  const { server, heard, send } = await open();
  send(CONNECT);
  send(addQuery(0, "counters:get", { name: "a" }));
  send(addQuery(1, "counters:get", { name: "b" }, 1));
  await until(() => heard.length === 2);
  send({ type: "Mutation", requestId: 0, udfPath: "counters:add", args: [{ name: "a" }] });
  await until(() => heard.length === 4);
  expect(heard[3].modifications).toMatchObject([{ queryId: 0, value: { value: 1 } }]);
  const again = await openSocket(server);
  closers.push(() => again.socket.terminate());
  again.send({ ...CONNECT, connectionCount: 1, lastCloseReason: "InactiveServer" });
  const added = addQuery(0, "counters:get", { name: "a" });
  const [add] = added.modifications;
  const other = { ...add, queryId: 1, args: [{ name: "b" }] };
  again.send({ ...added, modifications: [add, other] });
  await until(() => again.heard.length === 1);
  expect(again.heard[0].modifications).toMatchObject([
    { queryId: 0, value: { value: 1 } },
    { queryId: 1, value: { value: 0 } },
  ]);
});

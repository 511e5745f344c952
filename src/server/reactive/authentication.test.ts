import { afterEach, expect, test } from "vitest";
import {
  api,
  MemoryHost,
  openClient,
  startServer,
  tokenFor,
  until,
  watch,
} from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(...given: Parameters<typeof startServer>) {
  const server = await startServer(...given);
  closers.push(() => server.close());
  return server;
}

/** A page that behaves as ours: it sends nothing before it knows its user. */
function page(address: string, fetchToken: (forced: boolean) => string | null) {
  const client = openClient(address, {
    expectAuth: true,
    initialAuthTokenReuse: true,
    authRefreshTokenLeewaySeconds: 2,
  });
  closers.push(() => client.close());
  const states: boolean[] = [];
  const fetches: boolean[] = [];
  client.setAuth(
    async ({ forceRefreshToken }) => {
      fetches.push(forceRefreshToken);
      return fetchToken(forceRefreshToken);
    },
    (signedIn) => states.push(signedIn),
  );
  return { client, states, fetches };
}

test("a good token is confirmed and fetched only once", async () => {
  const server = await start();
  const { client, states, fetches } = page(server.address, () => tokenFor("ann"));
  const notes = watch(client, api.notes.mine);
  await until(() => notes.seen.length > 0);
  await client.mutation(api.notes.add, { text: "mine" });
  expect(notes.seen).toEqual([[], ["mine"]]);
  expect(states).toEqual([true]);
  expect(fetches).toEqual([false]);
});

test("signed out, public queries are answered and private ones show nothing", async () => {
  const server = await start();
  const { client, states } = page(server.address, () => null);
  const [notes, counter] = [
    watch(client, api.notes.mine),
    watch(client, api.counters.get, { name: "a" }),
  ];
  await until(() => notes.seen.length > 0 && counter.seen.length > 0);
  expect(notes.seen).toEqual([null]);
  expect(states).toEqual([false]);
});

test("a token that cannot be checked signs no user out: the client asks again", async () => {
  const server = await start();
  server.host.authenticationOutages = 1;
  const { client, states, fetches } = page(server.address, () => tokenFor("ann"));
  const notes = watch(client, api.notes.mine);
  await until(() => notes.seen.length > 0);
  expect(notes.seen).toEqual([[]]);
  expect(states).toEqual([true]);
  expect(fetches).toEqual([false]);
});

test("over HTTP a token that cannot be checked is no refusal, and the reason stays inside", async () => {
  const server = await start();
  server.host.authenticationOutages = 1;
  const call = () =>
    fetch(`${server.address}/api/query`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${tokenFor("ann")}` },
      body: JSON.stringify({ path: "notes:mine", args: {}, format: "json" }),
    });
  const away = await call();
  expect(away.status).toBe(503);
  expect(away.headers.get("retry-after")).toBe("2");
  const text = await away.text();
  expect(JSON.parse(text)).toMatchObject({ code: "unavailable" });
  expect(text).not.toContain("10.1.2.3");
  expect((await call()).status).toBe(200);
});

test("a bad token is refused, and the client continues with a fresh one", async () => {
  const server = await start();
  const { client, states, fetches } = page(server.address, (forced) =>
    tokenFor("ann", { signature: forced ? "good" : "forged" }),
  );
  const notes = watch(client, api.notes.mine);
  await until(() => notes.seen.length > 0);
  expect(notes.seen).toEqual([[]]);
  expect(states).toEqual([true]);
  expect(fetches).toEqual([false, true]);
});

test("a client that has only bad tokens ends up signed out, still connected and served", async () => {
  const server = await start();
  let number = 0;
  const { client, states } = page(server.address, () =>
    tokenFor(`ann${number++}`, { signature: "forged" }),
  );
  const notes = watch(client, api.notes.mine);
  await until(() => states.includes(false));
  await until(() => notes.seen.length > 0);
  expect(notes.seen).toEqual([null]);
});

test("an expired token is renewed before a mutation or a change passes under it", async () => {
  const host = new MemoryHost();
  let serverNowMs = Date.now();
  host.nowMs = () => serverNowMs;
  const server = await start(host, { clock: () => serverNowMs });
  const { client, fetches } = page(server.address, () =>
    tokenFor("ann", { issuedAtMs: serverNowMs }),
  );
  const notes = watch(client, api.notes.mine);
  await until(() => notes.seen.length > 0);
  serverNowMs += 901_000;
  await client.mutation(api.notes.add, { text: "late" });
  expect(host.notes.get("ann")).toEqual(["late"]);
  expect(fetches).toEqual([false, true]);
  serverNowMs += 901_000;
  host.notes.set("ann", ["changed"]);
  host.change("notes:ann");
  await until(() => notes.latest()[0] === "changed");
  expect(fetches).toEqual([false, true, true]);
  expect(client.connectionState().connectionCount).toBe(3);
});

test("an expired token runs no action", async () => {
  const host = new MemoryHost();
  let serverNowMs = Date.now();
  host.nowMs = () => serverNowMs;
  const server = await start(host, { clock: () => serverNowMs });
  const { client } = page(server.address, () => tokenFor("ann", { issuedAtMs: serverNowMs }));
  await until(() => client.connectionState().isWebSocketConnected);
  expect(await client.action(api.echoes.back, {})).toEqual({ args: {}, subject: "ann" });
  serverNowMs += 901_000;
  await expect(client.action(api.echoes.back, {})).rejects.toThrow("Connection lost");
});

test("a session that is dropped loses its connections at once, and no other does", async () => {
  const server = await start();
  const { host } = server;
  // To the executor the session stays live, so that nothing but the drop can end the connection.
  let signedIn = true;
  const ann = page(server.address, () =>
    signedIn ? tokenFor("ann", { sessionId: "phone" }) : null,
  );
  const other = page(server.address, () => tokenFor("ann", { sessionId: "laptop" }));
  const [notes, others] = [watch(ann.client, api.notes.mine), watch(other.client, api.notes.mine)];
  await until(() => notes.seen.length > 0 && others.seen.length > 0);
  signedIn = false;
  server.reactive.dropSession("phone");
  await until(() => ann.states.includes(false));
  await until(() => notes.latest() === null);
  host.notes.set("ann", ["news"]);
  host.change("notes:ann");
  await until(() => others.latest().length === 1);
  expect(notes.seen).toEqual([[], null]);
  expect(other.client.connectionState().connectionCount).toBe(1);
});

test("a session that is over is shown nothing more, even if its end was not announced", async () => {
  const server = await start();
  const { host } = server;
  const ann = page(server.address, () =>
    host.endedSessions.has("ann-session") ? null : tokenFor("ann"),
  );
  const notes = watch(ann.client, api.notes.mine);
  await until(() => notes.seen.length > 0);
  host.endedSessions.add("ann-session");
  host.notes.set("ann", ["after the end"]);
  host.change("notes:ann");
  await until(() => notes.latest() === null);
  expect(notes.seen).toEqual([[], null]);
});

test("signing in, as another and out again shows each their own", async () => {
  const server = await start();
  server.host.notes.set("ann", ["of ann"]).set("bob", ["of bob"]);
  const client = openClient(server.address);
  closers.push(() => client.close());
  const notes = watch(client, api.notes.mine);
  const counter = watch(client, api.counters.get, { name: "a" });
  await until(() => notes.seen.length === 1);
  client.setAuth(async () => tokenFor("ann"));
  await until(() => notes.latest()?.[0] === "of ann");
  client.setAuth(async () => tokenFor("bob"));
  await until(() => notes.latest()?.[0] === "of bob");
  client.client.clearAuth();
  await until(() => notes.latest() === null);
  expect(notes.seen).toEqual([null, ["of ann"], ["of bob"], null]);
  // Answers that do not depend on the caller were not sent again.
  expect(counter.seen).toHaveLength(1);
  expect(client.connectionState().connectionCount).toBe(1);
});

test("the same request of another person is another request", async () => {
  const server = await start();
  const keys: string[] = [];
  server.host.aroundMutation = (run, key) => {
    keys.push(key);
    return run();
  };
  const { WebSocket } = await import("ws");
  for (const subject of ["ann", "bob"]) {
    const socket = new WebSocket(`${server.address.replace("http", "ws")}/api/1.48.0/sync`);
    await new Promise((resolve) => socket.on("open", resolve));
    socket.send(
      JSON.stringify({
        type: "Connect",
        sessionId: "same",
        connectionCount: 0,
        lastCloseReason: null,
        clientTs: 0,
      }),
    );
    socket.send(
      JSON.stringify({
        type: "Authenticate",
        tokenType: "User",
        value: tokenFor(subject),
        baseVersion: 0,
      }),
    );
    socket.send(
      JSON.stringify({
        type: "Mutation",
        requestId: 0,
        udfPath: "notes:add",
        args: [{ text: "one" }],
      }),
    );
    await until(() => server.host.notes.get(subject)?.length === 1);
    socket.close();
  }
  expect(new Set(keys).size).toBe(2);
});

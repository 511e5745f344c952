import { connect } from "node:net";
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import {
  api,
  MemoryHost,
  openClient,
  startServer,
  tokenFor,
  until,
  watch,
} from "#test/support/reactive-server.ts";
import type { Answer, TestServer } from "#test/support/reactive-server.ts";
import { decodeTimestamp } from "./timestamps.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(...given: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...given);
  closers.push(() => server.close());
  return server;
}

async function open(...given: Parameters<typeof openSocket>) {
  const client = await openSocket(...given);
  closers.push(async () => client.socket.terminate());
  return client;
}

describe("versions", () => {
  test("every Transition starts where the last one ended, and time never goes back", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    send({ type: "Authenticate", tokenType: "User", value: tokenFor("ann"), baseVersion: 0 });
    send(addQuery(0, "counters:get", { name: "a" }));
    for (let n = 0; n < 20; n++) {
      send({ type: "Mutation", requestId: n, udfPath: "counters:add", args: [{ name: "a" }] });
      server.host.change("counter:a", n % 2 === 0 ? "now" : "conflated");
    }
    send({ type: "Authenticate", tokenType: "None", baseVersion: 1 });
    const responses = () => heard.filter(({ type }) => type === "MutationResponse");
    await until(() => responses().length === 20 && heard.at(-1).type === "Transition");
    let version = { querySet: 0, identity: 0, ts: "AAAAAAAAAAA=" };
    let awaited: bigint | undefined;
    for (const message of heard) {
      if (message.type === "MutationResponse") awaited = decodeTimestamp(message.ts);
      if (message.type !== "Transition") continue;
      expect(message.startVersion).toEqual(version);
      const [before, after] = [message.startVersion.ts, message.endVersion.ts].map(
        (ts) => decodeTimestamp(ts) as bigint,
      );
      expect(after >= before).toBe(true);
      if (awaited !== undefined) expect(after >= awaited).toBe(true);
      awaited = undefined;
      version = message.endVersion;
    }
    expect(version.querySet).toBe(1);
    expect(version.identity).toBe(2);
    expect(awaited).toBeUndefined();
  });

  test("a removed query is confirmed and never mentioned again", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    send(addQuery(7, "counters.js:get", { name: "a" }));
    send({
      type: "ModifyQuerySet",
      baseVersion: 1,
      newVersion: 2,
      modifications: [{ type: "Remove", queryId: 7 }],
    });
    await until(() => heard.length === 2);
    expect(heard[0].modifications).toEqual([
      {
        type: "QueryUpdated",
        queryId: 7,
        value: { name: "a", value: 0 },
        logLines: [],
        journal: null,
      },
    ]);
    expect(heard[1].modifications).toEqual([{ type: "QueryRemoved", queryId: 7 }]);
    server.host.change("counter:a");
    send({ type: "Mutation", requestId: 0, udfPath: "counters:add", args: [{ name: "a" }] });
    await until(() => heard.length === 4);
    expect(heard[3].modifications).toEqual([]);
  });

  test("an old client gets a long Transition whole", async () => {
    const { heard, send } = await open(await start(), { version: "1.27.0" });
    send(CONNECT);
    send(addQuery(0, "values:large", { thirds: "2000000" }));
    await until(() => heard.length === 1);
    expect(heard[0].type).toBe("Transition");
  });

  test("a slow reader is sent the latest state, not every one on the way", async () => {
    const server = await start();
    const { host } = server;
    const text = "x".repeat(400_000);
    host.items = [text, "0"];
    const { socket, heard, send } = await open(server);
    send(CONNECT);
    send(addQuery(0, "lists:items", {}));
    await until(() => heard.length === 1);
    socket.pause();
    const before = host.evaluations.get("lists:items") as number;
    for (let n = 1; n <= 200; n++) {
      host.items = [text, String(n)];
      host.change("items");
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((host.evaluations.get("lists:items") as number) - before).toBeLessThan(100);
    socket.resume();
    await until(() => heard.at(-1).modifications[0].value[1] === "200");
    expect(heard.length).toBeLessThan(100);
  });
});

describe("a broken protocol", () => {
  const bad: Record<string, (string | object)[]> = {
    "no JSON": ["{"],
    "no object": ["[1]"],
    null: ["null"],
    "no type": [{ requestId: 1 }],
    "an unknown type": [CONNECT, { type: "Subscribe" }],
    "the name of a prototype's property as type": [{ type: "constructor" }],
    "a message before Connect": [{ type: "Mutation", requestId: 0, udfPath: "a:b", args: [{}] }],
    "Connect twice": [CONNECT, CONNECT],
    "Connect without a session": [{ ...CONNECT, sessionId: undefined }],
    "Connect with a timestamp that is none": [{ ...CONNECT, maxObservedTimestamp: "soon" }],
    "a base version of the queries that is wrong": [CONNECT, addQuery(0, "counters:get", {}, 3)],
    "a base version of the identity that is wrong": [
      CONNECT,
      { type: "Authenticate", tokenType: "None", baseVersion: 1 },
    ],
    "a new version that is not newer": [
      CONNECT,
      { type: "ModifyQuerySet", baseVersion: 0, newVersion: 0, modifications: [] },
    ],
    "a query id twice": [
      CONNECT,
      addQuery(0, "counters:get", {}),
      addQuery(0, "counters:get", {}, 1),
    ],
    "a query id that is negative": [CONNECT, addQuery(-1, "counters:get", {})],
    "a request id that is text": [
      CONNECT,
      { type: "Mutation", requestId: "0", udfPath: "a:b", args: [{}] },
    ],
    "no path": [CONNECT, { type: "Action", requestId: 0, args: [{}] }],
    "too many queries": [
      CONNECT,
      {
        type: "ModifyQuerySet",
        baseVersion: 0,
        newVersion: 1,
        modifications: Array.from({ length: 1001 }, (_, queryId) => ({
          type: "Add",
          queryId,
          udfPath: "counters:get",
          args: [{}],
        })),
      },
    ],
    "a query set that is too large": [
      CONNECT,
      addQuery(0, "counters:get", { text: "x".repeat(1_100_000) }),
    ],
  };
  for (const [name, messages] of Object.entries(bad)) {
    test(`is answered with a sentence: ${name}`, async () => {
      const server = await start();
      const { heard, closed, send } = await open(server);
      for (const message of messages) send(message);
      await until(() => closed.code !== undefined);
      expect(heard.at(-1)).toMatchObject({
        type: "FatalError",
        error: expect.stringMatching(/\w+ .+\./),
      });
      expect(closed.code).toBe(1002);
      expect(server.reactive.statistics()).toEqual({ connections: 0, queries: 0, topics: 0 });
    });
  }

  test("a binary frame is refused", async () => {
    const { socket, heard, closed } = await open(await start());
    socket.send(randomBytes(10));
    await until(() => closed.code !== undefined);
    expect(heard[0].type).toBe("FatalError");
  });

  test("arguments that cannot be read fail the one query or request alone", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    send(CONNECT);
    send(addQuery(0, "counters:get", { $integer: "x" }));
    send(addQuery(1, "counters:get", { name: { $bytes: 1 } }, 1));
    send(addQuery(2, "counters:get", [], 2));
    send(JSON.stringify(addQuery(3, "counters:get", "DEEP", 3)).replace('"DEEP"', `{"a":${deep}}`));
    send({
      type: "Mutation",
      requestId: 0,
      udfPath: "counters:add",
      args: [{ $reserved: 1, other: 2 }],
    });
    send({ type: "Action", requestId: 1, udfPath: "echoes:back", args: [7] });
    await until(() => heard.length === 6);
    expect(heard.slice(0, 4).map((message) => message.modifications[0].type)).toEqual(
      Array(4).fill("QueryFailed"),
    );
    for (const message of heard.slice(4)) {
      expect(message).toMatchObject({
        success: false,
        result: expect.stringContaining("arguments"),
      });
      expect(message.errorData).toEqual({
        code: "invalidArgument",
        field: "args",
        message: message.result,
      });
    }
    send(addQuery(4, "counters:get", { name: "a" }, 4));
    await until(() => heard.length === 7);
    expect(heard[6].modifications[0].type).toBe("QueryUpdated");
  });

  test.each([
    ["nested more than 64 deep", `{"a":${"[".repeat(64)}${"]".repeat(64)}}`, /nested more than 64/],
    ["nested that deep in objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, /nested more/],
    ["named __proto__", `{"name":"a","__proto__":"x"}`, /__proto__/],
    ["named __proto__ further in", `{"name":[{"__proto__":{}}]}`, /__proto__/],
    ["with a name that is far too long", `{"${"é".repeat(3_000)}":1}`, /^.{50,200}$/],
    ["of more bytes than a query may have", `{"name":"${"é".repeat(4_096)}"}`, /8192 bytes/],
  ])("arguments %s are refused with data", async (_name, args, sentence) => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    send(JSON.stringify(addQuery(0, "counters:get", "ARGS")).replace('"ARGS"', args));
    await until(() => heard.length === 1);
    const [failed] = heard[0].modifications;
    expect(failed).toMatchObject({ type: "QueryFailed", queryId: 0 });
    expect(failed.errorMessage).toMatch(sentence);
    const message = failed.errorMessage;
    expect(failed.errorData).toEqual({ code: "invalidArgument", field: "args", message });
    const response = await fetch(`${server.address}/api/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"path":"counters:get","args":[${args}]}`,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(failed.errorData);
    expect(server.host.evaluations.size).toBe(0);
  });

  test("arguments nested 64 deep and of 8192 bytes are read", async () => {
    const { heard, send } = await open(await start());
    send(CONNECT);
    const nested = `{"a":${"[".repeat(63)}${"]".repeat(63)}}`;
    send(JSON.stringify(addQuery(0, "values:special", "ARGS")).replace('"ARGS"', nested));
    send(addQuery(1, "values:special", { a: "x".repeat(8_192 - `{"a":""}`.length) }, 1));
    await until(() => heard.length === 2);
    const types = heard.flatMap(({ modifications }) => modifications.map((m: Answer) => m.type));
    expect(types).toEqual(["QueryUpdated", "QueryUpdated"]);
  });

  test.each(["-0", "1e999", '{"$float":"AAAAAAAA8H8="}'])(
    "a query that waits for its turn is read as it was when it came, with %s at the deepest place",
    async (special) => {
      const server = await start();
      const { heard, send } = await open(server);
      send(CONNECT);
      const depth = special.startsWith("{") ? 63 : 64;
      const deepest = `${'{"a":'.repeat(depth)}${special}${"}".repeat(depth)}`;
      // More queries than one Transition evaluates.
      const added = Array.from({ length: 120 }, (_, queryId) =>
        JSON.stringify({ type: "Add", queryId, udfPath: "values:special", args: ["ARGS"] }),
      );
      send(
        `{"type":"ModifyQuerySet","baseVersion":0,"newVersion":1,"modifications":[${added
          .join(",")
          .replaceAll('"ARGS"', deepest)}]}`,
      );
      const shown = () =>
        heard
          .flatMap(({ modifications = [] }) => modifications)
          .filter(({ type }: Answer) => type === "QueryUpdated");
      await until(() => shown().length === 120);
    },
  );

  test("what goes wrong while a connection is brought up to date ends that one alone", async () => {
    let isBroken = false;
    const server = await start(new MemoryHost(), {
      serverTime() {
        if (!isBroken) return Date.now();
        isBroken = false;
        throw new Error("as a defect would");
      },
    });
    const clients = [await open(server), await open(server)];
    for (const { send } of clients) {
      send(CONNECT);
      send(addQuery(0, "counters:get", { name: "a" }));
    }
    await until(() => clients.every(({ heard }) => heard.length === 1));
    isBroken = true;
    server.host.counters.set("a", 7);
    server.host.change("counter:a", "conflated");
    const closed = () => clients.filter(({ socket }) => socket.readyState === socket.CLOSED);
    await until(() => closed().length === 1);
    await until(() => clients.some(({ heard }) => heard.length === 2));
    expect(closed()).toHaveLength(1);
    expect((await fetch(`${server.address}/api/none`)).status).toBe(404);
  });

  test("the arguments of all queries are bounded, and removed ones are free again", async () => {
    const { heard, send } = await open(await start());
    send(CONNECT);
    const args = (queryId: number) => [{ name: String(queryId).padEnd(8_000, "x") }];
    const add = (queryId: number) => ({
      type: "Add",
      queryId,
      udfPath: "counters:get",
      args: args(queryId),
    });
    const modify = (baseVersion: number, modifications: object[]) =>
      send({ type: "ModifyQuerySet", baseVersion, newVersion: baseVersion + 1, modifications });
    modify(
      0,
      Array.from({ length: 40 }, (_, queryId) => add(queryId)),
    );
    // A Transition contains as many as can be evaluated within its time.
    const shown = (): Answer[] => heard.flatMap(({ modifications }) => modifications);
    await until(() => shown().length === 40);
    const refused = shown().filter(({ type }) => type === "QueryFailed");
    expect(refused).toHaveLength(8);
    expect(refused[0].errorData).toMatchObject({ code: "invalidArgument", field: "args" });
    heard.length = 0;
    modify(1, [{ type: "Remove", queryId: 0 }, add(100)]);
    await until(() => shown().length === 2);
    expect(shown()).toMatchObject([{ type: "QueryRemoved" }, { queryId: 100, value: {} }]);
  });

  test("an administration key is refused as a token", async () => {
    const { heard, closed, send } = await open(await start());
    send(CONNECT);
    send({ type: "Authenticate", tokenType: "Admin", value: "key", baseVersion: 0 });
    await until(() => closed.code !== undefined);
    expect(heard).toEqual([
      {
        type: "AuthError",
        error:
          "This server takes no admin keys. Sign in as a user and send the token of the session.",
        baseVersion: 0,
        authUpdateAttempted: true,
      },
    ]);
  });

  test("garbage on the wire ends its own connection only", async () => {
    const server = await start();
    const page = openClient(server.address);
    closers.push(() => page.close());
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    const upgrade =
      "GET /api/1.48.0/sync HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    const frames = [
      Buffer.from([0xff, 0xff, 0xff, 0xff]), // reserved bits
      Buffer.from([0x81, 0x05, 1, 2, 3, 4, 5]), // not masked
      Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), // 2^63 bytes
      Buffer.from([0x83, 0x80, 0, 0, 0, 0]), // an unknown opcode
      Buffer.from([0x80, 0x80, 0, 0, 0, 0]), // a continuation without a beginning
      Buffer.from([0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0]), // a ping that is too long
      Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]), // text that is not UTF-8
      Buffer.from([0x88, 0x81, 0, 0, 0, 0, 1]), // a close frame cut short
      randomBytes(2000),
    ];
    for (const frame of frames) {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      const ended = new Promise((resolve) => socket.on("close", resolve));
      socket.resume();
      socket.write(upgrade);
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.end(frame);
      await ended;
    }
    for (const text of [
      "GET /api/1.48.0/sync HTTP/1.1\r\n\r\n",
      upgrade.replace("Version: 13", "Version: 99"),
    ]) {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.resume();
      const ended = new Promise((resolve) => socket.on("close", resolve));
      socket.end(text);
      await ended;
    }
    await until(() => server.reactive.statistics().connections === 1);
    await page.mutation(api.counters.add, { name: "a" });
    expect(counter.latest().value).toBe(1);
  });

  test("a frame far too large ends its connection", async () => {
    const server = await start();
    const { socket, closed, send } = await open(server);
    send(CONNECT);
    socket.send("x".repeat(5_000_000));
    await until(() => closed.code !== undefined);
    expect(closed.code).toBe(1009);
    await until(() => server.reactive.statistics().connections === 0);
  });
});

describe("who may connect", () => {
  test("pages of other origins may not, our own and programs may", async () => {
    const server = await start(undefined, { publicUrl: "https://exchange.example" });
    await expect(open(server, { headers: { origin: "https://evil.example" } })).rejects.toThrow(
      "403",
    );
    await expect(open(server, { headers: { origin: "null" } })).rejects.toThrow("403");
    await open(server, { headers: { origin: "https://exchange.example" } });
    await open(server, { headers: { origin: server.address } });
    await open(server);
    const call = (origin: string) =>
      fetch(`${server.address}/api/query_ts`, { method: "POST", headers: { origin } });
    expect((await call("https://evil.example")).status).toBe(403);
    expect((await call("https://exchange.example")).status).toBe(200);
  });

  test.each([
    ["an address", { connectionsPerAddressMax: 2 }],
    ["the machine", { connectionsMax: 2 }],
  ])("connections beyond the limit of %s are told to come back slowly", async (_whose, limit) => {
    const server = await start(undefined, limit);
    const first = await open(server);
    const second = await open(server);
    for (const { send, heard } of [first, second]) {
      send(CONNECT);
      send(addQuery(0, "counters:get", { name: "a" }));
      await until(() => heard.length === 1);
    }
    const third = await open(server);
    await until(() => third.closed.code !== undefined);
    expect(third.closed).toMatchObject({
      code: 1013,
      reason: expect.stringMatching(/^TooManyConcurrentRequests/),
    });
    first.socket.terminate();
    await until(() => server.reactive.statistics().connections === 1);
    const fourth = await open(server);
    fourth.send(CONNECT);
    fourth.send(addQuery(0, "counters:get", { name: "a" }));
    await until(() => fourth.heard.length === 1);
  });

  test("a server that stops says so", async () => {
    const server = await startServer();
    const { closed } = await open(server);
    await server.close();
    await until(() => closed.code !== undefined);
    expect(closed.code).toBe(1001);
  });
});

describe("HTTP calls that are wrong", () => {
  const post = (
    server: TestServer,
    body: BodyInit,
    headers: Record<string, string> = {},
    path = "query",
  ) =>
    fetch(`${server.address}/api/${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });

  test.each([
    ["no JSON", "{", 400],
    ["no object", "[]", 400],
    ["no path", "{}", 400],
    ["a path that is a number", `{"path":1}`, 400],
    ["an unknown format", `{"path":"a:b","format":"xml"}`, 400],
    ["arguments that are a number", `{"path":"counters:get","args":3}`, 400],
    ["two arguments", `{"path":"counters:get","args":[{},{}]}`, 400],
    ["a malformed value", `{"path":"counters:get","args":[{"a":{"$integer":"!"}}]}`, 400],
    [
      "arguments nested without end",
      `{"path":"counters:get","args":[{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`,
      400,
    ],
    ["a body of 10 MB", `{"path":"${"x".repeat(10_000_000)}"}`, 413],
  ])("%s gets a clear error", async (_, body, status) => {
    const server = await start();
    const response = await post(server, body);
    expect(response.status).toBe(status);
    const answer = await response.json();
    expect(answer).toMatchObject({
      code: expect.any(String),
      message: expect.stringMatching(/\w+ .+/),
    });
    expect((await post(server, `{"path":"counters:get","args":{"name":"a"}}`)).status).toBe(200);
  });

  test("a body of 10 MB without a declared length is refused too", async () => {
    const server = await start();
    const chunk = new Uint8Array(100_000);
    let left = 100;
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });
    // The browser's types, which the tests of pages need, do not know `duplex` yet.
    const request: RequestInit & { duplex: "half" } = {
      method: "POST",
      body,
      duplex: "half",
      headers: { "content-type": "application/json" },
    };
    const response = await fetch(`${server.address}/api/mutation`, request);
    expect(response.status).toBe(413);
  });

  test("other methods, content types and authorizations are refused", async () => {
    const server = await start();
    const body = `{"path":"counters:get","args":{"name":"a"}}`;
    expect((await fetch(`${server.address}/api/query`)).status).toBe(405);
    expect((await post(server, body, { "content-type": "text/plain" })).status).toBe(415);
    for (const authorization of ["Convex key", "Convex key:identity", "convex"]) {
      const refused = await post(server, body, { authorization });
      expect([refused.status, await refused.json()]).toEqual([
        401,
        {
          code: "InvalidAuthHeader",
          message:
            "This server takes no admin keys. Sign in as a user and send the token of the session.",
        },
      ]);
    }
    expect((await post(server, body, { authorization: "Basic key" })).status).toBe(401);
    expect(
      (
        await post(server, body, {
          authorization: `Bearer ${tokenFor("a", { lifetimeSeconds: -9 })}`,
        })
      ).status,
    ).toBe(401);
    expect((await post(server, body, {}, "queries")).status).toBe(404);
    expect((await post(server, body, {}, "constructor")).status).toBe(404);
  });

  test("a function's refusal has the status that the client knows", async () => {
    const server = await start();
    const response = await post(server, `{"path":"failures:data","args":[{}]}`, {}, "mutation");
    expect(response.status).toBe(560);
    expect(await response.json()).toEqual({
      status: "error",
      errorMessage: "Refused.",
      errorData: { code: "tooSmall", field: "quantity" },
      logLines: [],
    });
  });
});

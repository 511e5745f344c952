import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { httpScene } from "#test/support/http-scene.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { HeldBytes } from "../limits/held-bytes.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { ClientRequests } from "./client-requests.ts";
import { ON_BEHALF_HEADER, OwnRequests } from "./own-requests.ts";

const scene = httpScene();
const { call, start } = scene;

describe("what an address may ask", () => {
  test("bodies of 10 MB and of unknown length are refused before any handler, and the next call is served", async () => {
    await start();
    for (const path of ["/api/auth/sign-in/email", "/api/query", "/"]) {
      const answer = await call(path, {
        method: "POST",
        body: Buffer.alloc(10_000_000),
        headers: { "content-length": 10_000_000 },
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toEqual({
        code: "tooLarge",
        message: "The body may have at most 1048576 bytes.",
      });
      const chunked = await call(path, {
        method: "POST",
        body: "x",
        headers: { "transfer-encoding": "chunked" },
      });
      expect(chunked.status).toBe(411);
    }
    expect((await call("/")).status).toBe(200);
  });

  test("an address with too many requests under way is told to come later, and is served again", async () => {
    const held: (() => void)[] = [];
    await start({
      requests: new ClientRequests(2, new HeldBytes({ all: 1e9, perClient: 1e9 })),
      page: (_, response) => void held.push(() => response.end("late")),
    });
    const underWay = [call("/a"), call("/b")];
    await expect.poll(() => held.length).toBe(2);
    const refused = await call("/c");
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(JSON.parse(refused.text)).toMatchObject({ code: "tooManyRequests" });
    for (const answer of held) answer();
    for (const each of underWay) expect((await each).text).toBe("late");
    expect((await call("/robots.txt")).status).toBe(200);
  });

  test.each(["/api/auth/session", "/a-page"])(
    "an address whose share is used up waits for %s, and another does not",
    async (path) => {
      const shares = new WorkShares();
      await start({ shares, trustedProxies: 1 });
      const client = clientKeyOf(undefined, "192.0.2.1");
      shares.charge(client, 100);
      let isAnswered = false;
      const waiting = call(path, { headers: { "x-forwarded-for": "192.0.2.1" } }).then(
        () => (isAnswered = true),
      );
      expect((await call(path, { headers: { "x-forwarded-for": "192.0.2.2" } })).status).toBe(200);
      expect([shares.isThrottled(client), isAnswered]).toEqual([true, false]);
      await waiting;
    },
  );

  test("requests for pages that come at once begin a few in each turn of the event loop", async () => {
    let turn = 0;
    let isOver = false;
    const next = () => {
      turn += 1;
      if (!isOver) setImmediate(next);
    };
    const begunIn = new Map<number, number>();
    const shares = new WorkShares();
    await start({
      shares,
      trustedProxies: 1,
      page: (_, response) => {
        begunIn.set(turn, (begunIn.get(turn) ?? 0) + 1);
        response.end();
      },
    });
    const addresses = Array.from({ length: 40 }, (_, n) => `198.51.100.${n}`);
    // All of them may begin at the same moment.
    for (const address of addresses) shares.charge(clientKeyOf(undefined, address), 150);
    next();
    await Promise.all(
      addresses.map((address) => call("/", { headers: { "x-forwarded-for": address } })),
    );
    isOver = true;
    expect([...begunIn.values()].reduce((sum, count) => sum + count)).toBe(40);
    expect(Math.max(...begunIn.values())).toBeLessThanOrEqual(2);
  });

  test("a large body that nothing wants counts for the address that sends it", async () => {
    const shares = new WorkShares();
    await start({ shares });
    let chargedMs = 0;
    vi.spyOn(shares, "charge").mockImplementation((_client, ms) => void (chargedMs += ms));
    // A Node client would leave with its answer.
    const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
    let heard = "";
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
    socket.write("POST /api/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n");
    socket.write("x".repeat(900_000));
    await expect.poll(() => chargedMs).toBeGreaterThan(5.5);
    expect(heard).toMatch(/^HTTP\/1.1 404/);
    socket.destroy();
  });

  test("nothing is begun for a caller who left while their address rested", async () => {
    const shares = new WorkShares();
    const begun: (string | undefined)[] = [];
    await start({
      shares,
      page: ({ url }, response) => {
        begun.push(url);
        response.end();
      },
    });
    shares.charge(clientKeyOf(undefined, "127.0.0.1"), 100);
    const leaving = connect(scene.port, "127.0.0.1").on("error", () => {});
    leaving.write("GET /left HTTP/1.1\r\nHost: x\r\n\r\n");
    const staying = call("/stayed");
    await new Promise((later) => setTimeout(later, 50));
    leaving.destroy();
    expect((await staying).status).toBe(200);
    expect(begun).toEqual(["/stayed"]);
  });

  test("an address that asks the accounts for much has used up its share by that", async () => {
    const shares = new WorkShares();
    let chargedMs = 0;
    vi.spyOn(shares, "charge").mockImplementation((_client, ms) => void (chargedMs += ms));
    await start({ shares });
    for (let n = 0; n < 4; n++) await call("/api/auth/session");
    expect(chargedMs).toBeGreaterThanOrEqual(10);
  });

  test("every request is done in its address's turn, one for a file too, and others are served", async () => {
    const shares = new WorkShares();
    await start({ shares, trustedProxies: 1 });
    const from = (address: string, path: string) =>
      call(path, { headers: { "x-forwarded-for": address } });
    const busy = clientKeyOf(undefined, "192.0.2.1");
    shares.charge(busy, 400);
    const paths = ["/robots.txt", "/api/health", "/api/nothing", "/assets/gone.js"];
    let answered = 0;
    const asked = paths.map((path) => from("192.0.2.1", path).finally(() => answered++));
    for (const path of paths) await from("192.0.2.2", path);
    expect(shares.isThrottled(busy)).toBe(true);
    expect(answered).toBe(0);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 404, 404]);
  });

  test("of the requests that wait for an address's turn only so many are kept", async () => {
    const shares = new WorkShares();
    await start({ shares, connectionsMax: 1_000 });
    shares.charge(clientKeyOf(undefined, "127.0.0.1"), 100_000);
    let cutOff = 0;
    const one = "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n";
    for (let n = 0; n < 518; n++) {
      const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
      socket.on("close", () => cutOff++).write(one);
    }
    await expect.poll(() => cutOff).toBe(6);
    shares.close();
  });

  test("pipelined requests are handled one after another, and the connection of too many ends", async () => {
    const begun: (string | undefined)[] = [];
    const held: (() => void)[] = [];
    await start({
      tradingApi: ({ url }, response) => {
        begun.push(url);
        return new Promise((resolve) => {
          held.push(() => (response.end("done"), resolve(true)));
        });
      },
    });
    const request = (n: number) => `DELETE /api/v3/${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
    socket.resume().write(request(1) + request(2) + request(3));
    await expect.poll(() => begun).toEqual(["/api/v3/1"]);
    await call("/robots.txt");
    expect(begun).toEqual(["/api/v3/1"]);
    held[0]();
    await expect.poll(() => begun).toEqual(["/api/v3/1", "/api/v3/2"]);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    for (let n = 4; n <= 10; n++) socket.write(request(n));
    await closed;
    held[1]();
    await call("/robots.txt");
    expect(begun).toEqual(["/api/v3/1", "/api/v3/2"]);
  });

  test("what a connection has sent beyond the requests that it may is not even parsed", async () => {
    await start();
    let parsed = 0;
    scene.server.on("request", () => parsed++);
    const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume().write("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));
    await closed;
    // Eight wait, and the ninth is one too many.
    expect(parsed).toBe(9);
  });

  test.each([
    ["an unknown expectation", "Host: x\r\nExpect: more\r\n", "417"],
    ["no host", "", "400"],
  ])("requests with %s are counted like all others", async (_what, headers, status) => {
    await start();
    let parsed = 0;
    scene.server.on("request", () => parsed++);
    const one = `GET /robots.txt HTTP/1.1\r\n${headers}\r\n`;
    const single = connect(scene.port, "127.0.0.1").on("error", () => {});
    let answered = "";
    single.on("data", (data) => (answered += String(data)));
    single.write(one);
    await expect.poll(() => answered).toContain(`HTTP/1.1 ${status} `);
    single.destroy();
    parsed = 0;
    const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume().write(one.repeat(1_000));
    await closed;
    expect(parsed).toBe(9);
  });

  test("a request with too many headers or too long a path is refused", async () => {
    await start();
    const headersOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, number) => [`x-${number}`, "1"]));
    expect((await call("/robots.txt", { headers: headersOf(150) })).status).toBe(200);
    expect((await call("/robots.txt", { headers: headersOf(250) })).status).toBe(431);
    expect((await call(`/${"a".repeat(1_000)}?${"b".repeat(5_000)}`)).status).toBe(200);
    expect((await call(`/${"a".repeat(1_100)}`)).status).toBe(414);
  });

  test("a body of undeclared length is not parsed, and no request in it is executed", async () => {
    const begun: (string | undefined)[] = [];
    await start({
      tradingApi({ url }, response) {
        begun.push(url);
        response.end("done");
        return true;
      },
    });
    let chunks = 0;
    scene.server.on("request", (request) => request.on("data", () => chunks++));
    const head = (method: string) =>
      `${method} /api/v3/order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const [method, status] of [
      ["POST", "411"],
      ["BIND", "405"],
    ]) {
      const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
      let answered = "";
      socket.on("data", (data) => (answered += String(data)));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.write(head(method) + "1\r\na\r\n".repeat(2_000));
      socket.write("DELETE /api/v3/hidden HTTP/1.1\r\nHost: x\r\n\r\n");
      await closed;
      expect(answered).toContain(`HTTP/1.1 ${status} `);
    }
    expect(chunks).toBe(0);
    expect(begun).toEqual([]);
  });

  test("a request that follows the last answer of its connection is not executed", async () => {
    const begun: (string | undefined)[] = [];
    await start({
      async tradingApi({ url }, response) {
        begun.push(url);
        await nextTurn();
        if (begun.length === 2) response.setHeader("connection", "close");
        response.end("done");
        return true;
      },
    });
    const request = (n: number) => `DELETE /api/v3/${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const socket = connect(scene.port, "127.0.0.1").on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume().write(request(1) + request(2) + request(3));
    await closed;
    expect(begun).toEqual(["/api/v3/1", "/api/v3/2"]);
  });

  test("what this server asks itself for a visitor's page is the visitor's, and no request too many", async () => {
    const ownRequests = new OwnRequests();
    const held: (() => void)[] = [];
    await start({
      ownRequests,
      requests: new ClientRequests(1, new HeldBytes({ all: 1e9, perClient: 1e9 })),
      page: (_, response) => void held.push(() => response.end("late")),
    });
    const underWay = call("/a");
    await expect.poll(() => held.length).toBe(1);
    const asked = (header: string) =>
      call("/api/auth/session", { headers: { [ON_BEHALF_HEADER]: header } });
    const own = await asked(ownRequests.headerFor("192.0.2.7"));
    expect(JSON.parse(own.text)).toEqual({ address: "192.0.2.7", raw: ["192.0.2.7"] });
    expect((await asked("forged 192.0.2.7")).status).toBe(429);
    held[0]();
    await underWay;
    expect(JSON.parse((await asked("forged 192.0.2.7")).text)).toMatchObject({
      address: "127.0.0.1",
    });
  });

  test("an address that leaves too much of its answers unread is cut off", async () => {
    const bounds = new HeldBytes({ all: 1e9, perClient: 20_000_000 });
    const answer = "x".repeat(12_000_000);
    await start({
      requests: new ClientRequests(50, bounds),
      page: (_, response) => void response.end(answer),
    });
    const sockets = [0, 1, 2].map(() => connect(scene.port, "127.0.0.1").pause());
    let cutOff = 0;
    for (const socket of sockets) {
      socket.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    scene.server.on("request", (_, response) => {
      response.on("close", () => (cutOff += response.writableFinished ? 0 : 1));
    });
    await expect.poll(() => cutOff).toBeGreaterThan(0);
    expect(bounds.bytes).toBeLessThanOrEqual(20_000_000);
    expect((await call("/robots.txt")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test("a connection that asks on and on without its answers is ended, one that waits is not", async () => {
    let asked = 0;
    const answers: (() => void)[] = [];
    await start({
      // The number that is not counted before it begins.
      reactive: (_, response) => {
        asked += 1;
        answers.push(() => response.end("late"));
        return true;
      },
    });
    const one = "GET /api/query HTTP/1.1\r\nHost: x\r\n\r\n";
    const flood = connect(scene.port, "127.0.0.1").on("error", () => {});
    const isEnded = new Promise((ended) => flood.once("close", ended));
    flood.resume().write(one.repeat(1_000));
    await isEnded;
    expect(asked).toBe(1);

    const patient = connect(scene.port, "127.0.0.1");
    for (let request = 2; request < 22; request += 1) {
      patient.write(one);
      await expect.poll(() => asked).toBe(request);
      const answered = new Promise((heard) => patient.once("data", heard));
      answers.at(-1)?.();
      await answered;
    }
    patient.destroy();
  });
});

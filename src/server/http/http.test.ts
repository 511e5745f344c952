import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, RequestOptions, Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog, createSilentLog } from "../log.ts";
import { CLIENT_ADDRESS_HEADER } from "./client-address.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { HeldBytes } from "../limits/held-bytes.ts";
import { ClientRequests } from "./client-requests.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { closeServer } from "./close-server.ts";
import { coinBadges, createCoinIcons } from "./coin-badges.ts";
import { createDispatcher } from "./dispatcher.ts";
import { ON_BEHALF_HEADER, OwnRequests } from "./own-requests.ts";
import type { DispatcherOptions } from "./dispatcher.ts";
import { createEdge, type EdgeOptions } from "./edge.ts";
import { createFiles } from "./files.ts";
import { createHealth } from "./health.ts";
import { createHttpServer } from "./http-server.ts";
import { HttpError, sendJson } from "./json-answer.ts";

let server: Server;
let port: number;
let directory: string;
let health: { status: "ok" | "degraded" | "stopped"; sequence: number; isReady?: boolean };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "openbell-http-"));
  const client = join(directory, "client");
  mkdirSync(join(client, "assets"), { recursive: true });
  mkdirSync(join(client, ".vite"));
  writeFileSync(join(directory, "secret.txt"), "secret");
  writeFileSync(join(client, ".vite", "manifest.json"), "{}");
  writeFileSync(join(client, "robots.txt"), "User-agent: *");
  writeFileSync(join(client, "assets", "page-abc123.js"), SCRIPT);
  writeFileSync(join(client, "assets", "page-abc123.js.br"), "as brotli");
  writeFileSync(join(client, "assets", "page-abc123.js.gz"), gzipSync(SCRIPT));
});
afterEach(async () => {
  await closeServer(server, 100);
  rmSync(directory, { recursive: true });
});

const SCRIPT = "console.log('a page');\n".repeat(50);

async function start(
  options: Partial<DispatcherOptions & EdgeOptions & { connectionsMax: number }> = {},
): Promise<void> {
  const { connectionsMax = 100 } = options;
  health = { status: "ok", sequence: 12 };
  const shares = new WorkShares();
  const dispatcher = createDispatcher({
    shares,
    accountsPath: "/api/auth",
    accounts: (request, response) => {
      const address = request.headers[CLIENT_ADDRESS_HEADER];
      const raw = request.rawHeaders.filter(
        (_, n, all) => n % 2 === 1 && all[n - 1].toLowerCase() === CLIENT_ADDRESS_HEADER,
      );
      sendJson(response, 200, { address, raw });
      return true;
    },
    health: createHealth(() => health),
    metrics: () => false,
    exports: () => false,
    solvency: () => false,
    tradingApi: (request, response) => {
      sendJson(response, 200, { address: request.headers[CLIENT_ADDRESS_HEADER] });
      return true;
    },
    isForPrograms: (path) => path.startsWith("/api/v3/"),
    reactive: () => false,
    upgrade: () => false,
    files: createFiles(join(directory, "client")),
    coinIcons: createCoinIcons((symbol) =>
      symbol === "PIC" ? Buffer.from("a picture").toString("base64") : undefined,
    ),
    coinBadges,
    page: (request, response, { nonce }) => {
      if (request.url === "/broken") throw new Error("a secret detail");
      if (request.url === "/refused") throw new HttpError(403, "forbidden", "Not for you.", "page");
      if (request.url === "/half") {
        response.write("half");
        throw new Error("in the middle");
      }
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<script nonce="${nonce}"></script>`);
    },
    ...options,
  });
  const edge = createEdge(
    {
      log: createSilentLog(),
      requests: new ClientRequests(50, new HeldBytes({ all: 1e9, perClient: 1e9 })),
      ownRequests: new OwnRequests(),
      shares,
      ...options,
    },
    dispatcher,
  );
  const connections = { all: connectionsMax, perAddress: connectionsMax };
  server = createHttpServer({ ...connections, openedPerAddress: Infinity });
  server.on("request", edge.handleRequest);
  server.on("upgrade", edge.handleUpgrade);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
}

interface Heard {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

/** Sends the path as it is, where fetch would tidy it up. */
function call(
  path: string,
  options: RequestOptions & { body?: string | Buffer } = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const body = Buffer.concat(chunks);
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          body,
          text: body.toString(),
        });
      });
    });
    request.on("error", reject);
    request.end(options.body);
  });
}

describe("files", () => {
  test("hashed files are kept forever, others for an hour", async () => {
    await start();
    const script = await call("/assets/page-abc123.js");
    expect(script.text).toBe(SCRIPT);
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": String(SCRIPT.length),
      vary: "accept-encoding",
    });
    expect((await call("/robots.txt?x=1")).headers["cache-control"]).toBe("public, max-age=3600");
  });

  test.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", undefined],
    ["br;q=0", undefined],
  ])("a client that accepts %s gets %s", async (accepted, encoding) => {
    await start();
    const answer = await call("/assets/page-abc123.js", {
      headers: { "accept-encoding": accepted },
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    if (encoding === "br") expect(answer.text).toBe("as brotli");
    if (encoding === "gzip") expect(answer.body).toEqual(gzipSync(SCRIPT));
  });

  test("what the client has is not sent again", async () => {
    await start();
    const headers = { "accept-encoding": "br" };
    const { etag } = (await call("/assets/page-abc123.js", { headers })).headers;
    const again = await call("/assets/page-abc123.js", {
      headers: { ...headers, "if-none-match": `"x", W/${etag}` },
    });
    expect(again).toMatchObject({ status: 304, text: "" });
    expect(again.headers).toMatchObject({
      etag,
      "cache-control": expect.stringContaining("immutable"),
    });
    const other = await call("/assets/page-abc123.js", {
      headers: { "if-none-match": etag as string },
    });
    expect(other.status).toBe(200);
  });

  test("HEAD gets the headers alone", async () => {
    await start();
    const answer = await call("/robots.txt", { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, text: "" });
    expect(answer.headers["content-length"]).toBe("13");
  });

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/assets/%2e%2e%2f%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/assets/page-abc123.js.br",
    "/.vite/manifest.json",
    "/assets/%00",
    "/assets/%",
    "/assets",
  ])("%s is no file", async (path) => {
    await start();
    const answer = await call(path);
    expect(answer.text).not.toContain("secret");
    expect(answer.text).not.toBe("as brotli");
    expect(answer.text).not.toBe("{}");
  });

  test("a hashed file that is gone is a 404 and no page", async () => {
    await start();
    expect(await call("/assets/page-old.js")).toMatchObject({ status: 404 });
  });
});

describe("the dispatcher", () => {
  test("an unknown address of the interface is a 404 in JSON, any other a page", async () => {
    await start();
    for (const path of ["/api", "/api/", "/api/unknown", "/api//auth/x", "/api/authx"]) {
      const answer = await call(path);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toEqual({
        code: "notFound",
        message: "There is nothing at this address.",
      });
    }
    expect((await call("/trade?market=BTC-USD")).headers["content-type"]).toBe("text/html");
  });

  test("pages may run only what carries their nonce, which is never the same", async () => {
    await start();
    const [first, second] = [await call("/"), await call("/")];
    const nonceOf = ({ headers }: Heard) =>
      /script-src 'self' 'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
    expect(first.text).toBe(`<script nonce="${nonceOf(first)}"></script>`);
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    const policy = String(first.headers["content-security-policy"]);
    for (const directive of [
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      `connect-src 'self' ws://localhost:${port} wss://localhost:${port}`,
      "frame-ancestors 'none'",
      "object-src 'none'",
      "base-uri 'none'",
    ]) {
      expect(policy.split("; ")).toContain(directive);
    }
    expect(first.headers).toMatchObject({
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(first.headers).not.toHaveProperty("strict-transport-security");
  });

  test("an answer to a program may do nothing as a page, and names the true address", async () => {
    await start({ publicUrl: "https://exchange.example" });
    const forged = { headers: { [CLIENT_ADDRESS_HEADER]: "203.0.113.9" } };
    const { headers, text } = await call("/api/v3/ping", forged);
    expect(JSON.parse(text)).toEqual({ address: "127.0.0.1" });
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
    });
  });

  test("a Host header cannot widen the policy", async () => {
    await start();
    const answer = await call("/", { headers: { host: "x; script-src *" } });
    expect(answer.headers["content-security-policy"]).not.toContain("script-src *");
  });

  test("a public https address is told to browsers", async () => {
    await start({ publicUrl: "https://exchange.example" });
    const { headers } = await call("/");
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(headers["content-security-policy"]).toContain(
      "connect-src 'self' wss://exchange.example;",
    );
  });

  test("pages may connect to a backend elsewhere, and only there", async () => {
    await start({ publicUrl: "https://exchange.example", backendUrl: "https://live.example" });
    expect((await call("/")).headers["content-security-policy"]).toContain(
      "connect-src 'self' wss://live.example;",
    );
  });

  test("accounts answer below the path that is set for them, and nowhere else", async () => {
    await start({ accountsPath: "/api/people" });
    expect((await call("/api/people/ok")).status).toBe(200);
    for (const path of ["/api/auth/ok", "/api/peoples/ok", "/api/people"]) {
      expect((await call(path)).status, path).toBe(404);
    }
  });

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
    // All of them may begin at one moment.
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
    // A client of Node would leave with its answer.
    const socket = connect(port, "127.0.0.1").on("error", () => {});
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
    const leaving = connect(port, "127.0.0.1").on("error", () => {});
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
    shares.charge(busy, 100);
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
      const socket = connect(port, "127.0.0.1").on("error", () => {});
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
    const socket = connect(port, "127.0.0.1").on("error", () => {});
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
    server.on("request", () => parsed++);
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume().write("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));
    await closed;
    // Eight wait, and the ninth is one too many.
    expect(parsed).toBe(9);
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
    let pieces = 0;
    server.on("request", (request) => request.on("data", () => pieces++));
    const head = (method: string) =>
      `${method} /api/v3/order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const [method, status] of [
      ["POST", "411"],
      ["BIND", "405"],
    ]) {
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      let answered = "";
      socket.on("data", (data) => (answered += String(data)));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.write(head(method) + "1\r\na\r\n".repeat(2_000));
      socket.write("DELETE /api/v3/hidden HTTP/1.1\r\nHost: x\r\n\r\n");
      await closed;
      expect(answered).toContain(`HTTP/1.1 ${status} `);
    }
    expect(pieces).toBe(0);
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
    const socket = connect(port, "127.0.0.1").on("error", () => {});
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
    const sockets = [0, 1, 2].map(() => connect(port, "127.0.0.1").pause());
    let cutOff = 0;
    for (const socket of sockets) {
      socket.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    server.on("request", (_, response) => {
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
      // What is not counted before it begins.
      reactive: (_, response) => {
        asked += 1;
        answers.push(() => response.end("late"));
        return true;
      },
    });
    const one = "GET /api/query HTTP/1.1\r\nHost: x\r\n\r\n";
    const flood = connect(port, "127.0.0.1").on("error", () => {});
    const isEnded = new Promise((ended) => flood.once("close", ended));
    flood.resume().write(one.repeat(1_000));
    await isEnded;
    expect(asked).toBe(1);

    const patient = connect(port, "127.0.0.1");
    for (let request = 2; request < 22; request += 1) {
      patient.write(one);
      await expect.poll(() => asked).toBe(request);
      const answered = new Promise((heard) => patient.once("data", heard));
      answers.at(-1)?.();
      await answered;
    }
    patient.destroy();
  });

  test("other methods are refused", async () => {
    await start();
    expect((await call("/", { method: "DELETE" })).status).toBe(405);
    expect((await call("/", { method: "TRACE" })).status).toBe(405);
    expect((await call("/api/health", { method: "POST" })).status).toBe(405);
    expect((await call("/robots.txt", { method: "POST" })).status).toBe(405);
  });

  test("an error says nothing of its insides, and one that is meant for the caller all of it", async () => {
    const lines: string[] = [];
    await start({
      log: createLog({ level: "info" }, { write: (line: string) => void lines.push(line) }),
    });
    const broken = await call("/broken");
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain("secret");
    expect(lines.join("")).toContain("a secret detail");
    const refused = await call("/refused");
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toEqual({
      code: "forbidden",
      message: "Not for you.",
      field: "page",
    });
    await expect(call("/half")).rejects.toThrow();
    expect((await call("/")).status).toBe(200);
  });

  test.each(["//x", "//evil.example/..", "/\\x", "/\\/x?a=1"])(
    "an address that a browser would take for another host is refused: %s",
    async (path) => {
      await start({
        page: (_, response) => void response.writeHead(308, { location: path }).end(),
      });
      const { status, headers } = await call(path, { headers: { host: "evil.example" } });
      expect(status).toBe(400);
      expect(headers.location).toBeUndefined();
    },
  );

  test("the offer of another protocol is ignored", async () => {
    await start();
    for (const upgrade of ["h2c", "TLS/1.0", "x, y"]) {
      const headers = { connection: "Upgrade", upgrade };
      expect((await call("/api/health", { headers })).status).toBe(200);
      expect((await call("/", { headers })).status).toBe(200);
    }
  });

  test("a rendered page is kept by no cache", async () => {
    await start();
    expect((await call("/")).headers["cache-control"]).toBe("private, no-store");
    expect((await call("/robots.txt")).headers["cache-control"]).toContain("public");
  });

  test("a request that is cut off is no failure of ours", async () => {
    const lines: string[] = [];
    const begun = Promise.withResolvers<void>();
    await start({
      log: createLog({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
      accounts: async (request) => {
        begun.resolve();
        await request.toArray();
        return true;
      },
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /api/auth/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
    await begun.promise;
    socket.destroy();
    const cutOff = () => lines.map((line) => JSON.parse(line)).filter((line) => line.cutOff);
    while (cutOff().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cutOff()).toMatchObject([{ level: 20 }]);
    expect(lines.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
  });

  test("what goes well is of no interest to who runs the server, what is refused is", async () => {
    const lines: string[] = [];
    await start({
      log: createLog({ level: "info" }, { write: (line: string) => void lines.push(line) }),
    });
    await call("/robots.txt");
    await call("/assets/page-abc123.js");
    await call("/api/health");
    await call("/");
    await call("/refused");
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const requests = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === "request");
    expect(requests).toMatchObject([{ path: "/refused", status: 403, address: "127.0.0.1" }]);
  });

  test.each(["/refused", "/broken"])("asking for %s again and again fills no log", async (path) => {
    const lines: string[] = [];
    await start({
      log: createLog({ level: "info" }, { write: (line: string) => void lines.push(line) }),
    });
    const bound = path === "/broken" ? 600 : 300;
    for (let each = 0; each < 310; each += 1) await call(path);
    await expect.poll(() => lines.length).toBe(bound);
    expect(lines.length).toBe(bound);
    for (const line of lines) expect(line.length).toBeLessThan(4_000);
  });

  test("a long address is logged by its beginning", async () => {
    const lines: string[] = [];
    await start({
      log: createLog({ level: "info" }, { write: (line: string) => void lines.push(line) }),
    });
    await call(`/api/${"x".repeat(8_000)}`);
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(lines[0]).path).toHaveLength(200);
  });

  test("requests are logged without their query", async () => {
    const lines: string[] = [];
    await start({
      log: createLog({ level: "debug" }, { write: (line: string) => void lines.push(line) }),
    });
    await call("/verify?token=hush");
    await call("/api/auth/reset-password/hush?callbackURL=%2F");
    while (lines.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lines.map((line) => JSON.parse(line).path)).toEqual([
      "/verify",
      "/api/auth/reset-password/[redacted]",
    ]);
    expect(lines.join("")).not.toContain("hush");
  });

  test("the health is 503 once the engine has stopped", async () => {
    await start();
    expect(await call("/api/health")).toMatchObject({
      status: 200,
      text: `{"status":"ok","sequence":12}`,
    });
    expect(await call("/api/health", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    expect(await call("/api/health/live")).toMatchObject({ status: 200, text: `{"status":"ok"}` });
    // It trades: who takes it out of service for that has none.
    health = { status: "degraded", sequence: 12 };
    expect((await call("/api/health/ready")).status).toBe(200);
    health = { status: "ok", sequence: 12, isReady: false };
    expect(await call("/api/health/ready")).toMatchObject({ status: 503 });
    expect((await call("/api/health/live")).status).toBe(200);
    health = { status: "stopped", sequence: 12 };
    for (const path of ["/api/health", "/api/health/ready", "/api/health/live"]) {
      expect((await call(path)).status).toBe(503);
    }
  });

  test("an upgrade for no handler is refused", async () => {
    await start();
    const socket = connect(port, "127.0.0.1");
    let heard = "";
    socket.on("data", (data) => (heard += data));
    socket.write(
      "GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    await new Promise((resolve) => socket.on("close", resolve));
    expect(heard).toContain("404 Not Found");
  });

  test("an upgrade that is refused leaves nothing open, though its client does not close", async () => {
    await start();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("data", () => {});
    socket.write(
      "GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    await new Promise((resolve) => socket.on("end", resolve));
    const connections = () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    await expect.poll(connections).toBe(0);
    socket.destroy();
  });

  test("what is no HTTP gets a 400 and the server lives on", async () => {
    await start();
    for (const text of [
      "nonsense\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(40_000)}\r\n\r\n`,
    ]) {
      const socket = connect(port, "127.0.0.1");
      let heard = "";
      socket.on("data", (data) => (heard += data));
      socket.on("error", () => {});
      socket.write(text);
      await new Promise((resolve) => socket.on("close", resolve));
      expect(heard).toMatch(/^HTTP\/1.1 4\d\d /);
    }
    expect((await call("/")).status).toBe(200);
  });
});

describe("the client's address", () => {
  const addressWith = async (headers: Record<string, string | string[]>) =>
    JSON.parse((await call("/api/auth/ok", { headers })).text);

  test("the operator is told once where a proxy is not trusted", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    await start({ log });
    await call("/");
    expect(lines).toEqual([]);
    for (let n = 0; n < 3; n++) await call("/", { headers: { "x-forwarded-for": "192.0.2.1" } });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("TRUSTED_PROXIES");
  });

  test("a client cannot set it", async () => {
    await start();
    const claimed = {
      [CLIENT_ADDRESS_HEADER]: ["1.2.3.4", "5.6.7.8"],
      "x-forwarded-for": "9.9.9.9",
    };
    expect(await addressWith(claimed)).toEqual({ address: "127.0.0.1", raw: ["127.0.0.1"] });
  });

  test("it is what the outermost of our proxies saw", async () => {
    await start({ trustedProxies: 2 });
    expect(
      (await addressWith({ "x-forwarded-for": "6.6.6.6, 203.0.113.7, 10.0.0.1" })).address,
    ).toBe("203.0.113.7");
    expect((await addressWith({ "x-forwarded-for": "[2001:db8::1]:443, 10.0.0.1" })).address).toBe(
      "2001:db8::1",
    );
    expect((await addressWith({ "x-forwarded-for": "nonsense, 10.0.0.1" })).address).toBe(
      "127.0.0.1",
    );
    expect((await addressWith({ "x-forwarded-for": "10.0.0.1" })).address).toBe("127.0.0.1");
    expect((await addressWith({})).address).toBe("127.0.0.1");
  });
});

describe("stopping", () => {
  test("waits for an answer that is under way and lets idle connections go", async () => {
    let finish = () => {};
    await start({
      page: async (_request, response) => {
        await new Promise<void>((resolve) => (finish = resolve));
        response.end("done");
      },
    });
    const idle = connect(port, "127.0.0.1");
    idle.write("GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => idle.once("data", resolve));
    const gone = new Promise((resolve) => idle.on("close", resolve));
    const busy = connect(port, "127.0.0.1");
    busy.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    let heard = "";
    busy.on("data", (data) => (heard += data));
    await new Promise((resolve) => setTimeout(resolve, 30));
    // Far beyond the test's own patience: the connection must be let go, not torn away.
    const closed = closeServer(server, 600_000);
    await gone;
    finish();
    await closed;
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK[^]+done$/);
    await expect(call("/")).rejects.toThrow("ECONNREFUSED");
  });

  test("ends what does not end by itself", async () => {
    await start({ page: () => {} });
    const answer = call("/").catch((error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await closeServer(server, 50);
    expect(await answer).toContain("hang up");
  });
});

test("a coin without an icon has its letters as one; a file goes before it", async () => {
  mkdirSync(join(directory, "client", "coins"));
  writeFileSync(join(directory, "client", "coins", "btc.svg"), "<svg/>");
  await start();
  expect((await call("/coins/btc.svg")).text).toBe("<svg/>");
  const given = await call("/coins/pic.svg");
  expect([given.text, given.headers["content-type"]]).toEqual(["a picture", "image/png"]);
  const badge = await call("/coins/globex.svg");
  expect(badge).toMatchObject({ status: 200, headers: { "content-type": "image/svg+xml" } });
  expect(badge.text).toContain(">GLO</text>");
  expect((await call("/coins/globex.svg", { method: "HEAD" })).text).toBe("");
  // Anything else is a page's.
  for (const path of ["/coins/a%3Cb.svg", "/coins/GLOBEX.svg", "/coins/x.png", "/coins/x.svg/y"]) {
    expect((await call(path)).headers["content-type"], path).toBe("text/html");
  }
});

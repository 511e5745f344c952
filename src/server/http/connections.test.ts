import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { httpScene } from "#test/support/http-scene.ts";
import { createLog } from "../log.ts";
import { CLIENT_ADDRESS_HEADER } from "./client-address.ts";
import { closeServer } from "./close-server.ts";

const scene = httpScene();
const { call, start } = scene;

describe("a connection", () => {
  test("an upgrade for no handler is refused", async () => {
    await start();
    const socket = connect(scene.port, "127.0.0.1");
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
    const socket = connect({ port: scene.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("data", () => {});
    socket.write(
      "GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    await new Promise((resolve) => socket.on("end", resolve));
    const connections = () =>
      new Promise((resolve) => scene.server.getConnections((_error, count) => resolve(count)));
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
      const socket = connect(scene.port, "127.0.0.1");
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
    const idle = connect(scene.port, "127.0.0.1");
    idle.write("GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => idle.once("data", resolve));
    const gone = new Promise((resolve) => idle.on("close", resolve));
    const busy = connect(scene.port, "127.0.0.1");
    busy.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    let heard = "";
    busy.on("data", (data) => (heard += data));
    await new Promise((resolve) => setTimeout(resolve, 30));
    // Far beyond the test's own patience: the connection must be released, not destroyed.
    const closed = closeServer(scene.server, 600_000);
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
    await closeServer(scene.server, 50);
    expect(await answer).toContain("hang up");
  });
});

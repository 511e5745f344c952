import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { type Heard, httpScene } from "#test/support/http-scene.ts";
import { createLog } from "../log.ts";
import { CLIENT_ADDRESS_HEADER } from "./client-address.ts";

const scene = httpScene();
const { call, start } = scene;

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
      `connect-src 'self' ws://localhost:${scene.port} wss://localhost:${scene.port}`,
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

  test("a call of a program has the true address", async () => {
    await start();
    const forged = { headers: { [CLIENT_ADDRESS_HEADER]: "203.0.113.9" } };
    const { text } = await call("/api/v3/ping", forged);
    expect(JSON.parse(text)).toEqual({ address: "127.0.0.1" });
  });

  test("what a program is refused before its call is looked at may do nothing as a page", async () => {
    await start({ publicUrl: "https://exchange.example" });
    const { headers, status } = await call(`/api/v3/${"long".repeat(256)}`);
    expect(status).toBe(414);
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
    const socket = connect(scene.port, "127.0.0.1");
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
    // It trades, so a load balancer that removes it for this reason has no exchange left.
    scene.health = { status: "degraded", sequence: 12 };
    expect((await call("/api/health/ready")).status).toBe(200);
    scene.health = { status: "ok", sequence: 12, isReady: false };
    expect(await call("/api/health/ready")).toMatchObject({ status: 503 });
    expect((await call("/api/health/live")).status).toBe(200);
    scene.health = { status: "stopped", sequence: 12 };
    for (const path of ["/api/health", "/api/health/ready", "/api/health/live"]) {
      expect((await call(path)).status).toBe(503);
    }
  });
});

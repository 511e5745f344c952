/**
 * deploy/nginx/openbell.conf in a real nginx, where there is one: TLS, WebSockets and clients' addresses, with an
 * exchange in production behind it. Only ports, paths and names differ from the file.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { createTlsCertificate } from "../support/tls-certificate.ts";

const HOST = "exchange.example.com";
const hasNginx = spawnSync("nginx", ["-v"]).error === undefined;
const { cert, key } = createTlsCertificate([HOST]);
const agent = new Agent({ ca: cert, servername: HOST });

let folder: string;
let nginx: ChildProcess;
let exchange: RunningServer;
let tlsPort: number;
let plainPort: number;
let origin: string;

beforeAll(async () => {
  if (!hasNginx) return;
  folder = mkdtempSync(join(tmpdir(), "openbell-nginx-"));
  const port = await freePort();
  [plainPort, tlsPort] = [await freePort(), await freePort()];
  origin = `https://${HOST}:${tlsPort}`;
  exchange = await startServerProcess({
    ENVIRONMENT: "production",
    PORT: String(port),
    PUBLIC_URL: origin,
    TRUSTED_PROXIES: "1",
    AUTH_SECRET: "a secret that is long enough for production",
    SIMULATION: "off",
  });
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key);
  const site = readFileSync("deploy/nginx/openbell.conf", "utf8")
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`)
    .replaceAll(/listen (?:\[::\]:)?80;/g, `listen 127.0.0.1:${plainPort};`)
    .replaceAll(/listen (?:\[::\]:)?443 ssl;/g, `listen 127.0.0.1:${tlsPort} ssl;`)
    // Each stood there for both kinds of addresses.
    .replaceAll(/^(\s*listen .*)\n\s*listen .*$/gm, "$1")
    .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = join(folder, "nginx.conf");
  writeFileSync(
    configuration,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
     events {} http { access_log off; ${temporary.join(" ")} ${site} }`,
  );
  nginx = spawn("nginx", ["-e", "stderr", "-c", configuration], { stdio: "inherit" });
  // Until it listens.
  for (let isOpen = false; !isOpen; await delay(50)) {
    isOpen = await get("/api/health/live").then(
      () => true,
      () => false,
    );
  }
});
afterAll(async () => {
  if (!hasNginx) return;
  const ended = once(nginx, "exit");
  nginx.kill("SIGTERM");
  await ended;
  await exchange.remove();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

async function get(
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Answer> {
  const asked = httpsRequest({
    host: "127.0.0.1",
    port: tlsPort,
    agent,
    path,
    method: body === undefined ? "GET" : "POST",
    headers: { host: `${HOST}:${tlsPort}`, "content-type": "application/json", ...headers },
  });
  asked.end(body && JSON.stringify(body));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test.runIf(hasNginx)("pages come over TLS, and plain HTTP leads there", async () => {
  const page = await get("/");
  expect(page.status).toBe(200);
  expect(page.body).toContain("</html>");
  expect(page.headers["strict-transport-security"]).toBeDefined();
  const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(page.body) ?? [];
  expect((await get(script, { "accept-encoding": "br" })).headers["content-encoding"]).toBe("br");
  const asked = httpRequest({
    host: "127.0.0.1",
    port: plainPort,
    path: "/trade",
    headers: { host: HOST },
  });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(301);
  expect(response.headers.location).toBe(`https://${HOST}/trade`);
});

test.runIf(hasNginx)("people sign up from there, and from no other site", async () => {
  const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  const elsewhere = await get(
    "/api/auth/sign-up/email",
    { origin: "https://evil.example" },
    person,
  );
  expect(elsewhere.status).toBe(403);
  const signedUp = await get("/api/auth/sign-up/email", { origin }, person);
  expect(signedUp.status).toBe(200);
  expect(String(signedUp.headers["set-cookie"])).toMatch(/__Secure-.*Secure/);
});

test.runIf(hasNginx)(
  "WebSockets of pages and programs pass, those of other sites do not",
  async () => {
    const open = async (path: string, from: string | undefined) => {
      const socket = new WebSocket(`wss://127.0.0.1:${tlsPort}${path}`, {
        agent,
        headers: { host: `${HOST}:${tlsPort}` },
        ...(from !== undefined && { origin: from }),
      });
      await Promise.race([
        once(socket, "open"),
        once(socket, "unexpected-response").then(([, response]) => {
          throw new Error(`refused with ${(response as IncomingMessage).statusCode}`);
        }),
      ]);
      return socket;
    };
    const page = await open("/api/1.48.0/sync", origin);
    page.terminate();
    await expect(open("/api/1.48.0/sync", "https://evil.example")).rejects.toThrow(
      "refused with 403",
    );
    const program = await open("/ws-api/v3", undefined);
    program.send(JSON.stringify({ id: 1, method: "ping" }));
    const [answer] = (await once(program, "message")) as [Buffer];
    expect(JSON.parse(String(answer))).toMatchObject({ id: 1, status: 200 });
    program.terminate();
  },
);

test.runIf(hasNginx)(
  "a client has its own address, whatever it claims, and nothing of it is misconfigured",
  async () => {
    const wrong = { email: "ada@example.com", password: "wrong wrong wrong" };
    const claimed = { origin, "x-forwarded-for": "203.0.113.9" };
    expect((await get("/api/auth/sign-in/email", claimed, wrong)).status).toBe(401);
    expect(exchange.output()).not.toContain("203.0.113.9");
    expect(exchange.output()).not.toContain("TRUSTED_PROXIES");
  },
);

/** A server of the dispatcher behind the edge, with a few files and stand-ins for everything else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, RequestOptions, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach } from "vitest";
import { ClientRequests } from "#server/http/client-requests.ts";
import { CLIENT_ADDRESS_HEADER } from "#server/http/client-address.ts";
import { closeServer } from "#server/http/close-server.ts";
import { coinBadges, createCoinIcons } from "#server/http/coin-badges.ts";
import { createDispatcher, type DispatcherOptions } from "#server/http/dispatcher.ts";
import { createEdge, type EdgeOptions } from "#server/http/edge.ts";
import { createFiles } from "#server/http/files.ts";
import { createHealth } from "#server/http/health.ts";
import { createHttpServer } from "#server/http/http-server.ts";
import { HttpError, sendJson } from "#server/http/json-answer.ts";
import { OwnRequests } from "#server/http/own-requests.ts";
import { HeldBytes } from "#server/limits/held-bytes.ts";
import { WorkShares } from "#server/limits/work-shares.ts";
import { createSilentLog } from "#server/log.ts";

export const SCRIPT = "console.log('a page');\n".repeat(50);

type StartOptions = Partial<DispatcherOptions & EdgeOptions & { connectionsMax: number }>;

export interface Heard {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

interface HttpScene {
  port: number;
  server: Server;
  directory: string;
  health: { status: "ok" | "degraded" | "stopped"; sequence: number; isReady?: boolean };
  readonly start: (options?: StartOptions) => Promise<void>;
  /** Sends the path as it is, where fetch would tidy it up. */
  readonly call: (
    path: string,
    options?: RequestOptions & { body?: string | Buffer },
  ) => Promise<Heard>;
}

/** Call it once in a file of tests: each test has a directory and, after `start`, a server of its own. */
export function httpScene(): HttpScene {
  const scene = { start, call } as HttpScene;
  beforeEach(() => {
    scene.directory = mkdtempSync(join(tmpdir(), "openbell-http-"));
    const client = join(scene.directory, "client");
    mkdirSync(join(client, "assets"), { recursive: true });
    mkdirSync(join(client, ".vite"));
    writeFileSync(join(scene.directory, "secret.txt"), "secret");
    writeFileSync(join(client, ".vite", "manifest.json"), "{}");
    writeFileSync(join(client, "robots.txt"), "User-agent: *");
    writeFileSync(join(client, "assets", "page-abc123.js"), SCRIPT);
    writeFileSync(join(client, "assets", "page-abc123.js.br"), "as brotli");
    writeFileSync(join(client, "assets", "page-abc123.js.gz"), gzipSync(SCRIPT));
  });
  afterEach(async () => {
    await closeServer(scene.server, 100);
    rmSync(scene.directory, { recursive: true });
  });

  async function start(options: StartOptions = {}): Promise<void> {
    const { connectionsMax = 100 } = options;
    scene.health = { status: "ok", sequence: 12 };
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
      health: createHealth(() => scene.health),
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
      files: createFiles(join(scene.directory, "client")),
      coinIcons: createCoinIcons((symbol) =>
        symbol === "PIC" ? Buffer.from("a picture").toString("base64") : undefined,
      ),
      coinBadges,
      page: (request, response, { nonce }) => {
        if (request.url === "/broken") throw new Error("a secret detail");
        if (request.url === "/refused")
          throw new HttpError(403, "forbidden", "Not for you.", "page");
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
    const server = createHttpServer({ ...connections, openedPerAddress: Infinity });
    server.on("request", edge.handleRequest);
    server.on("upgrade", edge.handleUpgrade);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    scene.port = (server.address() as AddressInfo).port;
    scene.server = server;
  }

  function call(
    path: string,
    options: RequestOptions & { body?: string | Buffer } = {},
  ): Promise<Heard> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { port: scene.port, path, agent: false, ...options },
        (response) => {
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
        },
      );
      request.on("error", reject);
      request.end(options.body);
    });
  }

  return scene;
}

/**
 * The whole exchange in this process, without simulation and without pages: accounts, the reactive
 * backend, the engine with its journal, and the history, on a database of the test's own.
 */
import { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { afterEach } from "vitest";
import { functions } from "#contract/functions.ts";
import { readConfig } from "#server/settings/config.ts";
import type { Database } from "#server/database/open-database.ts";
import { createLog } from "#server/log.ts";
import { startServer } from "#server/start-server.ts";
import { TestBrowser, TEST_SECRET } from "./accounts-server.ts";
import type { OpenTestDatabase } from "./databases.ts";

export interface TestExchange {
  readonly url: string;
  /** The exchange's own database, over connections of the test's. */
  readonly database: Database;
  /** Everything that was logged so far, at level debug. */
  logged(): string;
  /** A user with an account, practice funds and an open connection. */
  trader(email: string): Promise<Trader>;
  browser(): TestBrowser;
  stop(): Promise<void>;
}

export interface Trader {
  readonly userId: string;
  readonly browser: TestBrowser;
  /** A program's connection that stays open, of this browser's session. */
  readonly socket: Connected;
  /** Calls over plain HTTP with the backend token of the start, whatever became of its session. */
  readonly http: ConvexHttpClient;
  /** Places an order that rests, far from where anyone would trade. */
  rest(): Promise<string>;
}

/** The official client, and what its server did to it. */
export interface Connected {
  readonly client: ConvexClient;
  /** What `users:current` said so far: an id, or null for a visitor. */
  readonly seen: (string | null)[];
  /** How many tokens it was given: it renews the first one as soon as the server has taken it. */
  tokens(): number;
  /** How often the server ended the connection. */
  ended(): number;
}

/** @param after an exchange that has stopped, on whose data the new one starts */
export type StartExchange = (
  settings?: Record<string, string>,
  after?: { readonly database: Pick<Database, "location"> },
) => Promise<TestExchange>;

/** To be called inside the suite of a database: what it starts is stopped before its database is. */
export function exchangeStarter(openDatabase: OpenTestDatabase): StartExchange {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  return async (settings, after) => {
    const database = await openDatabase(after?.database);
    const { dataDir, databaseUrl, schema } = database.location;
    let text = "";
    const lines = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString("utf8");
        done();
      },
    });
    const running = await startServer({
      config: readConfig({
        PORT: "0",
        SIMULATION: "off",
        AUTH_RATE_LIMIT: "off",
        AUTH_SECRET: TEST_SECRET,
        ADMIN_EMAIL: "root@example.com",
        DATA_DIR: dataDir,
        ...(databaseUrl !== undefined && {
          DATABASE_URL: `${databaseUrl}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
        }),
        ...settings,
      }),
      log: createLog({ level: "debug" }, lines),
      openPages: async () => ({
        filesDirectory: dataDir,
        render: async (_request, response) => void response.writeHead(404).end(),
        close: () => Promise.resolve(),
      }),
    });
    let stopped = false;
    const stop = async () => {
      if (stopped) return;
      stopped = true;
      await running.stop();
    };
    closers.push(stop);
    const { url } = running;
    const exchange: TestExchange = {
      url,
      database,
      logged: () => text,
      browser: () => new TestBrowser(url),
      stop,
      async trader(email) {
        const browser = new TestBrowser(url);
        const signedUp = await browser.signUp(email);
        const token = await browser.backendToken();
        const http = new ConvexHttpClient(url, {
          skipConvexDeploymentUrlCheck: true,
          auth: token,
          logger: false,
        });
        const socket = connect(url, browser);
        closers.push(() => socket.client.close());
        await http.mutation(functions.accounts.takePracticeFunds, {});
        await until(() => socket.seen.length > 0, "the connection");
        return {
          userId: signedUp.body.user.id,
          browser,
          socket,
          http,
          async rest() {
            const { order } = await socket.client.mutation(functions.orders.place, {
              market: "BTC-USD",
              side: "buy",
              type: "limit",
              price: "1000",
              quantity: "0.01",
            });
            return order.orderId;
          },
        };
      },
    };
    return exchange;
  };
}

function connect(url: string, browser: TestBrowser): Connected {
  const seen: (string | null)[] = [];
  const client = new ConvexClient(url, { skipConvexDeploymentUrlCheck: true, logger: false });
  let tokens = 0;
  client.setAuth(async () => {
    // The server may be gone by then: the test is over.
    const answer = await browser.get("/token").catch(() => null);
    tokens += 1;
    return answer?.status === 200 ? answer.body.token : null;
  });
  client.onUpdate(functions.users.current, {}, (user) => seen.push(user?.id ?? null));
  return {
    client,
    seen,
    tokens: () => tokens,
    ended: () => Math.max(0, client.connectionState().connectionCount - 1),
  };
}

/** Resolves when the condition holds; fails after a generous while. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`${what} did not come true`);
    await pause(10);
  }
}

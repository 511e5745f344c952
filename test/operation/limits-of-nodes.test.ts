/** A user's limits on two nodes that are the whole program, with real NATS servers and PostgreSQL. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { call, signUp } from "../hostile-input/bad-input-clients.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { hasPostgres, onPostgres, postgresUrlOf } from "../support/own-database.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const ORDERS_PER_DAY = 6;

describeOnNats("the limits of a plan", () => {
  const cluster = sharedCluster();

  // Two starts: with FULL alone.
  test.skipIf(!isFull || !hasPostgres)("count over all nodes", { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "openbell-limits-"));
    const catalogue = join(folder, "catalogue.yaml");
    const text = readFileSync("catalogues/simulated.yaml", "utf8");
    // So few that none is refilled during the test.
    writeFileSync(
      catalogue,
      text.replace("ordersPerDay: 50000", `ordersPerDay: ${ORDERS_PER_DAY}`),
    );
    const database = `openbell_limits_${process.pid}`;
    await onPostgres(`create database ${database}`);
    const servers: RunningServer[] = [];
    const start = async (name: string) => {
      const server = await startServerProcess({
        AUTH_SECRET: "0123456789abcdef0123456789abcdef",
        CATALOGUE: catalogue,
        DATABASE_URL: postgresUrlOf(database),
        DATA_DIR: join(folder, name),
        NATS_URL: journal,
        SIMULATION: "off",
      });
      servers.push(server);
      return server;
    };
    const journal = cluster().address(freshStream());
    try {
      const [first, second] = [await start("first"), await start("second")];
      const ada = await signUp(first.url, "Ada");
      await call(first.url, "mutation", "accounts:takePracticeFunds", {}, ada.token);
      for (let order = 0; order < ORDERS_PER_DAY; order++) {
        expect(await place(first, ada.token)).toBe("success");
      }
      expect(await place(first, ada.token)).toBe("tooManyRequests");
      const there = await tokenAt(second, ada.cookie);
      let admitted = 0;
      const placeThere = async () => {
        const answer = await place(second, there);
        if (answer === "success") admitted += 1;
        return answer;
      };
      await expect.poll(placeThere).toBe("tooManyRequests");
      // By itself it would have admitted as many as the first one.
      expect(admitted).toBeLessThan(ORDERS_PER_DAY);
    } finally {
      for (const server of servers) await server.kill();
      await onPostgres(`drop database ${database} with (force)`);
      rmSync(folder, { recursive: true });
    }
  });
});

/** Places an order that rests. @returns how that ended */
async function place({ url }: RunningServer, token: string): Promise<string | undefined> {
  const order = {
    market: "BTC-USD",
    side: "buy",
    type: "limit",
    price: "10000.00",
    quantity: "0.001",
  };
  const { errorData, status } = await call(url, "mutation", "orders:place", order, token);
  return status === "success" ? status : (errorData as { code?: string } | undefined)?.code;
}

/** Tokens are of one node each. */
async function tokenAt({ url }: RunningServer, cookie: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/token`, { headers: { origin: url, cookie } });
  return ((await answer.json()) as { token: string }).token;
}

/**
 * An exchange on three nodes, three NATS servers and PostgreSQL, whose parts are killed, frozen and cut off
 * from each other, while users on every node trade with the official client. Each round follows from a seed.
 * After it every acknowledged order is in the journal once, every node has the state that the journal leads
 * to, and every coin adds up to zero.
 *
 *     FULL=1 ROUNDS=100 ROUND_SEED=1 npx vitest run --project crashes test/crashes/rounds.test.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../disk/journal-disk.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { hasPostgres, onPostgres, postgresUrlOf } from "../support/own-database.ts";
import { disturb } from "./rounds/disturbances.ts";
import { DisturbedExchange } from "./rounds/disturbed-exchange.ts";
import { faultsOf } from "./rounds/round-checks.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const SEED = Number(process.env.ROUND_SEED ?? 1);
const ROUND_MS_MAX = 300_000;

describeOnNats("an exchange that is disturbed", () => {
  const database = `openbell_rounds_${process.pid}`;
  let folder: string;
  let exchange: DisturbedExchange | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "openbell-rounds-"));
    await onPostgres(`create database ${database}`);
    exchange = await DisturbedExchange.start(folder, postgresUrlOf(database));
  });
  afterAll(async () => {
    await exchange?.close();
    rmSync(folder, { recursive: true });
    await onPostgres(`drop database ${database} with (force)`);
  });

  test.skipIf(!hasPostgres)(
    `loses and doubles nothing in ${ROUNDS} rounds`,
    { timeout: ROUNDS * ROUND_MS_MAX, retry: 0 },
    async () => {
      if (exchange === undefined) throw new Error("the exchange did not start");
      for (let seed = SEED; seed < SEED + ROUNDS; seed++) {
        const random = seededRandom(seed);
        for (const client of exchange.clients) client.begin();
        await exchange.whenAcknowledged();
        const say = (what: string) => console.log(`round ${seed}: ${what}`);
        const what = await disturb(exchange, random, say);
        await whenMended(exchange, say);
        await exchange.whenResting();
        const agreed = await exchange.agreedState();
        const source = { dataDir: folder, journal: exchange.journal };
        const faults = await faultsOf(source, exchange.clients, agreed);
        const orders = exchange.clients.reduce((sum, each) => sum + each.acknowledged.size, 0);
        console.log(`round ${seed} is over; ${orders} orders, ${agreed.sequence} commands`);
        expect(faults, `round ${seed}: ${what}`).toEqual([]);
      }
    },
  );
});

/**
 * Resolves once every request has been answered. Where NATS 2.9 takes nothing after a freeze, the frozen server is
 * restarted, as an operator does (docs/cluster.md).
 */
async function whenMended(exchange: DisturbedExchange, say: (what: string) => void): Promise<void> {
  const { servers } = exchange;
  const answered = async () => {
    await servers.whenComplete();
    await exchange.whenAcknowledged();
  };
  await answered().catch(async (error: unknown) => {
    const restarted = await servers.restartFrozen();
    if (restarted.length === 0) throw error;
    say(`server ${restarted.join()} restarted, because NATS took nothing`);
    await answered();
  });
}

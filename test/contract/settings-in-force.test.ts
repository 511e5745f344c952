/** Settings of which nothing else would tell that they reach what they limit. */
import { connect } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import type { HealthReport } from "#contract/health.ts";
import { FreeSpace } from "#server/health/free-space.ts";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { ask, programOf } from "./trading-programs.ts";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A call whose body does not come whole. @returns whether it was cut off */
function stalledCall(url: string, sentBytes: number): () => boolean {
  const { port, host, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  socket.resume();
  closers.push(() => socket.destroy());
  socket.write(
    `POST /api/query HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${sentBytes + 1}\r\n\r\n${" ".repeat(sentBytes)}`,
  );
  return () => socket.destroyed;
}

describeOnSqlite("settings in force", (open) => {
  const start = exchangeStarter(open);

  test("REQUESTS_PER_ADDRESS says how many requests of an address may be under way", async () => {
    const { url } = await start({ REQUESTS_PER_ADDRESS: "2" });
    const statusNow = async () => (await fetch(`${url}/api/health`)).status;
    expect(await statusNow()).toBe(200);
    stalledCall(url, 10);
    stalledCall(url, 10);
    await expect.poll(statusNow).toBe(429);
  });

  test("HELD_MEGABYTES_PER_ADDRESS says how much an address may leave unfinished", async () => {
    const { url } = await start({ HELD_MEGABYTES_PER_ADDRESS: "4", REQUESTS_PER_ADDRESS: "1000" });
    const calls = Array.from({ length: 80 }, () => stalledCall(url, 60_000));
    await expect.poll(() => calls.filter((isCutOff) => isCutOff()).length).toBeGreaterThan(5);
    // What is below the limit stays.
    expect(calls.filter((isCutOff) => !isCutOff()).length).toBeGreaterThan(50);
  });

  test("the health warns of an account that nears what one may own", async () => {
    const exchange = await start({ PRACTICE_FUNDS: "USD:5000000000" });
    const warnings = async () => {
      const health = (await (await fetch(`${exchange.url}/api/health`)).json()) as object;
      const warnings = "warnings" in health ? (health.warnings as string[]) : [];
      // The disk of this machine is another matter.
      return warnings.filter((sentence) => !sentence.includes("disk"));
    };
    expect(await warnings()).toEqual([]);
    await exchange.trader("ada@example.com");
    expect(await warnings()).toEqual([
      "An account owns more than 50 % of the USD that one account can keep.",
    ]);
  });

  test("DISK_FREE_ORDERS_MIN_MB refuses orders on a nearly full disk, and nothing else", async () => {
    const isShort = vi.spyOn(FreeSpace.prototype, "isShort", "get").mockReturnValue(false);
    closers.push(() => isShort.mockRestore());
    const exchange = await start();
    const program = await programOf(exchange, "ada@example.com");
    const { trader } = program;
    const [first, second] = [await trader.rest(), await trader.rest()];
    const order = { symbol: "BTCUSD", side: "BUY", type: "LIMIT", timeInForce: "GTC" };
    const terms = { ...order, price: "1000", quantity: "0.01" };

    isShort.mockReturnValue(true);
    await expect(trader.rest()).rejects.toMatchObject({
      data: { code: "unavailable", message: expect.stringContaining("no new orders") },
    });
    const amend = { orderId: first, quantity: "0.02" };
    await expect(trader.http.mutation(functions.orders.amend, amend)).rejects.toThrow();
    const refused = await ask(exchange, program, "POST", "/api/v3/order", terms);
    expect(refused).toMatchObject({ status: 503, body: { code: -1008 } });

    const open = () => trader.http.query(functions.orders.open, {});
    expect((await open()).map(({ orderId }) => orderId).sort()).toEqual([first, second].sort());
    await trader.http.mutation(functions.orders.cancel, { orderId: first });
    const cancel = { symbol: "BTCUSD", orderId: second };
    const cancelled = await ask(exchange, program, "DELETE", "/api/v3/order", cancel);
    expect(cancelled.status).toBe(200);
    expect(await open()).toEqual([]);

    isShort.mockReturnValue(false);
    expect((await ask(exchange, program, "POST", "/api/v3/order", terms)).status).toBe(200);
    expect(await open()).toHaveLength(1);
  });

  test("DISK_FREE_ORDERS_MIN_MB is compared with the disk of the data directory", async () => {
    const exchange = await start({ DISK_FREE_ORDERS_MIN_MB: "1000000000" });
    const health = (await (await fetch(`${exchange.url}/api/health`)).json()) as HealthReport;
    expect(health.status).toBe("degraded");
    expect(health.problems.map(({ part }) => part)).toContain("orders");
    const trader = await exchange.trader("ada@example.com");
    await expect(trader.rest()).rejects.toMatchObject({ data: { code: "unavailable" } });
  });
});

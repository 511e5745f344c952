/** Settings of which nothing else would tell that they reach what they limit. */
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

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
      return "warnings" in health ? health.warnings : undefined;
    };
    expect(await warnings()).toEqual([]);
    await exchange.trader("ada@example.com");
    expect(await warnings()).toEqual([
      "An account owns more than 50 % of the USD that one account can keep.",
    ]);
  });
});

import { expect, test } from "vitest";
import type { ExchangeHealth } from "../exchange/exchange.ts";
import { ListedCatalogue } from "./install-catalogue.ts";
import { whenListed } from "./when-listed.ts";

const limit = { sequence: 1, timestampMs: 1, ordersMax: 1, levelsMax: 1, marketsInParts: true };
const health: ExchangeHealth = {
  status: "ok",
  sequence: 1,
  lag: 0,
  clock: { state: "ok", skewMs: 0 },
};

test("waits until another node has listed the catalogue", async () => {
  const listed = new ListedCatalogue();
  let looks = 0;
  await whenListed(listed, {
    health() {
      looks += 1;
      listed.workLimit = limit;
      return health;
    },
  });
  expect(looks).toBe(1);
});

test("ends with the reason why the exchange has stopped", async () => {
  const stopped = { ...health, status: "stopped" as const, failure: "the disk is full" };
  await expect(whenListed(new ListedCatalogue(), { health: () => stopped })).rejects.toThrow(
    "The exchange has stopped: the disk is full",
  );
});

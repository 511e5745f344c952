/** What the page that explains a fill recomputes, over many random trades of real people. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FillProof } from "#contract/fill-proof.ts";
import type { Fill, Page } from "#contract/types.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { recomputeFill } from "#contract/fill-recomputation.ts";

let scene: FunctionScene;
type Person = ReturnType<FunctionScene["as"]>;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  scene = await openFunctionScene();
  [ann, ben] = [scene.as("ann"), scene.as("ben")];
  for (const person of [ann, ben]) await person.done("accounts:takePracticeFunds");
  await trade(seededRandom(11), 300);
});
afterAll(() => scene.close());

/** Limit orders around a moving price, some that reach over it, and market orders. */
async function trade(random: () => number, count: number): Promise<void> {
  const maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
  for (const side of ["buy", "sell"] as const) {
    const price = side === "buy" ? "59998.00" : "60003.00";
    await maker({ market: "BTC-USD", side, price, quantity: "4.0000" });
  }
  for (let index = 0; index < count; index++) {
    const person = random() < 0.5 ? ann : ben;
    const side = random() < 0.5 ? "buy" : "sell";
    const quantity = (0.0002 + random() * 0.005).toFixed(4);
    const common = { market: "BTC-USD", side };
    const order =
      random() < 0.3
        ? { ...common, type: "market", quantity }
        : { ...common, type: "limit", quantity, price: (59_997 + random() * 7).toFixed(2) };
    // Refusals are part of life here: sometimes there is nothing to sell.
    await person.mutate("orders:place", order);
  }
}

async function fillsOf(person: Person): Promise<Fill[]> {
  return (await person.answer<Page<Fill>>("fills:history", { limit: 200 })).items;
}

test("every fill of every user is explained to the last unit", async () => {
  const seen = { maker: 0, taker: 0, buy: 0, sell: 0, spared: 0, rounded: 0 };
  for (const person of [ann, ben]) {
    for (const { orderId, tradeId } of await fillsOf(person)) {
      const record = await person.answer<FillProof>("fills:record", { orderId, tradeId });
      const result = recomputeFill(record);
      expect(result, `order ${orderId} trade ${tradeId}`).toMatchObject({ agrees: true });
      seen[record.fill.role]++;
      seen[record.fill.side]++;
      if (/[1-9]/.test(result.spared)) seen.spared++;
      if (/[1-9]/.test(result.roundingAdded)) seen.rounded++;
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(3);
});

test("a fill is its owner's alone", async () => {
  const [fill] = await fillsOf(ann);
  const address = { orderId: fill.orderId, tradeId: fill.tradeId };
  expect(refusal(await ben.act("fills:record", address))).toMatchObject({ code: "unknownOrder" });
  expect(refusal(await scene.as("new").act("fills:record", address))).toMatchObject({
    code: "unknownOrder",
  });
  expect(refusal(await scene.as(null).act("fills:record", address))).toMatchObject({
    code: "unauthorized",
  });
});

test("a trade that the order did not make is refused by name", async () => {
  const [fill] = await fillsOf(ann);
  const address = { orderId: fill.orderId, tradeId: 999_999 };
  expect(refusal(await ann.act("fills:record", address))).toMatchObject({
    code: "notFound",
    field: "tradeId",
  });
  expect(refusal(await ann.act("fills:record", { ...address, tradeId: 0 }))).toMatchObject({
    code: "invalidArgument",
    field: "tradeId",
  });
});

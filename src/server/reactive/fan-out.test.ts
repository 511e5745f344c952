import { expect, test, vi } from "vitest";
import { type Audience, FanOut } from "./fan-out.ts";

function audienceOf(size: number) {
  const told = new Map<number, string>();
  let ids = 0;
  const member = () => {
    const id = ids++;
    return { id, subscriber: { queueFlush: (urgency: string) => void told.set(id, urgency) } };
  };
  const subscriptions = Array.from({ length: size }, member);
  const audience: Audience = { subscriptions, unqueued: 0, next: 0, urgency: "conflated" };
  return { audience, told, member, subscriptions };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a few are queued at once, many a slice at a time, and a few after them soon", async () => {
  const fanOut = new FanOut();
  const few = audienceOf(10);
  const many = audienceOf(100_000);
  const later = audienceOf(10);
  fanOut.add(few.audience, "now");
  fanOut.add(many.audience, "conflated");
  fanOut.add(later.audience, "now");
  expect(few.told.size).toBe(10);
  expect(many.told.size).toBeLessThan(5_000);
  let before = many.told.size;
  for (let turns = 0; many.told.size < 100_000; turns++) {
    expect(turns).toBeLessThan(250);
    await turn();
    expect(many.told.size - before).toBeLessThan(5_000);
    before = many.told.size;
  }
  await vi.waitFor(() => expect(later.told.size).toBe(10));
});

test("many answers that change together are queued a slice at a time, urgent ones before them", async () => {
  const fanOut = new FanOut();
  const many = Array.from({ length: 30_000 }, () => audienceOf(1));
  const own = audienceOf(1);
  const toldOf = () => many.reduce((sum, { told }) => sum + told.size, 0);
  const audiences = many.map(({ audience }) => audience);
  fanOut.addAll(audiences, "conflated");
  fanOut.addAll([own.audience], "now");
  let before = toldOf();
  expect(before).toBeLessThan(5_000);
  await turn();
  expect(own.told.get(0)).toBe("now");
  for (let turns = 0; toldOf() < 30_000; turns++) {
    expect(turns).toBeLessThan(100);
    await turn();
    expect(toldOf() - before).toBeLessThan(10_000);
    before = toldOf();
  }
});

test("no client is left out while others come, leave, and the answer changes again", async () => {
  const fanOut = new FanOut();
  const { audience, told, member, subscriptions } = audienceOf(10_000);
  fanOut.add(audience, "conflated");
  for (let round = 0; audience.unqueued > 0; round++) {
    // Removed as in the store: the last entry takes the place.
    for (const at of [0, 1_999, 5_000, subscriptions.length - 10]) {
      const last = subscriptions.pop();
      if (last === undefined) throw new Error("no one is left");
      subscriptions[at] = last;
      fanOut.moved(audience, last);
    }
    subscriptions.push(member());
    fanOut.joined(audience);
    if (round === 2) {
      told.clear();
      fanOut.add(audience, "now");
    }
    await turn();
  }
  // The second change came after the subscriber that joined last before it.
  expect(subscriptions.filter(({ id }) => !told.has(id) && id < 10_003)).toEqual([]);
  expect([...told.values()].every((urgency) => urgency === "now")).toBe(true);
});

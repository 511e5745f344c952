import { afterAll, beforeAll, expect, test } from "vitest";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

test("users keep their own markets and see no other's", async () => {
  const [ada, bob] = [scene.as("ada"), scene.as("bob")];
  await ada.done("watchlist:add", { markets: ["BTC-USD", "ETH-USD"] });
  await ada.done("watchlist:move", { market: "ETH-USD", index: 0 });
  await bob.done("watchlist:add", { markets: ["SOL-USD"] });
  expect(ada.value("watchlist:list")).toEqual(["ETH-USD", "BTC-USD"]);
  expect(bob.value("watchlist:list")).toEqual(["SOL-USD"]);
  await ada.done("watchlist:remove", { market: "BTC-USD" });
  expect(ada.value("watchlist:list")).toEqual(["ETH-USD"]);
});

test("a market that does not exist is refused", async () => {
  const data = refusal(
    await scene.as("ada").mutate("watchlist:add", { markets: ["BTC-USD", "NO-USD"] }),
  );
  expect(data).toMatchObject({ code: "unknownMarket", field: "market" });
});

test("a visitor has no watchlist", async () => {
  const visitor = scene.as(null);
  expect(refusal(visitor.query("watchlist:list").result).code).toBe("unauthorized");
  const data = refusal(await visitor.mutate("watchlist:add", { markets: ["BTC-USD"] }));
  expect(data.code).toBe("unauthorized");
});

test("a change that arrives after its time limit changes nothing", async () => {
  const carol = scene.as("carol");
  await carol.done("watchlist:add", { markets: ["BTC-USD"], validUntil: Date.now() + 30_000 });
  const late = await carol.mutate("watchlist:remove", { market: "BTC-USD", validUntil: 1 });
  expect(refusal(late).code).toBe("requestExpired");
  expect(carol.value("watchlist:list")).toEqual(["BTC-USD"]);
});

test("a flood of changes by one user is refused", async () => {
  const eve = scene.as("eve");
  const changes = Array.from({ length: 70 }, (_, index) =>
    eve.mutate("watchlist:move", { market: "BTC-USD", index }),
  );
  const refused = (await Promise.all(changes)).filter(({ status }) => status === "error");
  expect(refused).toHaveLength(10);
  expect(refusal(refused[0]).code).toBe("tooManyRequests");
});

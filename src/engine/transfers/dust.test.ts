import { expect, test } from "vitest";
import {
  ANN,
  deposit,
  forfeit,
  funded,
  OLGA,
  PLAY,
  record,
  TransferScene,
  withdrawal,
} from "#test/engine/transfer-scene.ts";
import { plan } from "#test/engine/commands.ts";
import { EXTERNAL_ACCOUNT, HOUSE_ACCOUNT } from "../accounts/postings.ts";
import type { Amount } from "../amount.ts";

const ODD = 4;
const odd = (amount: number) => forfeit(amount, { assetId: ODD });

/** Ann has this much of a coin with a smallest withdrawal of 20 and a fee of 5. */
function sceneWith(amount: number): TransferScene {
  const scene = new TransferScene();
  scene.apply({ type: "listCoin", coin: funded("ODD") });
  // Without limits, as the coin has no price.
  scene.apply({ type: "updatePlan", planId: 1, plan: plan("free", { currency: "USD" }) });
  scene.apply(deposit(amount, { assetId: ODD }));
  scene.apply(record(amount));
  return scene;
}

test("what is too little to be withdrawn is given to the house by its owner", () => {
  const scene = sceneWith(24);
  expect(scene.apply(odd(24))).toMatchObject({
    type: "dustForfeited",
    account: ANN,
    assetId: ODD,
    amount: 24,
  });
  expect(scene.money(ANN, ODD)).toEqual([0, 0]);
  expect(scene.money(HOUSE_ACCOUNT, ODD)).toEqual([24, 0]);
  expect(scene.money(EXTERNAL_ACCOUNT, ODD)).toEqual([-24, 0]);
  expect(scene.step(odd(24))).toBe("invalidAmount");
});

test("what can be withdrawn is not given up, and neither is another amount than all of it", () => {
  expect(sceneWith(25).step(odd(25))).toBe("notDust");
  const scene = sceneWith(24);
  for (const amount of [23, 25, 0, -1, 0.5]) expect(scene.step(odd(amount))).toBe("invalidAmount");
  expect(scene.step(forfeit(100, { assetId: PLAY }))).toBe("notFunded");
  expect(scene.step(forfeit(100, { account: 99 }))).toBe("unknownAccount");
});

test("what is held counts: it may come back", () => {
  const scene = sceneWith(49);
  scene.apply(withdrawal(20, { assetId: ODD }));
  expect(scene.money(ANN, ODD)).toEqual([24, 25]);
  expect(scene.step(odd(24))).toBe("notDust");
});

test("a coin without minimum and fee has no dust", () => {
  const scene = sceneWith(24);
  const free = { withdrawalMin: 0 as Amount, withdrawalFee: 0 as Amount };
  scene.apply({ type: "updateCoin", assetId: ODD, coin: funded("ODD", free) });
  expect(scene.step(odd(24))).toBe("notDust");
});

test("a frozen account gives nothing up", () => {
  const scene = sceneWith(24);
  const freeze = { type: "setAccountFreeze", account: ANN, isFrozen: true } as const;
  scene.apply({ ...freeze, cancelsOrders: false, byAdmin: OLGA.byAdmin, reason: OLGA.reason });
  expect(scene.step(odd(24))).toBe("accountFrozen");
  expect(scene.open()).toEqual([]);
});

/** The amount that one administrator decides alone, which splitting does not increase. */
import { describe, expect, test } from "vitest";
import {
  approve,
  ANN,
  BOB,
  BTC,
  CAT,
  claim,
  comeBack,
  deposit,
  FIRST,
  OLGA,
  PAUL,
  QUIN,
  record,
  send,
  START_MS,
  TransferScene,
  withdrawal,
} from "#test/engine/transfer-scene.ts";

describe("what is decided alone within a day", () => {
  test("of one owner is no more than the limit, over all administrators and in both directions", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(600));
    scene.apply(withdrawal(400));
    scene.apply(withdrawal(20));
    scene.apply(deposit(20));
    scene.apply(withdrawal(1_000, { assetId: BTC }));
    expect(scene.step(approve(OLGA))).toBe("approved");
    expect(scene.step(approve(PAUL, FIRST + 1))).toBe("approved");
    for (const each of [scene, scene.restored()]) {
      expect(each.step(approve(QUIN, FIRST + 2))).toBe("approvedOnce");
      expect(each.step(approve(PAUL, FIRST + 2))).toBe("approved");
      expect(each.step(record(20, QUIN, FIRST + 3))).toBe("recorded");
      // Each coin has a limit of its own.
      expect(each.step(approve(QUIN, FIRST + 4))).toBe("approved");
    }
  });

  test("by one administrator is no more than the limit, over all owners", () => {
    const scene = new TransferScene();
    for (const account of [ANN, BOB, CAT]) scene.apply(withdrawal(500, { account }));
    expect(scene.step(approve(OLGA))).toBe("approved");
    expect(scene.step(approve(OLGA, FIRST + 1))).toBe("approved");
    expect(scene.step(approve(OLGA, FIRST + 2))).toBe("approvedOnce");
    expect(scene.step(approve(PAUL, FIRST + 2))).toBe("approved");
  });

  test("starts again with the next UTC day; what two decided does not count", () => {
    const scene = new TransferScene();
    for (const amount of [1_000, 1_000, 400, 400]) scene.apply(withdrawal(amount));
    expect(scene.step(approve(OLGA))).toBe("approved");
    scene.nowMs = Date.parse("2026-01-31T23:59:59.999Z");
    expect(scene.step(approve(OLGA, FIRST + 1))).toBe("approvedOnce");
    scene.nowMs = Date.parse("2026-02-01T00:00:00Z");
    expect(scene.step(approve(PAUL, FIRST + 1))).toBe("approved");
    expect(scene.step(approve(OLGA, FIRST + 2))).toBe("approved");
    expect(scene.step(approve(OLGA, FIRST + 3))).toBe("approved");
  });

  test("is not used up by a step that is refused", () => {
    const scene = new TransferScene();
    scene.apply({ type: "limitBalances", unitsMax: 100_500 as never });
    scene.apply(deposit(600));
    scene.apply(withdrawal(1_000));
    expect(scene.step(record(600))).toBe("balanceTooLarge");
    expect(scene.step(approve(OLGA, FIRST + 1))).toBe("approved");
  });

  test("includes payments that one declares to have come back", () => {
    const scene = new TransferScene();
    for (let each = 0; each < 2; each++) {
      scene.apply(withdrawal(600));
      for (const step of [approve, claim, send]) scene.apply(step(OLGA, FIRST + each));
      if (each === 0) scene.nowMs = START_MS + 86_400_000;
    }
    // Olga has approved 600 of Ann's today.
    expect(scene.step(comeBack(PAUL))).toBe("returnedOnce");
    expect(scene.step(comeBack(PAUL))).toBe("sameAdministrator");
    scene.nowMs += 86_400_000;
    expect(scene.step(comeBack(PAUL, FIRST + 1))).toBe("returned");
  });
});

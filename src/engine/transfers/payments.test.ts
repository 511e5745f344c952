/** Payments of approved withdrawals: the payer, and who may record the outcome. */
import { describe, expect, test } from "vitest";
import {
  approve,
  BY_ANN,
  cancel,
  claim,
  comeBack,
  funded,
  FUNDS,
  OLGA,
  PAUL,
  QUIN,
  reject,
  send,
  settle,
  TransferScene,
  USD,
  withdrawal,
} from "#test/engine/transfer-scene.ts";
import type { Amount } from "../amount.ts";

/** A scene with Ann's withdrawal, approved by Olga, and by Paul, too, if it is large. */
function approved(amount: number): TransferScene {
  const scene = new TransferScene();
  scene.apply(withdrawal(amount));
  scene.apply(approve(OLGA));
  if (amount > 1_000) scene.apply(approve(PAUL));
  return scene;
}

describe("the payment of a withdrawal", () => {
  test("is claimed by one administrator, who alone marks it as sent", () => {
    const scene = approved(400);
    expect(scene.step(send(OLGA))).toBe("transferNotOpen");
    expect(scene.step(claim(OLGA))).toBe("paying");
    expect(scene.step(claim(OLGA))).toBe("nothingToChange");
    expect(scene.step(send(PAUL))).toBe("notThePayer");
    expect(scene.restored().step(send(PAUL))).toBe("notThePayer");
    expect(scene.step(cancel())).toBe("transferNotOpen");
    expect(scene.restored().step(send(OLGA))).toBe("sent");
    expect(scene.step(send(OLGA))).toBe("sent");
    expect(scene.step(claim(PAUL))).toBe("transferNotOpen");
  });

  test("is taken over by another one, with a reason; the first one is its payer no longer", () => {
    const scene = approved(400);
    scene.apply(claim(OLGA));
    expect(scene.apply(claim(PAUL))).toMatchObject({
      status: "paying",
      payers: ["olga", "paul"],
      decision: PAUL,
    });
    expect(scene.step(send(OLGA))).toBe("notThePayer");
    expect(scene.apply(claim(OLGA))).toMatchObject({ payers: ["paul", "olga"] });
    expect(scene.step(send(OLGA))).toBe("sent");
    // Either of them may have paid it.
    expect(scene.step(comeBack(OLGA))).toBe("sameAdministrator");
    expect(scene.step(comeBack(PAUL))).toBe("sameAdministrator");
    expect(scene.step(comeBack(QUIN))).toBe("returned");
  });

  test("is not rejected by who pays it alone, nor by others behind the payer's back", () => {
    const scene = approved(400);
    scene.apply(claim(OLGA));
    expect(scene.step(reject(PAUL))).toBe("notThePayer");
    expect(scene.step(reject(OLGA))).toBe("rejectedOnce");
    expect(scene.money()).toEqual([FUNDS - 405, 405]);
    expect(scene.step(reject(OLGA))).toBe("sameAdministrator");
    expect(scene.restored().step(reject(PAUL))).toBe("rejected");
    // It had been paid after all.
    expect(scene.step(send(OLGA))).toBe("sent");
  });

  test("that was not begun is rejected by two, however small: it may have been paid unclaimed", () => {
    const scene = approved(400);
    expect(scene.step(reject(OLGA))).toBe("rejectedOnce");
    expect(scene.step(send(OLGA))).toBe("notThePayer");
    expect(scene.step(reject(OLGA))).toBe("sameAdministrator");
    expect(scene.step(reject(PAUL))).toBe("rejected");
    expect(scene.money()).toEqual([FUNDS, 0]);
  });

  test("is claimed though one has rejected it; another rejection then needs two again", () => {
    const scene = approved(1_001);
    scene.apply(reject(QUIN));
    expect(scene.step(claim(PAUL))).toBe("paying");
    expect(scene.step(reject(OLGA))).toBe("notThePayer");
    expect(scene.step(reject(PAUL))).toBe("rejectedOnce");
    expect(scene.step(reject(PAUL))).toBe("sameAdministrator");
  });

  test("is claimed by no more than 32 people", () => {
    const scene = approved(400);
    const by = (number: number) => claim({ byAdmin: `admin ${number}`, reason: "a test" });
    for (let number = 0; number < 32; number++) expect(scene.step(by(number))).toBe("paying");
    expect(scene.step(by(32))).toBe("limitReached");
    expect(scene.step(by(0))).toBe("paying");
  });

  test("is rejected until it is sent, and comes back only by another than who sent it", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(400));
    expect(scene.step(comeBack())).toBe("transferNotOpen");
    scene.apply(approve());
    scene.apply(claim(OLGA));
    scene.apply(send(OLGA));
    expect(scene.step(reject())).toBe("transferNotOpen");
    expect(scene.step(comeBack(OLGA))).toBe("sameAdministrator");
    expect(scene.step(comeBack(PAUL))).toBe("returned");
  });

  test("that is large and approved is rejected by two people, as it may have been paid", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(1_001));
    scene.apply(approve(OLGA));
    scene.apply(approve(PAUL));
    expect(scene.step(reject(OLGA))).toBe("rejectedOnce");
    expect(scene.money()).toEqual([FUNDS - 1_006, 1_006]);
    expect(scene.step(reject(OLGA))).toBe("sameAdministrator");
    expect(scene.step(cancel())).toBe("transferNotOpen");
    expect(scene.step(approve(QUIN))).toBe("transferNotOpen");
    expect(scene.step(settle(QUIN))).toBe("transferNotOpen");
    expect(scene.step(comeBack(QUIN))).toBe("transferNotOpen");
    expect(scene.step(reject(BY_ANN))).toBe("ownTransfer");
    expect(scene.step(reject(QUIN))).toBe("rejected");
    expect(scene.money()).toEqual([FUNDS, 0]);
  });

  test("that is large comes back by the word of two people beside who sent it", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(1_001));
    scene.apply(approve(OLGA));
    scene.apply(approve(PAUL));
    scene.apply(claim(OLGA));
    scene.apply(send(OLGA));
    expect(scene.step(comeBack(PAUL))).toBe("returnedOnce");
    expect(scene.money()).toEqual([FUNDS - 1_006, 1_006]);
    expect(scene.step(comeBack(PAUL))).toBe("sameAdministrator");
    expect(scene.step(comeBack(OLGA))).toBe("sameAdministrator");
    expect(scene.step(reject(QUIN))).toBe("transferNotOpen");
    expect(scene.step(send(QUIN))).toBe("transferNotOpen");
    expect(scene.restored().step(comeBack(QUIN))).toBe("returned");
    // It had arrived after all.
    expect(scene.step(settle(QUIN))).toBe("settled");
    expect(scene.money()).toEqual([FUNDS - 1_006, 0]);
  });

  test("that half came back stays one for two, whatever the coin's limit is by then", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(1_001));
    for (const step of [approve(OLGA), approve(PAUL), claim(OLGA), send(OLGA), comeBack(PAUL)])
      scene.apply(step);
    const usd = funded("USD", { oneApprovalMax: 5_000 as Amount });
    scene.apply({ type: "updateCoin", assetId: USD, coin: usd });
    expect(scene.step(comeBack(PAUL))).toBe("sameAdministrator");
    expect(scene.step(comeBack(QUIN))).toBe("returned");
  });

  test("is settled only after it was sent, and once", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(900));
    expect(scene.step(settle())).toBe("transferNotOpen");
    expect(scene.step(send())).toBe("transferNotOpen");
    scene.apply(approve());
    scene.apply(claim());
    expect(scene.step(settle())).toBe("transferNotOpen");
    scene.apply(send());
    expect(scene.step(send(PAUL))).toBe("transferNotOpen");
    scene.apply(settle());
    expect(scene.step(settle())).toBe("transferNotOpen");
    expect(scene.step(comeBack())).toBe("transferNotOpen");
    expect(scene.money()).toEqual([FUNDS - 905, 0]);
  });
});

/**
 * Steps of the review on the command line: in an administrator's name, and never the second of two steps.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Transfer } from "#contract/transfers.ts";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";
import { transferRequests } from "./transfers.ts";

let scene: FunctionScene;
let ask: ReturnType<typeof transferRequests>;
beforeAll(async () => {
  const settings = { CATALOGUE: "catalogues/funded.yaml", FUNDED_MODE: "manual" };
  scene = await openFunctionScene({ settings });
  ask = transferRequests(scene.services);
});
afterAll(() => scene.close());

const reason = "seen on the statement";
const send = (path: keyof typeof ask, args: object) => ask[path](JSON.stringify(args));

test("a deposit is listed, recorded in a name, and approved on the page alone", async () => {
  const { transferId } = await scene
    .as("ada")
    .done<Transfer>("transfers:requestDeposit", { coin: "EUR", amount: "900", network: "SEPA" });
  const listed = await send("/transfers/list", {});
  expect(listed.lines.join("\n")).toMatch(/requested +900\.00 EUR/);
  const args = { transferId, amount: "900", receipt: "S-1", reason };
  const byNobody = await send("/transfers/record", { ...args, as: "ada" });
  expect(byNobody.lines.join(" ")).toContain("ada is no administrator");
  expect(await send("/transfers/record", { ...args, as: "admin-olga" })).toEqual({
    lines: [`The deposit ${transferId} is recorded.`],
    isRefused: false,
  });
  for (const as of ["admin-olga", "admin-paul"]) {
    const second = await send("/transfers/decide", { transferId, step: "approve", as, reason });
    expect(second.isRefused).toBe(true);
    expect(second.lines.join(" ")).toContain("the second step is taken on the page");
  }
  const olga = scene.as("admin-olga");
  const refused = await olga.mutate("transfers:decide", { transferId, step: "approve", reason });
  expect(JSON.stringify(refused)).toContain("sameAdministrator");
  const paul = scene.as("admin-paul");
  expect(
    await paul.done("transfers:decide", { transferId, step: "approve", reason }),
  ).toMatchObject({ status: "credited" });
});

test("two steps asked for at once are not both taken by the command line", async () => {
  const { transferId } = await scene
    .as("bea")
    .done<Transfer>("transfers:requestDeposit", { coin: "EUR", amount: "900", network: "SEPA" });
  const args = { transferId, amount: "900", receipt: "S-2", reason, as: "admin-olga" };
  const [first, second] = await Promise.all([
    send("/transfers/record", args),
    send("/transfers/decide", { transferId, step: "approve", as: "admin-paul", reason }),
  ]);
  expect(first.isRefused).toBe(false);
  expect(second.lines.join(" ")).toContain("the second step is taken on the page");
  expect(scene.services.views.transfers.find(transferId)?.status).toBe("recorded");
});

test("what the engine refuses changes nothing and is said", async () => {
  const args = { transferId: 99, step: "pay", as: "admin-olga", reason };
  expect(await send("/transfers/decide", args)).toEqual({
    lines: ["Nothing was changed:", "  There is no such deposit or withdrawal."],
    isRefused: true,
  });
  const without = await send("/transfers/send", { transferId: 1, receipt: "", as: "", reason: "" });
  expect(without.lines.join(" ")).toContain("say which receipt");
});

/** A funded exchange with the ready catalogue, and what people and administrators do with transfers on it. */
import { afterAll, beforeAll, expect } from "vitest";
import type { ReviewedTransfer, Transfer, WithdrawalAddress } from "#contract/transfers.ts";
import type { Balance } from "#contract/types.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

export const IBAN = "DE02120300000000202051";
export const FUNDED = { CATALOGUE: "catalogues/funded.yaml", FUNDED_MODE: "manual" };
export const reason = "seen on the statement";
/** Has decided as much alone today as one may, so that every deposit waits for a second administrator. */
const FUNDER = "admin-funder";

/** Call it once in a file of tests, which share one exchange. */
export function transferScene() {
  const transfers = {} as { scene: FunctionScene };
  beforeAll(async () => {
    transfers.scene = await openFunctionScene({
      settings: { ...FUNDED, WITHDRAWAL_ADDRESS_HOURS: "0" },
    });
    const { transferId } = await announce("zoe", "200.00");
    const args = { transferId, amount: "200", receipt: "Z-1", reason };
    await transfers.scene.as(FUNDER).done("transfers:record", args);
  });
  afterAll(() => transfers.scene.close());

  const olga = () => transfers.scene.as("admin-olga");
  const paul = () => transfers.scene.as("admin-paul");
  let others = 0;
  /** An administrator who has decided nothing alone yet. */
  const another = () => transfers.scene.as(`admin-${++others}`);
  const euros = (userId: string) => {
    const balances = transfers.scene.as(userId).value<Balance[]>("accounts:balances");
    const found = balances.find(({ coin }) => coin === "EUR");
    return [found?.available, found?.held];
  };
  const announce = (userId: string, amount: string) =>
    transfers.scene.as(userId).done<Transfer>("transfers:requestDeposit", {
      coin: "EUR",
      amount,
      network: "SEPA",
    });
  const decide = (who: ReturnType<typeof olga>, transferId: number, step: string) =>
    who.done<ReviewedTransfer>("transfers:decide", { transferId, step, reason });
  const refusedTo = async (who: ReturnType<typeof olga>, transferId: number, step: string) =>
    refusal(await who.mutate("transfers:decide", { transferId, step, reason }));

  async function fund(userId: string, amount: string): Promise<void> {
    const { transferId } = await announce(userId, amount);
    const args = { transferId, amount, receipt: `S-${transferId}`, reason };
    const recorded = await transfers.scene.as(FUNDER).done("transfers:record", args);
    expect(recorded).toMatchObject({ status: "recorded" });
    await decide(paul(), transferId, "approve");
  }

  const keep = (userId: string, address = IBAN) =>
    transfers.scene.as(userId).answer<WithdrawalAddress>("transfers:addAddress", {
      coin: "EUR",
      network: "SEPA",
      address,
      label: "My account",
    });

  async function withdraw(userId: string, amount: string, requestId = crypto.randomUUID()) {
    const book = await transfers.scene.services.withdrawalAddresses.load(userId);
    const addressId = book[0]?.id ?? (await keep(userId)).addressId;
    return transfers.scene
      .as(userId)
      .act("transfers:requestWithdrawal", { addressId, amount, requestId });
  }

  async function held(userId: string, amount: string): Promise<Transfer> {
    const result = await withdraw(userId, amount);
    expect(result).toMatchObject({ value: { status: "held" } });
    return transfers.scene.as(userId).value<Transfer[]>("transfers:mine")[0];
  }

  return Object.assign(transfers, {
    announce,
    another,
    decide,
    euros,
    fund,
    held,
    keep,
    olga,
    paul,
    refusedTo,
    withdraw,
  });
}

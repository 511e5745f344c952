import { hasEnded } from "#engine/transfers/transfer-ends.ts";
import type { Views } from "../views/views.ts";

/** Whether the user owns funded coins or has open transfers: such an account is not deleted. */
export function holdsFunds({ accounts, catalogue, transfers }: Views, userId: string): boolean {
  const account = accounts.ofUser(userId)?.account;
  if (account === undefined) return false;
  if (transfers.ofAccount(account).some(({ status }) => !hasEnded(status))) return true;
  return catalogue
    .coins()
    .some(
      ({ assetId, definition }) =>
        definition.transfers !== undefined &&
        accounts.available(account, assetId) + accounts.held(account, assetId) > 0,
    );
}

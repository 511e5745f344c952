/**
 * The first to sign up with an address need not be its owner. The owner takes the account over with
 * the first password set through the mailed link: every other way in that someone may have left
 * ends with the old password, unless the address had been verified before in a browser that was
 * signed in to the account: only then the owner is known to be the one who signed up.
 */
import type { Database } from "../../database/open-database.ts";
import type { SecurityEvents } from "../record/security-events.ts";

/** Called when a password was reset; sessions and the password end separately. */
export async function endUnprovenClaims(
  database: Database,
  user: { readonly id: string },
  record: SecurityEvents["record"],
): Promise<void> {
  const unlinked = await database.write.transaction().execute(async (transaction) => {
    const userId = user.id;
    await transaction.deleteFrom("passkey").where("userId", "=", userId).execute();
    await transaction.deleteFrom("api_keys").where("user_id", "=", userId).execute();
    const { numDeletedRows: secondFactors } = await transaction
      .deleteFrom("twoFactor")
      .where("userId", "=", userId)
      .executeTakeFirst();
    if (secondFactors > 0n)
      record({ userId, kind: "secondFactorDisabled", detail: "by the reset" });
    const off = database.dialect === "sqlite" ? 0 : false;
    await transaction
      .updateTable("user")
      .set({ twoFactorEnabled: off })
      .where("id", "=", userId)
      .execute();
    return transaction
      .deleteFrom("account")
      .where("userId", "=", userId)
      .where("providerId", "!=", "credential")
      .returning("providerId")
      .execute();
  });
  for (const { providerId } of unlinked) {
    record({ userId: user.id, kind: "providerUnlinked", detail: providerId });
  }
}

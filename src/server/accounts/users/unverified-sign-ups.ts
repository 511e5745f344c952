/**
 * The first user to sign up with an address need not be its owner. The owner takes over by setting a
 * password through a mailed link. Then every other way to sign in that someone may have set up is
 * removed with the old password, and so is every address to withdraw to, unless the email address had
 * been verified before in a browser that was signed in as the user: only then is the owner known to be
 * the user who signed up.
 */
import type { Database } from "../../database/open-database.ts";
import type { SecurityEvents } from "../audit/security-events.ts";

/** Must be called when a password has been reset; sessions and the old password end separately. */
export async function endUnverifiedSignUps(
  database: Database,
  user: { readonly id: string },
  record: SecurityEvents["record"],
): Promise<void> {
  const unlinked = await database.write.transaction().execute(async (transaction) => {
    const userId = user.id;
    await transaction.deleteFrom("passkey").where("userId", "=", userId).execute();
    await transaction.deleteFrom("api_keys").where("user_id", "=", userId).execute();
    // Else the owner's money could later go to an address of the other person.
    await transaction.deleteFrom("withdrawal_addresses").where("user_id", "=", userId).execute();
    const { numDeletedRows: secondFactors } = await transaction
      .deleteFrom("twoFactor")
      .where("userId", "=", userId)
      .executeTakeFirst();
    if (secondFactors > 0n)
      record({ userId, kind: "secondFactorDisabled", detail: "by the reset" });
    const storedFalse = database.dialect === "sqlite" ? 0 : false;
    await transaction
      .updateTable("user")
      .set({ twoFactorEnabled: storedFalse })
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

/**
 * The second step of signing in: a code from an authenticator app, or one of ten backup codes. The
 * authentication library keeps the secrets and checks the codes; held-sessions.ts and
 * second-factor-guard.ts see to what it leaves open.
 */
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type { BetterAuthPlugin } from "better-auth";
import { z } from "zod";
import { createHeldSessions, hasSecondFactor, type HeldSessions } from "./held-sessions.ts";
import { permits } from "../users/permissions.ts";
import { secondFactorGuard, type SecondFactorGuardOptions } from "./second-factor-guard.ts";
import { placeOf } from "../record/security-events.ts";

/** A trusted browser is not asked for a code for so long, counted anew by every sign-in. */
const DEVICE_TRUSTED_SECONDS = 30 * 24 * 3600;
/** From the password to the code. */
const SECOND_STEP_SECONDS = 10 * 60;
const BACKUP_CODES = 10;

interface InternalAdapter {
  updateUser(userId: string, change: { twoFactorEnabled: boolean }): Promise<unknown>;
  deleteUserSessions(userId: string): Promise<unknown>;
}

interface SecondFactorOptions extends SecondFactorGuardOptions {
  /** Users who are administrators whatever their role says. */
  readonly adminIds: readonly string[];
}

export interface SecondFactor {
  readonly plugins: BetterAuthPlugin[];
  readonly isSignIn: HeldSessions["isSignIn"];
}

export function secondFactor(options: SecondFactorOptions): SecondFactor {
  const { record } = options;
  const library = twoFactor({
    // Somebody who signs in through a provider has no password to ask for.
    allowPasswordless: true,
    backupCodeOptions: { amount: BACKUP_CODES, storeBackupCodes: "encrypted" },
    trustDeviceMaxAge: DEVICE_TRUSTED_SECONDS,
    twoFactorCookieMaxAge: SECOND_STEP_SECONDS,
  });
  const [{ handler: holdBack }] = library.hooks.after;
  const held = createHeldSessions({ holdBack, record });
  // No codes by mail: the mailbox alone resets the password already.
  const { sendTwoFactorOTP: _send, verifyTwoFactorOTP: _verify, ...endpoints } = library.endpoints;
  return {
    plugins: [
      {
        ...library,
        endpoints: { ...endpoints, removeSecondFactor: removal(options) },
        init: () => ({ options: { databaseHooks: held.databaseHooks } }),
        hooks: { after: held.after },
      },
      secondFactorGuard(options),
    ],
    isSignIn: held.isSignIn,
  };
}

/** Also ends every session: whoever took the app may be signed in. */
export async function forgetSecondFactor(
  { records, waiting }: Pick<SecondFactorOptions, "records" | "waiting">,
  internalAdapter: InternalAdapter,
  userId: string,
): Promise<void> {
  await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
  await records.remove(userId);
  await waiting.end(userId);
  await internalAdapter.deleteUserSessions(userId);
}

/** For somebody who has lost the app and the backup codes, and proves to an admin who he is. */
function removal(options: SecondFactorOptions) {
  const { adminIds, record, notify } = options;
  return createAuthEndpoint(
    "/admin/remove-second-factor",
    {
      method: "POST",
      body: z.object({ userId: z.string() }),
      use: [sensitiveSessionMiddleware],
    },
    async (context) => {
      const { user: admin } = context.context.session;
      const role = "role" in admin && typeof admin.role === "string" ? admin.role : null;
      if (!adminIds.includes(admin.id) && !permits(role, { user: ["set-password"] })) {
        throw new APIError("FORBIDDEN", {
          code: "YOU_ARE_NOT_ALLOWED_TO_REMOVE_SECOND_FACTORS",
          message: "You are not allowed to remove second factors",
        });
      }
      const { internalAdapter } = context.context;
      const { userId } = context.body;
      const user = await internalAdapter.findUserById(userId);
      if (user === null) {
        throw new APIError("NOT_FOUND", { code: "USER_NOT_FOUND", message: "User not found" });
      }
      if (!hasSecondFactor(user)) {
        throw new APIError("BAD_REQUEST", {
          code: "TWO_FACTOR_NOT_ENABLED",
          message: "Two factor isn't enabled",
        });
      }
      await forgetSecondFactor(options, internalAdapter, userId);
      record({ ...placeOf(context), userId, kind: "secondFactorRemoved", actorId: admin.id });
      notify("disabled", user);
      return context.json({ status: true });
    },
  );
}

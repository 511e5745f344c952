/**
 * The second step of signing in: a code of an authenticator app, or one of ten backup codes. The
 * authentication library stores the secrets and checks the codes; held-sessions.ts and
 * second-factor-guard.ts add the features that it lacks.
 */
import { createAuthEndpoint, sensitiveSessionMiddleware } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import type { BetterAuthPlugin } from "better-auth";
import { z } from "zod";
import type { AuthParts } from "../auth-terms.ts";
import { refusal } from "../library-calls.ts";
import { createHeldSessions, hasSecondFactor, type HeldSessions } from "./held-sessions.ts";
import { permits } from "../users/permissions.ts";
import { secondFactorGuard } from "./second-factor-guard.ts";
import { clientOf } from "../audit/security-events.ts";

/** How long a trusted browser needs no code, restarted by every sign-in. */
const DEVICE_TRUSTED_SECONDS = 30 * 24 * 3600;
/** Time limit from the password to the code. */
const SECOND_STEP_SECONDS = 10 * 60;
const BACKUP_CODES = 10;

interface InternalAdapter {
  updateUser(userId: string, change: { twoFactorEnabled: boolean }): Promise<unknown>;
  deleteUserSessions(userId: string): Promise<unknown>;
}

export interface SecondFactor {
  readonly plugins: BetterAuthPlugin[];
  readonly isSignIn: HeldSessions["isSignIn"];
}

export function secondFactor(parts: AuthParts): SecondFactor {
  const library = twoFactor({
    // A user who signs in through a provider may have no password.
    allowPasswordless: true,
    backupCodeOptions: { amount: BACKUP_CODES, storeBackupCodes: "encrypted" },
    trustDeviceMaxAge: DEVICE_TRUSTED_SECONDS,
    twoFactorCookieMaxAge: SECOND_STEP_SECONDS,
  });
  const [{ handler: holdBack }] = library.hooks.after;
  const held = createHeldSessions(holdBack, parts.securityEvents.record);
  // No codes by mail: with the mailbox alone, the password can already be reset.
  const { sendTwoFactorOTP: _send, verifyTwoFactorOTP: _verify, ...endpoints } = library.endpoints;
  return {
    plugins: [
      {
        ...library,
        endpoints: { ...endpoints, removeSecondFactor: removal(parts) },
        init: () => ({ options: { databaseHooks: held.databaseHooks } }),
        hooks: { after: held.after },
      },
      secondFactorGuard(parts),
    ],
    isSignIn: held.isSignIn,
  };
}

/** Removes the second factor and ends every session: someone else who has the app may be signed in. */
export async function forgetSecondFactor(
  { secondFactors, waiting }: AuthParts,
  internalAdapter: InternalAdapter,
  userId: string,
): Promise<void> {
  await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
  await secondFactors.remove(userId);
  await waiting.endWithGuesses(userId);
  await internalAdapter.deleteUserSessions(userId);
}

/**
 * Lets an administrator remove the second factor of a user who has lost the app and the backup codes
 * and has proved their identity.
 */
function removal(parts: AuthParts) {
  const { config, notify, securityEvents } = parts;
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
      if (!config.ADMIN_USER_IDS.includes(admin.id) && !permits(role, { user: ["set-password"] })) {
        throw refusal(
          "FORBIDDEN",
          "YOU_ARE_NOT_ALLOWED_TO_REMOVE_SECOND_FACTORS",
          "You are not allowed to remove second factors",
        );
      }
      const { internalAdapter } = context.context;
      const { userId } = context.body;
      const user = await internalAdapter.findUserById(userId);
      if (user === null) throw refusal("NOT_FOUND", "USER_NOT_FOUND", "User not found");
      if (!hasSecondFactor(user)) {
        throw refusal("BAD_REQUEST", "TWO_FACTOR_NOT_ENABLED", "Two factor isn't enabled");
      }
      await forgetSecondFactor(parts, internalAdapter, userId);
      securityEvents.record({
        ...clientOf(context),
        userId,
        kind: "secondFactorRemoved",
        actorId: admin.id,
      });
      notify("disabled", user);
      return context.json({ status: true });
    },
  );
}

/**
 * The library's plugins and our own, in the order in which their hooks run: refusals before
 * effects, recording after both.
 */
import { admin, oneTimeToken } from "better-auth/plugins";
import type { AuthParts } from "./auth-terms.ts";
import { passkeys } from "./passkeys/passkeys.ts";
import { adminPasswords } from "./passwords/admin-passwords.ts";
import { passwordAttempts } from "./passwords/password-attempts.ts";
import { passwordGuard } from "./passwords/password-guard.ts";
import { signInProviders } from "./providers/sign-in-providers.ts";
import { securityRecording } from "./audit/security-recording.ts";
import { changeLinksOnce } from "./requests/change-links-once.ts";
import { compatibility } from "./requests/compatibility.ts";
import { createKnownAddresses } from "./requests/known-addresses.ts";
import { knownDevices } from "./requests/known-devices.ts";
import { mailedTokens } from "./requests/mailed-tokens.ts";
import { attemptGuard } from "./requests/attempt-guard.ts";
import { requestGuard } from "./requests/request-guard.ts";
import { takenAddresses } from "./requests/taken-addresses.ts";
import { secondFactor } from "./second-factor/second-factor.ts";
import { freshSessions } from "./sessions/fresh-session.ts";
import { heldFunds } from "./users/held-funds.ts";
import { accessControl, roles } from "./users/permissions.ts";

export function pluginsOf(parts: AuthParts) {
  const { config, hashing, accountLimit, freshness, lastAdmin, rules, securityEvents } = parts;
  const knownAddresses = createKnownAddresses(parts.database);
  const second = secondFactor(parts);
  return [
    admin({
      ac: accessControl,
      roles,
      defaultRole: "user",
      adminRoles: ["admin"],
      adminUserIds: config.ADMIN_USER_IDS,
    }),
    oneTimeToken({ storeToken: "hashed", expiresIn: config.ONE_TIME_TOKEN_MINUTES }),
    requestGuard(),
    signInProviders(config),
    ...(accountLimit === null ? [] : [attemptGuard(accountLimit, hashing, knownAddresses)]),
    mailedTokens(),
    ...(rules.freshFromSignIn ? [] : [freshSessions(freshness)]),
    passwordGuard(parts),
    takenAddresses(rules),
    ...(accountLimit === null ? [] : [passwordAttempts(accountLimit)]),
    ...(rules.keepsLastAdmin ? [lastAdmin] : []),
    heldFunds(parts),
    adminPasswords(),
    parts.waiting.plugin,
    parts.verifiedElsewhere.plugin,
    ...second.plugins,
    ...passkeys(parts),
    changeLinksOnce(),
    // After the second step, which may have withheld the session.
    ...(accountLimit === null ? [] : [knownDevices(knownAddresses)]),
    // After the hooks that refuse calls.
    parts.accessChanges.plugin,
    securityRecording(securityEvents, second.isSignIn, parts.administrators),
    compatibility(parts),
  ];
}

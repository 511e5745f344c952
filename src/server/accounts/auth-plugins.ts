/**
 * The library's plugins and our own, in the order in which their hooks run: what refuses comes before
 * what acts, what records after both.
 */
import { admin, oneTimeToken } from "better-auth/plugins";
import type { Config } from "../config.ts";
import type { AuthOptions } from "./auth-terms.ts";
import { createMails } from "./mail/mails.ts";
import { passkeys } from "./passkeys/passkeys.ts";
import { adminPasswords } from "./passwords/admin-passwords.ts";
import { passwordAttempts } from "./passwords/password-attempts.ts";
import { passwordGuard } from "./passwords/password-guard.ts";
import { signInProviders } from "./providers/sign-in-providers.ts";
import { securityRecording } from "./record/security-recording.ts";
import { changeLinksOnce } from "./requests/change-links-once.ts";
import { compatibility } from "./requests/compatibility.ts";
import { knownDevices } from "./requests/known-devices.ts";
import { mailedTokens } from "./requests/mailed-tokens.ts";
import { requestGuard } from "./requests/request-guard.ts";
import { createSecondFactorRecords } from "./second-factor/second-factor-records.ts";
import { secondFactor } from "./second-factor/second-factor.ts";
import type { WaitingSteps } from "./second-factor/waiting-steps.ts";
import { trustedOrigins } from "./trusted-origins.ts";
import { accessControl, roles } from "./users/permissions.ts";

export function pluginsOf(given: AuthOptions, waiting: WaitingSteps) {
  const { config, hashing, accountLimit, lastAdmin, mailer, securityEvents, publicUrl } = given;
  const mails = createMails(config.PRODUCT_NAME);
  const second = secondFactor({
    records: createSecondFactorRecords(given.database),
    waiting,
    accountLimit,
    adminIds: config.ADMIN_USER_IDS,
    record: securityEvents.record,
    notify: (notice, user) => mailer.send(mails.security(notice, user, publicUrl)),
  });
  return [
    admin({
      ac: accessControl,
      roles,
      defaultRole: "user",
      adminRoles: ["admin"],
      adminUserIds: config.ADMIN_USER_IDS,
    }),
    oneTimeToken({ storeToken: "hashed" }),
    signInProviders(providersOf(config)),
    requestGuard({ accountLimit, hashing }),
    mailedTokens(),
    passwordGuard({ productName: config.PRODUCT_NAME, adminIds: config.ADMIN_USER_IDS, hashing }),
    passwordAttempts(accountLimit),
    lastAdmin,
    adminPasswords(),
    waiting.plugin,
    ...second.plugins,
    ...passkeys({
      database: given.database,
      publicUrl,
      productName: config.PRODUCT_NAME,
      origins: trustedOrigins(config, publicUrl),
      requireEmailVerification: config.REQUIRE_EMAIL_VERIFICATION,
      record: securityEvents.record,
      notify: (user) => mailer.send(mails.security("passkeyAdded", user, publicUrl)),
    }),
    changeLinksOnce(),
    // After the second step has held a session back.
    ...(accountLimit === null ? [] : [knownDevices()]),
    securityRecording(securityEvents, second.isSignIn),
    compatibility(),
  ];
}

export function providersOf({ SIGN_IN_PROVIDERS, REQUIRE_EMAIL_VERIFICATION }: Config) {
  return { settings: SIGN_IN_PROVIDERS, requireEmailVerification: REQUIRE_EMAIL_VERIFICATION };
}

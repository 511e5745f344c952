/**
 * The library's plugins and our own, in the order in which their hooks run: what refuses comes before
 * what acts, what records after both.
 */
import { admin, oneTimeToken } from "better-auth/plugins";
import type { Config } from "../settings/config.ts";
import { accountRulesOf } from "../settings/account-rules.ts";
import type { AuthOptions } from "./auth-terms.ts";
import { createMails, type Recipient, type SecurityNotice } from "./mail/mails.ts";
import { passkeys } from "./passkeys/passkeys.ts";
import { adminPasswords } from "./passwords/admin-passwords.ts";
import { passwordAttempts } from "./passwords/password-attempts.ts";
import { passwordGuard } from "./passwords/password-guard.ts";
import { signInProviders, type SignInProvidersOptions } from "./providers/sign-in-providers.ts";
import { securityRecording } from "./record/security-recording.ts";
import { changeLinksOnce } from "./requests/change-links-once.ts";
import { compatibility } from "./requests/compatibility.ts";
import { createKnownAddresses } from "./requests/known-addresses.ts";
import { knownDevices } from "./requests/known-devices.ts";
import { mailedTokens } from "./requests/mailed-tokens.ts";
import { attemptGuard, mayMail } from "./requests/attempt-guard.ts";
import { requestGuard } from "./requests/request-guard.ts";
import { takenAddresses } from "./requests/taken-addresses.ts";
import { createSecondFactorRecords } from "./second-factor/second-factor-records.ts";
import { secondFactor } from "./second-factor/second-factor.ts";
import type { WaitingSteps } from "./second-factor/waiting-steps.ts";
import { freshnessOf, freshSessions } from "./sessions/fresh-session.ts";
import { trustedOrigins } from "./trusted-origins.ts";
import { accessControl, roles } from "./users/permissions.ts";

export function pluginsOf(given: AuthOptions, waiting: WaitingSteps) {
  const { config, hashing, accountLimit, lastAdmin, mailer, securityEvents, publicUrl } = given;
  const mails = createMails(config);
  const rules = accountRulesOf(config.ACCOUNT_RULES);
  const freshness = freshnessOf(config, rules);
  const knownAddresses = createKnownAddresses(given.database);
  function notify(notice: SecurityNotice, user: Recipient): void {
    mayMail(accountLimit, "noticeMail", user).then(
      (isSent) => isSent && mailer.send(mails.security(notice, user, publicUrl)),
      (error: unknown) => given.log.error({ err: error }, "a notice was not sent"),
    );
  }
  const second = secondFactor({
    records: createSecondFactorRecords(given.database),
    waiting,
    accountLimit,
    adminIds: config.ADMIN_USER_IDS,
    freshness,
    record: securityEvents.record,
    notify,
  });
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
    signInProviders(providersOf(config)),
    ...(accountLimit === null ? [] : [attemptGuard({ accountLimit, hashing, knownAddresses })]),
    mailedTokens(),
    ...(rules.freshFromSignIn ? [] : [freshSessions(freshness)]),
    passwordGuard({
      productName: config.PRODUCT_NAME,
      adminIds: config.ADMIN_USER_IDS,
      hashing,
      length: { min: config.PASSWORD_LENGTH_MIN, max: config.PASSWORD_LENGTH_MAX },
      refusesWeak: rules.refusesWeakPasswords,
    }),
    takenAddresses(rules),
    passwordAttempts(accountLimit),
    ...(rules.keepsLastAdmin ? [lastAdmin] : []),
    adminPasswords(),
    waiting.plugin,
    ...second.plugins,
    ...passkeys({
      database: given.database,
      publicUrl,
      productName: config.PRODUCT_NAME,
      origins: trustedOrigins(config, publicUrl),
      requireEmailVerification: config.REQUIRE_EMAIL_VERIFICATION,
      freshness,
      record: securityEvents.record,
      notify: (user) => notify("passkeyAdded", user),
    }),
    changeLinksOnce(),
    // After the second step has held a session back.
    ...(accountLimit === null ? [] : [knownDevices(knownAddresses)]),
    securityRecording(securityEvents, second.isSignIn),
    compatibility({
      changeEmailLinkSeconds: config.CHANGE_EMAIL_LINK_MINUTES * 60,
      freshness,
    }),
  ];
}

export function providersOf(config: Config): SignInProvidersOptions {
  return {
    settings: config.SIGN_IN_PROVIDERS,
    requireEmailVerification: config.REQUIRE_EMAIL_VERIFICATION,
    allowsSignUp: config.SIGN_UP,
    // A link proves the address only where both are the same and the provider has to have proven it.
    linkProves: (providerId) =>
      !config.LINK_DIFFERENT_EMAILS && !config.TRUSTED_PROVIDERS.includes(providerId),
  };
}

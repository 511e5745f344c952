/**
 * Settings of the rules for users: their permissions, how long mailed links and issued tokens are valid,
 * and how strict sign-in is. docs/accounts.md lists the settings.
 */
import { z } from "zod";
import type { ProviderSettings } from "./provider-settings.ts";
import { ACCOUNT_RULE_SETS } from "./account-rules.ts";
import { commaSeparated, flag, wholeNumber } from "./setting-kinds.ts";

/** The first path segments below /api that are in use. */
const TAKEN = ["action", "exports", "health", "mutation", "query", "sapi", "stream", "v3", "ws"];
const BASE_PATH = new RegExp(`^/api/(?!(?:${TAKEN.join("|")})(?:/|$))[a-z0-9-]+(?:/[a-z0-9-]+)*$`);

export const accountRuleSettings = {
  ACCOUNT_RULES: z.enum(ACCOUNT_RULE_SETS).default("strict"),
  AUTH_BASE_PATH: z
    .string()
    .regex(BASE_PATH, "must be a path below /api that nothing else answers, such as /api/auth")
    .default("/api/auth"),
  CSRF_CHECK: flag.default(true),
  EMAIL_AND_PASSWORD: flag.default(true),
  SIGN_UP: flag.default(true),
  PASSWORD_RESET: flag.default(true),
  EMAIL_VERIFICATION: flag.default(true),
  CHANGE_EMAIL: flag.default(true),
  DELETE_USER: flag.default(true),
  PASSWORD_LENGTH_MIN: wholeNumber(1, 128).default(8),
  PASSWORD_LENGTH_MAX: wholeNumber(16, 1024).default(128),
  PASSWORD_RESET_ENDS_SESSIONS: flag.default(true),
  ACCOUNT_LINKING: flag.default(true),
  LINK_DIFFERENT_EMAILS: flag.default(false),
  UNLINK_LAST_ACCOUNT: flag.default(false),
  TRUSTED_PROVIDERS: z
    .string()
    .regex(/^[a-z0-9-]+( *, *[a-z0-9-]+)*$/, "must be ids of providers, separated by commas")
    .default("")
    .transform(commaSeparated),
  SESSION_EXTENSION: flag.default(true),
  VERIFICATION_LINK_MINUTES: wholeNumber(5, 10_080).default(60),
  CHANGE_EMAIL_LINK_MINUTES: wholeNumber(5, 10_080).default(60),
  PASSWORD_RESET_LINK_MINUTES: wholeNumber(5, 1_440).default(60),
  DELETION_LINK_MINUTES: wholeNumber(5, 10_080).default(1_440),
  ONE_TIME_TOKEN_MINUTES: wholeNumber(1, 60).default(3),
  BACKEND_TOKEN_SECONDS: wholeNumber(10, 3_600).default(300),
} as const;

type AccountRuleSettings = z.output<z.ZodObject<typeof accountRuleSettings>>;

/** One sentence for each contradiction between settings, or if they leave no way to sign in. */
export function contradictionsOf(
  given: AccountRuleSettings & {
    readonly ADMIN_APPROVAL_WAIT_HOURS: number;
    readonly REQUIRE_EMAIL_VERIFICATION: boolean;
    readonly SECURITY_EVENTS_DAYS: number;
    readonly SIGN_IN_PROVIDERS: ProviderSettings;
    readonly WITHDRAWAL_PAUSE_HOURS: number;
  },
): string[] {
  const providers = [
    ...given.SIGN_IN_PROVIDERS.builtIn.keys(),
    ...given.SIGN_IN_PROVIDERS.openId.keys(),
  ];
  const known: ReadonlySet<string> = new Set(providers);
  const unknown = given.TRUSTED_PROVIDERS.filter((id) => !known.has(id));
  return [
    ...(given.ADMIN_APPROVAL_WAIT_HOURS > 24 * given.SECURITY_EVENTS_DAYS
      ? [
          "The setting ADMIN_APPROVAL_WAIT_HOURS is wrong: the record of what administrators changed " +
            "is kept for a shorter time, SECURITY_EVENTS_DAYS.",
        ]
      : []),
    ...(given.WITHDRAWAL_PAUSE_HOURS > 24 * given.SECURITY_EVENTS_DAYS
      ? [
          "The setting WITHDRAWAL_PAUSE_HOURS is wrong: the record of changes of passwords and second " +
            "factors is kept for a shorter time, SECURITY_EVENTS_DAYS.",
        ]
      : []),
    ...(given.PASSWORD_LENGTH_MIN > given.PASSWORD_LENGTH_MAX
      ? ["The setting PASSWORD_LENGTH_MIN is wrong: it is above PASSWORD_LENGTH_MAX."]
      : []),
    ...(given.REQUIRE_EMAIL_VERIFICATION && !given.EMAIL_VERIFICATION
      ? [
          "The setting EMAIL_VERIFICATION is wrong: REQUIRE_EMAIL_VERIFICATION=on needs the mails that " +
            "it switches off.",
        ]
      : []),
    ...(!given.EMAIL_AND_PASSWORD && known.size === 0
      ? [
          "The setting EMAIL_AND_PASSWORD is wrong: off needs SIGN_IN_PROVIDERS, or users cannot sign up.",
        ]
      : []),
    ...unknown.map(
      (id) => `The setting TRUSTED_PROVIDERS is wrong: SIGN_IN_PROVIDERS has no ${id}.`,
    ),
  ];
}

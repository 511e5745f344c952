/** Settings of sign-in, administrators and sessions. */
import { z } from "zod";
import { NO_PROVIDERS, providerSettings } from "./provider-settings.ts";
import { commaSeparated, flag, wholeNumber } from "./setting-kinds.ts";

export const accountSettings = {
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_USER_IDS: z
    .string()
    .regex(/^[\w-]+( *, *[\w-]+)*$/, "must be ids of users, separated by commas")
    .default("")
    .transform(commaSeparated),
  ADMIN_APPROVAL_WAIT_HOURS: wholeNumber(0, 720).default(24),
  SESSION_EXPIRY_DAYS: wholeNumber(1, 400).default(7),
  SESSION_UPDATE_AGE_HOURS: wholeNumber(0, 9600).default(24),
  SESSION_FRESH_AGE_HOURS: wholeNumber(0, 9600).default(24),
  REQUIRE_EMAIL_VERIFICATION: flag.default(false),
  SIGN_IN_PROVIDERS: providerSettings.default(NO_PROVIDERS),
  AUTH_RATE_LIMIT: flag.default(true),
  SECURITY_EVENTS_DAYS: wholeNumber(1, 36_500).default(365),
} as const;

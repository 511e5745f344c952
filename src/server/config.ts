/**
 * Every setting, read once from the environment and checked here; nothing else reads it. The table
 * in README.md lists the same names and defaults, and a test holds the two equal.
 */
import { z } from "zod";
import { NO_PROVIDERS, providerSettings } from "./accounts/providers/provider-settings.ts";
import { PRACTICE_FUNDS_BY_DEFAULT, practiceFunds } from "./catalogue/practice-funds.ts";
import { isNearMiss } from "./near-miss.ts";

const flag = z.enum(["on", "off"]).transform((value) => value === "on");
const wholeNumber = (minimum: number, maximum: number) => {
  const sentence = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(sentence).int(sentence).min(minimum, sentence).max(maximum, sentence);
};

export const settings = {
  PRODUCT_NAME: z.string().min(1).max(40).default("Openbell"),
  ENVIRONMENT: z.enum(["development", "production"]).default("development"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  ALLOW_PLAIN_HTTP: flag.default(false),
  TRUSTED_PROXIES: wholeNumber(0, 8).default(0),
  CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000).default(512),
  REACTIVE_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 10_000).default(256),
  REQUESTS_PER_ADDRESS: wholeNumber(1, 10_000).default(128),
  HELD_MEGABYTES_PER_ADDRESS: wholeNumber(4, 1_024).default(32),
  DATA_DIR: z.string().min(1).default("data"),
  ACCEPT_CLOCK: flag.default(false),
  DISK_FREE_MIN_MB: wholeNumber(0, 1_000_000_000).default(1000),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://")
    .optional(),
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_USER_IDS: z
    .string()
    .regex(/^[\w-]+( *, *[\w-]+)*$/, "must be ids of users, separated by commas")
    .default("")
    .transform((ids) => ids.split(",").map((id) => id.trim()))
    .transform((ids) => ids.filter((id) => id !== "")),
  SESSION_EXPIRY_DAYS: wholeNumber(1, 400).default(7),
  SESSION_UPDATE_AGE_HOURS: wholeNumber(0, 9600).default(24),
  SESSION_FRESH_AGE_HOURS: wholeNumber(0, 9600).default(24),
  REQUIRE_EMAIL_VERIFICATION: flag.default(false),
  SIGN_IN_PROVIDERS: providerSettings.default(NO_PROVIDERS),
  AUTH_RATE_LIMIT: flag.default(true),
  OPEN_ORDERS_AT_SIGN_OUT: z.enum(["keep", "cancel"]).default("keep"),
  OPEN_ORDERS_AT_BAN: z.enum(["cancel", "keep"]).default("cancel"),
  SECURITY_EVENTS_DAYS: wholeNumber(1, 36_500).default(365),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z.string().min(3).default("Openbell <no-reply@localhost>"),
  SIMULATION: flag.default(true),
  SIMULATION_SEED: wholeNumber(0, 4_294_967_295).default(1),
  PRACTICE_FUNDS: practiceFunds.default(PRACTICE_FUNDS_BY_DEFAULT),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
} as const;

const schema = z.object(settings);
export type Config = z.output<typeof schema>;

export class SettingsError extends Error {}

/**
 * A sentence for each variable whose name is one slip away from a setting's. The environment holds much
 * that is not ours, so that nothing else can be told from a mistake.
 */
export function mistypedSettings(environment: Record<string, string | undefined>): string[] {
  const names = Object.keys(settings);
  return Object.keys(environment).flatMap((given) => {
    if (Object.hasOwn(settings, given)) return [];
    const meant = names.find((name) => isNearMiss(given.toUpperCase(), name));
    return meant === undefined ? [] : [`There is no setting ${given}. Did you mean ${meant}?`];
  });
}

/**
 * The settings of this process. Empty values count as not set.
 * @throws SettingsError with one sentence per wrong setting, naming it.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings)
      .map((name) => [name, environment[name]])
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(
      (issue) => `The setting ${issue.path.join(".")} is wrong: ${issue.message}.`,
    );
    throw new SettingsError(sentences.join("\n"));
  }
  const { ENVIRONMENT, PUBLIC_URL, ALLOW_PLAIN_HTTP } = parsed.data;
  if (PUBLIC_URL !== undefined && !/^\/?$/.test(pathOf(PUBLIC_URL))) {
    throw new SettingsError(
      `The setting PUBLIC_URL is wrong: ${PUBLIC_URL} has more than an origin. The exchange answers at ` +
        `the root of a host; give it one of its own, such as ${new URL(PUBLIC_URL).origin}.`,
    );
  }
  const isPlain = PUBLIC_URL !== undefined && new URL(PUBLIC_URL).protocol === "http:";
  if (ENVIRONMENT === "production" && isPlain && !ALLOW_PLAIN_HTTP) {
    throw new SettingsError(
      "The setting PUBLIC_URL is wrong: production needs an https address, because passwords and " +
        "sessions would be readable on the way. ALLOW_PLAIN_HTTP=on permits it all the same.",
    );
  }
  return parsed.data;
}

/** Path, query and fragment. */
function pathOf(address: string): string {
  const { pathname, search, hash } = new URL(address);
  return `${pathname}${search}${hash}`;
}

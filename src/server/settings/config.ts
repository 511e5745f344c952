/**
 * The configuration: reads all settings once, from the environment and the files of secrets that it
 * names, and validates them; no other code reads them. The settings of each area are in the files
 * beside this one. README.md and docs/accounts.md list the same names and defaults, and a test
 * keeps them in step.
 */
import { z } from "zod";
import type { CoinAmount } from "#contract/types.ts";
import type { DeclaredCatalogue } from "../catalogue/declared-catalogue.ts";
import { defaultCatalogue } from "../catalogue/default-catalogue.ts";
import { issueReason } from "../catalogue/issue-reason.ts";
import { fundsIn } from "../catalogue/practice-funds.ts";
import { isNearMiss } from "./near-miss.ts";
import { accountRuleSettings, contradictionsOf } from "./account-rule-settings.ts";
import { accountSettings } from "./account-settings.ts";
import { exchangeSettings } from "./exchange-settings.ts";
import { limitSettings } from "./limit-settings.ts";
import { fileSettingOf, readSecretFiles, SECRET_SETTINGS } from "./secret-files.ts";
import { serverSettings } from "./server-settings.ts";

export const settings = {
  ...serverSettings,
  ...limitSettings,
  ...accountSettings,
  ...accountRuleSettings,
  ...exchangeSettings,
} as const;

const schema = z.object(settings);
type Settings = z.output<typeof schema>;
export type Config = Omit<Settings, "PRACTICE_FUNDS"> & {
  /** Practice funds that a user may take at a time, in coins of the catalogue. */
  readonly PRACTICE_FUNDS: readonly CoinAmount[];
};

export class SettingsError extends Error {}

/**
 * A sentence for each variable whose name differs from a setting's by one typing error, or is one of
 * OpenTelemetry's that is no setting. The environment has many other variables, so that no other
 * mistake can be recognised.
 */
export function mistypedSettings(environment: Record<string, string | undefined>): string[] {
  const names = [...Object.keys(settings), ...SECRET_SETTINGS.map(fileSettingOf)];
  return Object.keys(environment).flatMap((given) => {
    if (names.includes(given)) return [];
    const meant = names.find((name) => isNearMiss(given.toUpperCase(), name));
    if (meant !== undefined) return [`There is no setting ${given}. Did you mean ${meant}?`];
    return given.startsWith("OTEL_")
      ? [`There is no setting ${given}. README.md lists those of OpenTelemetry.`]
      : [];
  });
}

/**
 * Reads the settings of this process. Empty values count as not set.
 * @throws SettingsError with one sentence per invalid setting, which names it
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const secrets = readSecretFiles(environment);
  if (secrets.refusals.length > 0) throw new SettingsError(secrets.refusals.join("\n"));
  const given = Object.fromEntries(
    Object.keys(settings)
      .map((name) => [name, secrets.values[name] ?? environment[name]])
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path, message }) => {
      const name = path.join(".");
      const setting = Object.hasOwn(secrets.values, name) ? fileSettingOf(name) : name;
      return `The setting ${setting} is wrong: ${issueReason(message).replace(/\.$/, "")}.`;
    });
    throw new SettingsError(sentences.join("\n"));
  }
  const contradictions = contradictionsOf(parsed.data);
  if (contradictions.length > 0) throw new SettingsError(contradictions.join("\n"));
  const { ENVIRONMENT, PUBLIC_URL, ALLOW_PLAIN_HTTP } = parsed.data;
  for (const name of ["PUBLIC_URL", "BACKEND_URL"] as const) {
    const url = parsed.data[name];
    if (url === undefined || /^\/?$/.test(pathOf(url))) continue;
    throw new SettingsError(
      `The setting ${name} is wrong: ${url} has more than an origin. The exchange answers at ` +
        `the root of a host; give it one of its own, such as ${new URL(url).origin}.`,
    );
  }
  if (parsed.data.BACKEND_URL !== undefined && PUBLIC_URL === undefined) {
    throw new SettingsError(
      "The setting BACKEND_URL is wrong: it needs PUBLIC_URL, or the backend refuses pages of another origin.",
    );
  }
  const isPlain = PUBLIC_URL !== undefined && new URL(PUBLIC_URL).protocol === "http:";
  if (ENVIRONMENT === "production" && isPlain && !ALLOW_PLAIN_HTTP) {
    throw new SettingsError(
      "The setting PUBLIC_URL is wrong: production needs an https address, because passwords and " +
        "sessions would be readable on the way. ALLOW_PLAIN_HTTP=on permits it all the same.",
    );
  }
  return { ...parsed.data, PRACTICE_FUNDS: fundsOf(parsed.data) };
}

/** @throws SettingsError */
function fundsOf(given: Settings): readonly CoinAmount[] {
  const catalogue = catalogueOf(given);
  if (given.PRACTICE_FUNDS === undefined) return catalogue.practiceFunds;
  const funds = fundsIn(catalogue, given.PRACTICE_FUNDS);
  if (typeof funds !== "string") return funds;
  throw new SettingsError(`The setting PRACTICE_FUNDS is wrong: ${funds}.`);
}

/** The catalogue of a new exchange. */
export function catalogueOf({
  CATALOGUE,
  SIMULATION,
}: Pick<Settings, "CATALOGUE" | "SIMULATION">): DeclaredCatalogue {
  return CATALOGUE?.declared ?? defaultCatalogue(SIMULATION);
}

/**
 * Whether the exchange is reachable by the public, regardless of the other settings. An https URL
 * belongs to a proxy that terminates TLS; behind it every request comes from this machine.
 */
export function isPublic({
  ENVIRONMENT,
  PUBLIC_URL,
}: Pick<Config, "ENVIRONMENT" | "PUBLIC_URL">): boolean {
  return ENVIRONMENT === "production" || PUBLIC_URL?.startsWith("https:") === true;
}

/** Path, query and fragment of a URL. */
function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}

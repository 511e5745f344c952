/** The tables of settings in the documents and the settings that the server reads are the same. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SettingsError, readConfig, settings } from "#server/settings/config.ts";
import { accountRuleSettings } from "#server/settings/account-rule-settings.ts";
import { fileSettingOf, SECRET_SETTINGS } from "#server/settings/secret-files.ts";

function documentedIn(path: string) {
  const rows = readFileSync(path, "utf8").matchAll(/^\| `([A-Z_]+)` \| (.+?) \| .+ \|$/gm);
  return [...rows].map(([, name, value]) => ({
    name,
    value: value === "none" ? undefined : value.replaceAll("`", ""),
  }));
}
const inReadme = documentedIn("README.md");
const inAccounts = documentedIn("docs/accounts.md");
const documented = [...inReadme, ...inAccounts];

test("README and docs/accounts.md list every setting, in order, and no other", () => {
  const ofAccounts = Object.keys(accountRuleSettings);
  expect(inAccounts.map(({ name }) => name)).toEqual(ofAccounts);
  const others = Object.keys(settings).filter((name) => !ofAccounts.includes(name));
  expect(inReadme.map(({ name }) => name)).toEqual(others);
});

test("README names the file of every secret setting", () => {
  const rows = readFileSync("README.md", "utf8").split("\n");
  for (const name of SECRET_SETTINGS) {
    expect(settings).toHaveProperty(name);
    const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toContain(`or \`${fileSettingOf(name)}\` |`);
  }
});

test.each(documented)("the default of $name is the documented one", ({ name, value }) => {
  const config = readConfig({}) as Record<string, unknown>;
  const given = readConfig(value === undefined ? {} : { [name]: value }) as Record<string, unknown>;
  expect(config[name]).toEqual(given[name]);
});

test("a wrong setting is refused by name and reason", () => {
  expect(() => readConfig({ PORT: "99999" })).toThrow(SettingsError);
  expect(() => readConfig({ PORT: "99999" })).toThrow(
    /The setting PORT is wrong: must be a whole number from 0 to 65535\./,
  );
  expect(() => readConfig({ DATABASE_URL: "mysql://x" })).toThrow(
    /DATABASE_URL is wrong: must begin/,
  );
});

test("an empty setting counts as not set", () => {
  expect(readConfig({ PORT: "" }).PORT).toBe(3000);
});

test.each([
  [
    { PASSWORD_LENGTH_MIN: "100", PASSWORD_LENGTH_MAX: "50" },
    /PASSWORD_LENGTH_MIN is wrong: it is above/,
  ],
  [
    { EMAIL_VERIFICATION: "off", REQUIRE_EMAIL_VERIFICATION: "on" },
    /EMAIL_VERIFICATION is wrong: REQUIRE_EMAIL_VERIFICATION=on needs/,
  ],
  [
    { ADMIN_APPROVAL_WAIT_HOURS: "25", SECURITY_EVENTS_DAYS: "1" },
    /ADMIN_APPROVAL_WAIT_HOURS is wrong: the record/,
  ],
  [{ EMAIL_AND_PASSWORD: "off" }, /EMAIL_AND_PASSWORD is wrong: off needs SIGN_IN_PROVIDERS/],
  [{ TRUSTED_PROVIDERS: "github" }, /TRUSTED_PROVIDERS is wrong: SIGN_IN_PROVIDERS has no github/],
  [{ AUTH_BASE_PATH: "/auth" }, /AUTH_BASE_PATH is wrong: must be a path below \/api/],
  [{ AUTH_BASE_PATH: "/api/health" }, /AUTH_BASE_PATH is wrong: must be a path below \/api/],
  [{ AUTH_BASE_PATH: "/api/query/auth" }, /AUTH_BASE_PATH is wrong/],
  [{ AUTH_BASE_PATH: "/api/exports" }, /AUTH_BASE_PATH is wrong/],
  [{ AUTH_BASE_PATH: "/api/v3" }, /AUTH_BASE_PATH is wrong/],
  [
    { BACKEND_URL: "https://live.example/path" },
    /BACKEND_URL is wrong: .* has more than an origin/,
  ],
  [{ BACKEND_URL: "https://live.example" }, /BACKEND_URL is wrong: it needs PUBLIC_URL/],
  [
    { BACKEND_TOKEN_SECONDS: "5" },
    /BACKEND_TOKEN_SECONDS is wrong: must be a whole number from 10/,
  ],
])("settings of accounts that cannot be are refused: %j", (given, sentence) => {
  expect(() => readConfig(given)).toThrow(sentence);
});

/** The README's table of settings and the settings that the server reads are the same. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SettingsError, readConfig, settings } from "#server/config.ts";

const documented = [
  ...readFileSync("README.md", "utf8").matchAll(/^\| `([A-Z_]+)` \| (.+?) \| .+ \|$/gm),
].map(([, name, value]) => ({
  name,
  value: value === "none" ? undefined : value.replaceAll("`", ""),
}));

test("the README lists every setting, in order, and no other", () => {
  expect(documented.map(({ name }) => name)).toEqual(Object.keys(settings));
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

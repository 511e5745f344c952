import { expect, test } from "vitest";
import { mistypedSettings, readConfig } from "./config.ts";

test("an address with a path is refused, since pages and cookies stand at the root", () => {
  for (const PUBLIC_URL of [
    "https://x.example/exchange",
    "https://x.example/?a",
    "https://x.example/#b",
  ]) {
    expect(() => readConfig({ PUBLIC_URL })).toThrow(
      "answers at the root of a host; give it one of its own, such as https://x.example.",
    );
  }
  expect(readConfig({ PUBLIC_URL: "https://x.example/" }).PUBLIC_URL).toBe("https://x.example/");
});

test("a setting that is one slip away is asked about, other variables are none of ours", () => {
  const environment = { PROT: "3001", PORT: "3000", HOSTNAME: "box", data_dirs: "x", PATH: "/bin" };
  expect(mistypedSettings({ AUTH_SECRET_FILE: "/secret" })).toEqual([]);
  expect(mistypedSettings({ AUTH_SECRET_FIEL: "/secret" })).toEqual([
    "There is no setting AUTH_SECRET_FIEL. Did you mean AUTH_SECRET_FILE?",
  ]);
  expect(mistypedSettings(environment)).toEqual([
    "There is no setting PROT. Did you mean PORT?",
    "There is no setting data_dirs. Did you mean DATA_DIR?",
  ]);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { SECRET_SETTINGS } from "./secret-files.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "secrets-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function fileWith(content: string): string {
  const path = join(directory, "secret");
  writeFileSync(path, content);
  return path;
}

const SECRETS: Record<(typeof SECRET_SETTINGS)[number], string> = {
  DATABASE_URL: "postgres://openbell:secret@db/openbell",
  NATS_URL: "nats://openbell:secret@nats/openbell",
  SMTP_URL: "smtp://openbell:secret@mail:587",
  METRICS_TOKEN: "0123456789abcdef",
  OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret",
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  SIGN_IN_PROVIDERS: '{"github":{"clientId":"a","clientSecret":"b"}}',
};

test.each(SECRET_SETTINGS)("%s is read from the file that %s_FILE names", (name) => {
  for (const end of ["", "\n", "\r\n"]) {
    const config = readConfig({ [`${name}_FILE`]: fileWith(SECRETS[name] + end) });
    expect(config[name]).toEqual(readConfig({ [name]: SECRETS[name] })[name]);
  }
});

test("only one newline at the end is dropped, and nothing else", () => {
  const path = fileWith(` ${SECRETS.AUTH_SECRET} \n\n`);
  expect(readConfig({ AUTH_SECRET_FILE: path }).AUTH_SECRET).toBe(` ${SECRETS.AUTH_SECRET} \n`);
});

test("a secret given twice is refused with both names", () => {
  const given = { AUTH_SECRET: SECRETS.AUTH_SECRET, AUTH_SECRET_FILE: fileWith("x") };
  expect(() => readConfig(given)).toThrow(
    "The settings AUTH_SECRET and AUTH_SECRET_FILE are both given; keep one of them.",
  );
});

test("an empty variable counts as not set, on either side", () => {
  const path = fileWith(SECRETS.AUTH_SECRET);
  const fromFile = readConfig({ AUTH_SECRET: "", AUTH_SECRET_FILE: path });
  expect(fromFile.AUTH_SECRET).toBe(SECRETS.AUTH_SECRET);
  expect(readConfig({ AUTH_SECRET_FILE: "" }).AUTH_SECRET).toBeUndefined();
});

test("a file that cannot be read or is empty is refused with its path", () => {
  const missing = join(directory, "missing");
  expect(() => readConfig({ SMTP_URL_FILE: missing })).toThrow(
    `The setting SMTP_URL_FILE is wrong: there is no file ${missing}.`,
  );
  expect(() => readConfig({ SMTP_URL_FILE: directory })).toThrow(
    `The setting SMTP_URL_FILE is wrong: ${directory} is a directory; name a file in it.`,
  );
  for (const content of ["", "\n"]) {
    const empty = fileWith(content);
    expect(() => readConfig({ METRICS_TOKEN_FILE: empty })).toThrow(
      `The setting METRICS_TOKEN_FILE is wrong: the file ${empty} is empty.`,
    );
  }
});

test("a wrong secret in a file is refused by the name of the file's setting, without the secret", () => {
  const read = () => readConfig({ AUTH_SECRET_FILE: fileWith("short-one") });
  expect(read).toThrow("The setting AUTH_SECRET_FILE is wrong: must have at least 32 characters.");
  expect(read).not.toThrow("short-one");
});

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

test("a variable of OpenTelemetry that is no setting is named, since the others are", () => {
  expect(
    mistypedSettings({ OTEL_SERVICE_NAME: "ours", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }),
  ).toEqual([
    "There is no setting OTEL_EXPORTER_OTLP_PROTOCOL. README.md lists those of OpenTelemetry.",
  ]);
});

test("the headers for a collector are read as OpenTelemetry writes them", () => {
  const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_HEADERS }).OTEL_EXPORTER_OTLP_HEADERS;
  expect(headersOf("Authorization=Bearer%20a=b, x-tenant=1")).toEqual({
    authorization: "Bearer a=b",
    "x-tenant": "1",
  });
  for (const wrong of ["a", "=b", "a=b,", "a b=c", "a=%zz", "a=%0d%0ab"]) {
    expect(() => headersOf(wrong), wrong).toThrow("OTEL_EXPORTER_OTLP_HEADERS is wrong: must be");
  }
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://x.example" }, /ENDPOINT is wrong: must be an http/],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "https://a:b@x.example" },
    /ENDPOINT is wrong: must have no password/,
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "https://x.example/?a" },
    /ENDPOINT is wrong: must have no query/,
  ],
  [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, /OTEL_TRACES_SAMPLER is wrong/],
  [
    { OTEL_TRACES_SAMPLER_ARG: "10" },
    /OTEL_TRACES_SAMPLER_ARG is wrong: must be a number from 0 to 1/,
  ],
])("settings of traces that cannot be are refused: %j", (given, sentence) => {
  expect(() => readConfig(given)).toThrow(sentence);
});

test("a wrong setting is refused with what it may be", () => {
  const refusalOf = (given: Record<string, string>) => () => readConfig(given);
  expect(refusalOf({ ENVIRONMENT: "prod" })).toThrow(
    'The setting ENVIRONMENT is wrong: must be one of "development", "production".',
  );
  expect(refusalOf({ BACKUP_EVERY_HOURS: "daily" })).toThrow(
    /BACKUP_EVERY_HOURS is wrong: must be/,
  );
  expect(refusalOf({ ADMIN_EMAIL: "you" })).toThrow(
    "The setting ADMIN_EMAIL is wrong: must be an email address.",
  );
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

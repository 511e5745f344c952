import { expect, test } from "vitest";
import { passkeyHost } from "./passkey-host.ts";

test.each([
  ["https://exchange.example", "exchange.example"],
  ["https://exchange.example:8443", "exchange.example"],
  ["http://localhost:3000", "localhost"],
  ["http://127.0.0.1:3000", "localhost"],
  ["http://[::1]:3000", "localhost"],
])("passkeys of %s are bound to %s", (publicUrl, host) => {
  expect(passkeyHost(publicUrl)).toBe(host);
});

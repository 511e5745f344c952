import { expect, test } from "vitest";
import { readableKey } from "./authenticator-key.ts";

test("a key is typed in groups of four", () => {
  const url = "otpauth://totp/Openbell:ada%40example.com?secret=ABCDEFGHIJ&issuer=Openbell";
  expect(readableKey(url)).toBe("ABCD EFGH IJ");
  expect(readableKey("otpauth://totp/x?secret=ABCDEFGH")).toBe("ABCD EFGH");
});

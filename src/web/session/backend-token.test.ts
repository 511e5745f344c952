import { expect, test } from "vitest";
import { subjectOf } from "./backend-token.ts";

function tokenOf(payload: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(payload));
  return `head.${btoa(bytes).replaceAll("+", "-").replaceAll("/", "_")}.signature`;
}

test("a token says whom it is for, in any letters", () => {
  expect(subjectOf(tokenOf('{"sub":"user-1","iat":1}'))).toBe("user-1");
  // Bytes whose base64url has both characters that plain base64 lacks.
  expect(subjectOf(tokenOf('{"sub":"ü?>~ÿ"}'))).toBe("ü?>~ÿ");
});

test("what is no token is for no one", () => {
  for (const token of ["", "a.b.c", "head..signature", tokenOf("[]"), tokenOf('{"sub":7}')]) {
    expect(subjectOf(token)).toBeUndefined();
  }
});

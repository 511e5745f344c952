import { expect, test } from "vitest";
import { errorPage } from "./error-page.ts";

const pageOf = (query: string) => errorPage(new URLSearchParams(query));

test("shows the code", () => {
  expect(pageOf("error=email_doesn%27t_match")).toContain("<code>email_doesn&#39;t_match</code>");
});

test("shows Unknown without a code or with one that the exchange does not use", () => {
  const lure = "Your-account-is-locked--call_1-555-0100";
  for (const query of ["", "error=", "error=%3Cb%3E", "error=a+b", `error=${lure}`]) {
    expect(pageOf(query)).toContain("<code>Unknown</code>");
  }
});

test("shows no text from the link, whose author could speak in the exchange's name", () => {
  const lure = "Your account is locked. Call +1 555 0100 with your password";
  const query = new URLSearchParams({ error: "no_code", error_description: lure, message: lure });
  expect(errorPage(query)).toBe(pageOf("error=no_code"));
});

test("says what to do where it knows, and leads to the sign-in", () => {
  expect(pageOf("error=please_restart_the_process")).toContain("Begin it again.");
  expect(pageOf("error=constructor")).toContain("try once more");
  expect(pageOf("error=x")).toContain('href="/login"');
});

import { expect, test } from "vitest";
import { errorPage } from "./error-page.ts";

const pageOf = (query: string) => errorPage(new URLSearchParams(query));

test("shows the code and the description", () => {
  const page = pageOf("error=email_doesn%27t_match&error_description=Use+the+same+address");
  expect(page).toContain("<code>email_doesn&#39;t_match</code>");
  expect(page).toContain("<p>Use the same address</p>");
});

test("shows Unknown without a code or with one that is none", () => {
  for (const query of ["", "error=", "error=%3Cb%3E", "error=a+b", `error=${"x".repeat(101)}`]) {
    expect(pageOf(query)).toContain("<code>Unknown</code>");
  }
});

test("a description is text, never markup", () => {
  const page = pageOf("error=x&error_description=%3Cscript%3Ealert(1)%3C/script%3E");
  expect(page).not.toContain("<script");
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});

test("says what to do where it knows, and leads to the sign-in", () => {
  expect(pageOf("error=please_restart_the_process")).toContain("Begin it again.");
  expect(pageOf("error=constructor")).toContain("try once more");
  expect(pageOf("error=x")).toContain('href="/login"');
});

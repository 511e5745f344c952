import { expect, test } from "vitest";
import { auditArgsOf, isAuditFiltered, parseAuditSearch } from "./audit-search.ts";

const NONE = {
  user: undefined,
  kind: undefined,
  search: undefined,
  from: undefined,
  to: undefined,
};

test("a URL of nonsense is the whole record", () => {
  const search = parseAuditSearch({
    user: " ",
    kind: "exploded",
    search: ["x"],
    from: "yesterday",
    to: "2026-13-01",
  });
  expect(search).toEqual(NONE);
  expect(isAuditFiltered(search)).toBe(false);
  expect(auditArgsOf(search, "UTC")).toEqual({});
});

test("both days belong to what is asked, in the viewer's time zone", () => {
  const search = parseAuditSearch({ from: "2026-11-20", to: "2026-11-30", kind: "banned" });
  expect(isAuditFiltered(search)).toBe(true);
  expect(auditArgsOf(search, "Europe/Berlin")).toEqual({
    kind: "banned",
    from: Date.UTC(2026, 10, 19, 23),
    to: Date.UTC(2026, 10, 30, 23),
  });
});

test("an id that looks like a number is a text", () => {
  expect(parseAuditSearch({ user: 12345 }).user).toBe("12345");
});

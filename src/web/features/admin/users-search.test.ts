import { expect, test } from "vitest";
import {
  argsOf,
  isFiltered,
  pageCount,
  rangeText,
  parseUsersSearch,
  sortOf,
} from "./users-search.ts";

const NONE = {
  search: undefined,
  role: undefined,
  state: undefined,
  sort: undefined,
  descending: undefined,
  page: undefined,
};

test("a URL of nonsense is the plain list", () => {
  expect(
    parseUsersSearch({
      search: ["x"],
      role: "root",
      state: 1,
      sort: "password",
      descending: "yes",
      page: -3,
    }),
  ).toEqual(NONE);
  expect(parseUsersSearch({ search: "  ", page: 1.5 })).toEqual(NONE);
  expect(isFiltered(NONE)).toBe(false);
});

test("defaults are left out of the URL, and only they", () => {
  expect(parseUsersSearch({ sort: "createdAt", descending: true, page: 1 })).toEqual(NONE);
  expect(parseUsersSearch({ sort: "name", descending: false })).toEqual({ ...NONE, sort: "name" });
  expect(parseUsersSearch({ sort: "name", descending: true })).toEqual({
    ...NONE,
    sort: "name",
    descending: true,
  });
  expect(parseUsersSearch({ descending: false })).toEqual({ ...NONE, descending: false });
});

test("the newest stand first, names begin with A", () => {
  expect(sortOf({})).toEqual({ key: "createdAt", descending: true });
  expect(sortOf({ sort: "email" })).toEqual({ key: "email", descending: false });
});

test("a page of the URL is a question to the server", () => {
  expect(argsOf({ search: "ada", role: "user", state: "active", page: 3 })).toEqual({
    search: "ada",
    role: "user",
    banned: false,
    sort: "createdAt",
    descending: true,
    offset: 50,
    limit: 25,
  });
  expect(argsOf({ state: "banned" })).toMatchObject({ banned: true, offset: 0 });
  expect(argsOf({})).not.toHaveProperty("banned");
});

test("the range says where in the list one is", () => {
  expect(rangeText(2, 25, 63)).toBe("26–50 of 63");
  expect(rangeText(3, 13, 63)).toBe("51–63 of 63");
  expect(rangeText(1, 0, 0)).toBe("None");
  expect(rangeText(9, 0, 63)).toBe("63 in all");
});

test("there is always a page", () => {
  expect([0, 1, 25, 26].map(pageCount)).toEqual([1, 1, 1, 2]);
});

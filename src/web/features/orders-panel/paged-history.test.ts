import { expect, test } from "vitest";
import { fetchUnknown, mergeHistory } from "./paged-history.ts";

const keyOf = (row: { id: number }) => String(row.id);
const rows = (...ids: number[]) => ids.map((id) => ({ id }));

test("live rows replace fetched ones of the same key", () => {
  const live = [
    { id: 3, status: "filled" },
    { id: 2, status: "open" },
  ];
  const fetched = [
    { id: 2, status: "old" },
    { id: 1, status: "old" },
  ];
  expect(mergeHistory(live, fetched, keyOf)).toEqual([...live, { id: 1, status: "old" }]);
});

test("pages that only repeat what is known lead on to the next one", async () => {
  const pages = new Map([
    [null, { items: rows(4, 3), cursor: "a" }],
    ["a", { items: rows(2, 1), cursor: "b" }],
  ] as const);
  const page = await fetchUnknown(
    (cursor) => Promise.resolve(pages.get(cursor as null | "a") ?? { items: [], cursor: null }),
    null,
    (row) => row.id <= 2,
  );
  expect(page).toEqual({ items: rows(4, 3, 2, 1), cursor: "b" });
});

test("the end of the history ends the search", async () => {
  const page = await fetchUnknown(
    () => Promise.resolve({ items: rows(1), cursor: null }),
    "x",
    () => false,
  );
  expect(page.cursor).toBeNull();
});

test("one search reads ten pages at most, and continues where it stopped", async () => {
  let read = 0;
  const page = await fetchUnknown(
    () => {
      read += 1;
      return Promise.resolve({ items: rows(read), cursor: String(read) });
    },
    null,
    () => false,
  );
  expect(page.items).toHaveLength(10);
  expect(page.cursor).toBe("10");
});

import { expect, test } from "vitest";
import { decodeCursor } from "../database/cursor.ts";
import { paginate } from "./pagination.ts";

test("a page of a search that found nothing so far continues where the search stopped", () => {
  const left: string[] = [];
  const journal = { before: null, leave: (text: string) => left.push(text) };
  const page = paginate(
    { journal },
    { numItems: 4, cursor: null },
    () => ({ rows: [], from: 77 }),
    () => 0,
  );
  expect(page).toMatchObject({ page: [], isDone: false, splitCursor: null, pageStatus: null });
  expect(decodeCursor(page.continueCursor, 1)).toEqual([77]);
  expect(left).toEqual([page.continueCursor]);
});

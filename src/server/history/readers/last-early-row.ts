/**
 * Finds where a condition on the rows of a growing table begins to hold. Times ascend with the
 * numbers of orders, trades and sequences, so no index by time is needed.
 *
 * @param search.rowUpTo the last row whose number is not above the given one
 * @param search.isEarly true up to some row, false from then on
 * @returns the last row that is early, undefined if none is; reads few of many rows
 */
export async function lastEarlyRow<Row>(search: {
  readonly rowUpTo: (number: number) => Promise<Row | undefined>;
  readonly numberOf: (row: Row) => number;
  readonly isEarly: (row: Row) => boolean;
}): Promise<Row | undefined> {
  const { rowUpTo, numberOf, isEarly } = search;
  const newest = await rowUpTo(Number.MAX_SAFE_INTEGER);
  if (newest === undefined || isEarly(newest)) return newest;
  let low = 0;
  let high = numberOf(newest) - 1;
  let last: Row | undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const row = await rowUpTo(middle);
    if (row !== undefined && !isEarly(row)) {
      high = numberOf(row) - 1;
      continue;
    }
    low = middle;
    last = row;
  }
  return last;
}

/** The smallest number above those of all early rows. */
export async function firstNumber<Row>(
  search: Parameters<typeof lastEarlyRow<Row>>[0],
): Promise<number> {
  const last = await lastEarlyRow(search);
  return last === undefined ? 1 : search.numberOf(last) + 1;
}

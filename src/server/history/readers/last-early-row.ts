/** Finds where a condition on the rows of a growing table begins to hold. */
import { type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { Tables } from "../../database/tables.ts";

/**
 * The last row that is early, undefined if none is; reads few of many rows. Times ascend with the numbers of
 * orders, trades and sequences, so no index by time is needed.
 *
 * @param keys the column with the number by which the rows are searched, and those that order rows of one number
 * @param isEarly true up to some row, false from then on
 */
export async function lastEarlyRow<Table extends keyof Tables, Row extends object>(
  select: SelectQueryBuilder<Tables, Table, Row>,
  keys: readonly (keyof Row & string)[],
  isEarly: (row: Row) => boolean,
): Promise<Row | undefined> {
  let descending = select.limit(1);
  for (const key of keys) descending = descending.orderBy(sql.ref(key), "desc");
  const rowUpTo = async (number: number) => {
    const upTo = descending.where(sql<SqlBool>`${sql.ref(keys[0])} <= ${number}`);
    return (await upTo.execute()).at(0);
  };
  const numberOf = (row: Row) => Number(row[keys[0]]);
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
export async function firstNumber<Table extends keyof Tables, Row extends object>(
  ...search: Parameters<typeof lastEarlyRow<Table, Row>>
): Promise<number> {
  const last = await lastEarlyRow(...search);
  return last === undefined ? 1 : Number(last[search[1][0]]) + 1;
}

import { type ReactNode, useMemo, useState } from "react";
import { classNames } from "./class-names.ts";
import { KeptFocus } from "./kept-focus.tsx";
import { type Sort, SortableHead, Table, TableCell, TableHead, TableRow } from "./table.tsx";

export interface Column<Row, Key extends string> {
  readonly key: Key;
  readonly title: ReactNode;
  readonly numeric?: boolean;
  /** Comparator for ascending order; without it the column cannot be sorted. */
  readonly compare?: (left: Row, right: Row) => number;
  readonly cell: (row: Row) => ReactNode;
  readonly className?: string;
}

/** Narrower cells, for tables beside a chart. */
const NARROW_CELLS = "sm:not-first:pl-2! sm:not-last:pr-2!";

interface SortedTableProps<Row, Key extends string> {
  /** The table's accessible name. */
  readonly caption: string;
  readonly columns: readonly Column<Row, Key>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly initialSort: Sort<Key>;
  /**
   * Key of the row's group, undefined for none. A group's rows stay together, at the place of the
   * first of them.
   */
  readonly groupOf?: (row: Row) => string | undefined;
  readonly rowClassName?: (row: Row) => string;
  /** A last column that stays visible while the table scrolls sideways. */
  readonly action?: { readonly title: string; readonly cell: (row: Row) => ReactNode };
}

/** A table whose columns can be sorted by mouse and keyboard. */
export function SortedTable<Row, Key extends string>({
  caption,
  columns,
  rows,
  rowKey,
  initialSort,
  groupOf,
  rowClassName,
  action,
}: SortedTableProps<Row, Key>) {
  const [sort, setSort] = useState(initialSort);
  const sorted = useMemo(
    () => gatherGroups(sortRows(rows, columns, sort), groupOf),
    [rows, columns, sort, groupOf],
  );
  return (
    <Table>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <TableRow>
          {columns.map((column) =>
            column.compare === undefined ? (
              <TableHead
                key={column.key}
                numeric={column.numeric ?? false}
                className={classNames(NARROW_CELLS, column.className)}
              >
                {column.title}
              </TableHead>
            ) : (
              <SortableHead
                key={column.key}
                column={column.key}
                sort={sort}
                onSort={setSort}
                numeric={column.numeric ?? false}
                className={classNames(NARROW_CELLS, column.className)}
              >
                {column.title}
              </SortableHead>
            ),
          )}
          {action === undefined ? null : (
            <TableHead className="sticky right-0 bg-surface sm:pl-2!">
              <span className="sr-only">{action.title}</span>
            </TableHead>
          )}
        </TableRow>
      </thead>
      <KeptFocus as="tbody">
        {sorted.map((row) => (
          <TableRow
            key={rowKey(row)}
            className={classNames(
              "group hover:bg-raised",
              groupOf?.(row) !== undefined &&
                "[&>td:first-child]:shadow-[inset_2px_0_var(--color-accent)]",
              rowClassName?.(row),
            )}
          >
            {columns.map((column) => (
              <TableCell
                key={column.key}
                numeric={column.numeric ?? false}
                className={classNames("h-9!", NARROW_CELLS, column.className)}
              >
                {column.cell(row)}
              </TableCell>
            ))}
            {action === undefined ? null : (
              <TableCell className="sticky right-0 h-9! bg-surface text-right sm:pl-2! group-hover:bg-raised">
                {action.cell(row)}
              </TableCell>
            )}
          </TableRow>
        ))}
      </KeptFocus>
    </Table>
  );
}

function gatherGroups<Row>(
  rows: readonly Row[],
  groupOf: ((row: Row) => string | undefined) | undefined,
): readonly Row[] {
  if (groupOf === undefined) return rows;
  // A row without a group forms its own group.
  return [...Map.groupBy(rows, (row) => groupOf(row) ?? row).values()].flat();
}

function sortRows<Row, Key extends string>(
  rows: readonly Row[],
  columns: readonly Column<Row, Key>[],
  { key, descending }: Sort<Key>,
): readonly Row[] {
  const compare = columns.find((column) => column.key === key)?.compare;
  if (compare === undefined) return rows;
  return rows.toSorted((left, right) => (descending ? compare(right, left) : compare(left, right)));
}

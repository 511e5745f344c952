import { ArrowDown, ArrowUp } from "lucide-react";
import { useCallback, useState, type ComponentProps, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A table that scrolls sideways, also by keyboard, if the screen is too narrow. */
export function Table({ className, ...rest }: ComponentProps<"table">) {
  const [scrolls, setScrolls] = useState(false);
  const watch = useCallback((strip: HTMLDivElement | null) => {
    if (strip === null) return undefined;
    const observer = new ResizeObserver(() => setScrolls(strip.scrollWidth > strip.clientWidth));
    observer.observe(strip);
    if (strip.firstElementChild !== null) observer.observe(strip.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={watch}
      className="relative w-full overflow-x-auto focus-visible:-outline-offset-2"
      // Focusable only if it scrolls: otherwise it would be a useless tab stop.
      {...(scrolls
        ? { tabIndex: 0, role: "region", "aria-label": rest["aria-label"] ?? "Table" }
        : {})}
    >
      <table className={classNames("w-full border-collapse text-xs", className)} {...rest} />
    </div>
  );
}

export function TableRow({ className, ...rest }: ComponentProps<"tr">) {
  return <tr className={classNames("border-b last:border-b-0", className)} {...rest} />;
}

interface CellProps {
  /** Right-aligns the cell and uses tabular digits. */
  readonly numeric?: boolean;
}

export function TableHead({
  numeric = false,
  className,
  ...rest
}: ComponentProps<"th"> & CellProps) {
  return (
    <th
      scope="col"
      className={classNames(
        "h-8 whitespace-nowrap px-2 font-medium text-faint first:pl-4 last:pr-4 sm:px-3",
        numeric ? "text-right" : "text-left",
        className,
      )}
      {...rest}
    />
  );
}

export function TableCell({
  numeric = false,
  className,
  ...rest
}: ComponentProps<"td"> & CellProps) {
  return (
    <td
      className={classNames(
        "h-10 whitespace-nowrap px-2 first:pl-4 last:pr-4 sm:px-3",
        numeric ? "figures text-right" : "text-left",
        className,
      )}
      {...rest}
    />
  );
}

export interface Sort<Key extends string> {
  readonly key: Key;
  readonly descending: boolean;
}

interface SortableHeadProps<Key extends string> extends CellProps {
  readonly column: Key;
  readonly sort: Sort<Key>;
  readonly onSort: (sort: Sort<Key>) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/**
 * The heading of a sortable column: the first click sorts in the column's natural direction, the
 * next reverses it.
 */
export function SortableHead<Key extends string>({
  column,
  sort,
  onSort,
  numeric = false,
  className,
  children,
}: SortableHeadProps<Key>) {
  const active = sort.key === column;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <TableHead
      numeric={numeric}
      className={className}
      aria-sort={active ? (sort.descending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        onClick={() => onSort({ key: column, descending: active ? !sort.descending : numeric })}
        className={classNames(
          "touchable inline-flex items-center gap-1 rounded-sm hover:text-text",
          numeric && "flex-row-reverse",
          active && "text-text",
        )}
      >
        {children}
        <Arrow className={classNames("size-3", !active && "invisible")} aria-hidden />
      </button>
    </TableHead>
  );
}

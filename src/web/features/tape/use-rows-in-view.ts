import { type RefObject, useEffect, useState } from "react";

/** Row height at the highest display density. */
const ROW_PX_MIN = 18;
/** More rows than most windows have room for, until the list is measured. */
const FIRST_ROWS = 30;

/** How many rows the list has room for, so that rows out of view need not be rendered with every trade. */
export function useRowsInView(list: RefObject<HTMLElement | null>): number {
  const [rows, setRows] = useState(FIRST_ROWS);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setRows(Math.ceil(element.clientHeight / ROW_PX_MIN)),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);
  return rows;
}

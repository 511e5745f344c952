import { useMemo } from "react";
import { type Drawing, parseDrawings } from "./drawing-tools.ts";
import { storeDrawings, useStoredDrawings } from "./stored-drawings.ts";

export function useDrawings(key: string): readonly Drawing[] {
  const text = useStoredDrawings(key);
  return useMemo(() => parseDrawings(text), [text]);
}

export function changeDrawings(
  key: string,
  change: (drawings: readonly Drawing[]) => readonly Drawing[],
): void {
  const changed = change(parseDrawings(localStorage.getItem(key)));
  storeDrawings(key, changed.length === 0 ? null : JSON.stringify(changed));
}

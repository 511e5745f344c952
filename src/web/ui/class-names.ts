import { type ClassValue, clsx } from "clsx";

/**
 * Joins class names. If a caller's class sets a property that the component sets itself, mark it
 * important (`h-7!`): resolving such conflicts at run time would cost every page 8 KB.
 */
export function classNames(...values: ClassValue[]): string {
  return clsx(values);
}

import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins classes; of two that set the same property the later one wins. */
export function classNames(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}

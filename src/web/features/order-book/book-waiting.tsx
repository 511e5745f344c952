import { Skeleton } from "../../ui/skeleton.tsx";

const SKELETON_ROWS = Array.from({ length: 10 }, (_, row) => row);

/** Placeholder of the book until it is loaded, or its error. */
export function BookWaiting({ error }: { readonly error: Error | null }) {
  if (error !== null) {
    return (
      <p className="p-4 text-center text-xs text-muted">The order book could not be loaded.</p>
    );
  }
  return (
    <div
      className="flex min-h-0 flex-1 flex-col justify-center gap-1 overflow-hidden px-3"
      aria-busy
    >
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-4" />
      ))}
      <Skeleton className="my-2 h-7" />
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-4" />
      ))}
    </div>
  );
}

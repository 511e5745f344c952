import { Skeleton } from "../../ui/skeleton.tsx";

const ROWS = [0, 1, 2, 3];

interface RowsLoadingProps {
  readonly error: Error | null;
  /** Name of the rows in "The … could not be loaded." */
  readonly name: string;
  /** It is tried again without the reader's doing. */
  readonly isRetried?: boolean;
}

/** Placeholder for a table's rows while they load, or the error. */
export function RowsLoading({ error, name, isRetried = false }: RowsLoadingProps) {
  if (error !== null) {
    return (
      <p role="alert" className="p-6 text-center text-xs text-muted">
        The {name} could not be loaded.{" "}
        {isRetried ? "It is tried again by itself." : "Reload the page to try again."}
      </p>
    );
  }
  return (
    <div className="grid gap-2 p-3" aria-busy>
      {ROWS.map((row) => (
        <Skeleton key={row} className="h-7" />
      ))}
    </div>
  );
}

import { classNames } from "./class-names.ts";
import { LoadingText, Skeleton } from "./skeleton.tsx";

interface SkeletonRowsProps {
  readonly count: number;
  /** The height of a row. */
  readonly className?: string;
}

/** A placeholder for a list that is loading. */
export function SkeletonRows({ count, className = "h-10" }: SkeletonRowsProps) {
  return (
    <div className="divide-y">
      <LoadingText />
      {[...Array(count).keys()].map((row) => (
        <div key={row} className={classNames("flex items-center px-4", className)}>
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}

import { classNames } from "./class-names.ts";

/** A placeholder for content that is loading; give it the content's height and width. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames("animate-pulse rounded-sm bg-hover", className)} />;
}

/** The text "Loading", for screen readers. */
export function LoadingText() {
  return <output className="sr-only">Loading</output>;
}

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

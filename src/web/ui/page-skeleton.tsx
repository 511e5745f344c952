import { LoadingText, Skeleton } from "./skeleton.tsx";

/** The placeholder of a page until its data has loaded. */
export function PageSkeleton() {
  return (
    <div className="mx-auto w-full max-w-7xl px-3 py-4 sm:px-6 sm:py-6">
      {/* Needs a heading: without a connection the skeleton stays for long. */}
      <h1 className="sr-only">Loading</h1>
      <LoadingText />
      <Skeleton className="h-7 w-40" />
      <div className="mt-6 grid gap-4 lg:grid-cols-3">
        <Skeleton className="h-80 rounded-lg lg:col-span-2" />
        <Skeleton className="h-80 rounded-lg" />
        <Skeleton className="h-64 rounded-lg lg:col-span-2" />
        <Skeleton className="h-64 rounded-lg" />
      </div>
    </div>
  );
}

import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";

/** Skeleton of an order's page while it loads. */
export function OrderSkeleton() {
  return (
    <div className="mx-auto w-full max-w-4xl px-3 py-4 sm:px-6 sm:py-6">
      <h1 className="sr-only">Loading</h1>
      <LoadingText />
      <div className="mb-4 flex min-h-9 items-center">
        <Skeleton className="h-7 w-64" />
      </div>
      <div className="grid gap-4">
        <Skeleton className="h-88 rounded-lg sm:h-44" />
        <Skeleton className="h-28 rounded-lg" />
        <Skeleton className="h-52 rounded-lg" />
      </div>
    </div>
  );
}

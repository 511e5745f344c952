import { LoadingText, Skeleton } from "../../../ui/skeleton.tsx";

/** The placeholder of the trading screen until its data has loaded. */
export function TerminalSkeleton() {
  return (
    <div className="grid h-(--frame-height) grid-rows-[5.5rem_minmax(0,1fr)] gap-2 p-2 md:grid-cols-[minmax(0,1fr)_19rem] lg:grid-cols-[minmax(0,1fr)_15rem_19.5rem]">
      {/* Needs a heading: without a connection the skeleton stays for long. */}
      <h1 className="sr-only">Loading</h1>
      <LoadingText />
      <Skeleton className="md:col-span-full" />
      <Skeleton />
      <Skeleton className="max-lg:hidden" />
      <Skeleton className="max-md:hidden" />
    </div>
  );
}

import { LoadingText, Skeleton } from "../../../ui/skeleton.tsx";
import { Unreadable } from "../unreadable.tsx";

interface CatalogueLoadingProps {
  readonly what: string;
  readonly error: unknown;
}

/** Placeholder for a table of the catalogue while it loads, or its error. */
export function CatalogueLoading({ what, error }: CatalogueLoadingProps) {
  if (error === null) {
    return (
      <>
        <LoadingText />
        <Skeleton className="h-96 rounded-lg" />
      </>
    );
  }
  return <Unreadable what={what} error={error} />;
}

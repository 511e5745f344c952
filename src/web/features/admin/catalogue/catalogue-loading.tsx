import { errorSentence } from "../../../session/error-sentence.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../../ui/skeleton.tsx";

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
  return (
    <Panel>
      <EmptyState title={`The ${what} could not be read`} text={errorSentence(error)} />
    </Panel>
  );
}

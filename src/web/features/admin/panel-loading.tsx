import { Unreadable } from "../../session/unreadable.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";

interface PanelLoadingProps {
  /** Such as "coins", in "The coins could not be read". */
  readonly what: string;
  readonly error: unknown;
  /** The height of the panel. */
  readonly className: string;
}

/**
 * Shown instead of a panel while its live query loads, or has failed: only a new connection queries it
 * again.
 */
export function PanelLoading({ what, error, className }: PanelLoadingProps) {
  if (error === null) {
    return (
      <>
        <LoadingText />
        <Skeleton className={classNames("rounded-lg", className)} />
      </>
    );
  }
  return (
    <Panel>
      <Unreadable
        what={what}
        error={error}
        onRetry={() => window.location.reload()}
        retryLabel="Reload page"
      />
    </Panel>
  );
}

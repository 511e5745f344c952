import { Component, type ReactNode, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { LoadError } from "./lazy-component.tsx";
import { isServerThere } from "./retrying-loader.ts";

interface PanelBoundaryProps {
  /** Class of the message that replaces a failed panel. */
  readonly className?: string;
  readonly children: ReactNode;
}

type PanelBoundaryState = { readonly failure: { readonly error: unknown } | null };

/** An error boundary that keeps a failed panel from breaking the others, and offers a retry. */
export class PanelBoundary extends Component<PanelBoundaryProps, PanelBoundaryState> {
  override state: PanelBoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): PanelBoundaryState {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return (
      <PanelFailure
        className={this.props.className}
        isLoadError={isLoadError(failure.error)}
        onRetry={() => this.setState({ failure: null })}
      />
    );
  }
}

/**
 * Whether code failed to load. React's `lazy` rethrows the browser's error, which is recognised by
 * its message.
 */
function isLoadError(error: unknown): boolean {
  if (error instanceof LoadError) return true;
  return (
    error instanceof Error &&
    /dynamically imported module|module script failed/i.test(error.message)
  );
}

interface PanelFailureProps {
  readonly className: string | undefined;
  readonly isLoadError: boolean;
  readonly onRetry: () => void;
}

function PanelFailure({ className, isLoadError, onRetry }: PanelFailureProps) {
  const isOutdated = useServerAnswer(isLoadError);
  return (
    <div
      role="alert"
      className={classNames(
        "flex h-full flex-col items-center justify-center gap-3 p-4 text-center",
        className,
      )}
    >
      <p className="text-sm text-muted">This panel could not be shown.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
        {isOutdated ? (
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload page
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/**
 * Whether the server answers. If it does and the code still failed to load, an update has most
 * likely replaced the code: only a reload finds the new URL. While the server is unreachable, a
 * reload would lose the page.
 */
function useServerAnswer(isAsked: boolean): boolean {
  const [isReachable, setIsReachable] = useState(false);
  useEffect(() => {
    if (!isAsked) return undefined;
    let isUnmounted = false;
    void isServerThere().then((answer) => {
      if (!isUnmounted) setIsReachable(answer);
    });
    return () => {
      isUnmounted = true;
    };
  }, [isAsked]);
  return isReachable;
}

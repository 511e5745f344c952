import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { errorSentence } from "./error-sentence.ts";

interface UnreadableProps {
  /** Such as "users", in "The users could not be read". */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => unknown;
  readonly retryLabel?: string;
}

/** Shown instead of data that could not be read. */
export function Unreadable({ what, error, onRetry, retryLabel = "Try again" }: UnreadableProps) {
  return (
    <EmptyState
      title={`The ${what} could not be read`}
      text={errorSentence(error)}
      action={
        <Button size="sm" onClick={() => void onRetry()}>
          {retryLabel}
        </Button>
      }
    />
  );
}

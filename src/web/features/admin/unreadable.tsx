import { errorSentence } from "../../session/error-sentence.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";

interface UnreadableProps {
  /** What could not be read, in the plural. */
  readonly what: string;
  readonly error: unknown;
}

/** In place of a panel whose live query failed: only a new connection asks for it again. */
export function Unreadable({ what, error }: UnreadableProps) {
  return (
    <Panel>
      <EmptyState
        title={`The ${what} could not be read`}
        text={errorSentence(error)}
        action={
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload page
          </Button>
        }
      />
    </Panel>
  );
}

import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { Page } from "../../frame/page.tsx";
import { errorDataOf } from "../../session/error-sentence.ts";
import { Unreadable } from "../../session/unreadable.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

interface UnreadableRecordProps {
  readonly title: string;
  readonly what: "order" | "trade";
  readonly error: Error;
  readonly onRetry: () => unknown;
}

/** Shown instead of the page of an order or trade that could not be read. */
export function UnreadableRecord({ title, what, error, onRetry }: UnreadableRecordProps) {
  return (
    <Page title={title} narrow>
      {isUnknown(error) ? (
        <EmptyState
          icon={SearchX}
          title={`No such ${what} of yours`}
          text={`The address is not right, or the ${what} belongs to another user.`}
          action={
            <Link
              to="/activity"
              search={what === "order" ? { kind: "order" } : {}}
              className={buttonClass({ size: "sm" })}
            >
              {what === "order" ? "All orders" : "All activity"}
            </Link>
          }
        />
      ) : (
        <Unreadable what={what} error={error} onRetry={onRetry} />
      )}
    </Page>
  );
}

/** Error codes of an order or trade that does not exist or belongs to another user. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(["unknownOrder", "notFound", "invalidArgument"]);

function isUnknown(error: Error): boolean {
  const code = errorDataOf(error)?.code;
  return code !== undefined && UNKNOWN_CODES.has(code);
}

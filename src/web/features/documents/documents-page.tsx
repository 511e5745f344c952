import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { documentsQuery } from "./documents-query.ts";
import { EntryDetails } from "./entry-details.tsx";
import { EntryList } from "./entry-list.tsx";
import type { Credentials } from "./send-call.ts";
import { TryCall } from "./try-call.tsx";

interface DocumentsProps {
  /** Id of the displayed entry; the first entry if undefined. */
  readonly chosen: string | undefined;
  readonly isSignedIn: boolean;
}

const NO_CREDENTIALS: Credentials = { apiKey: "", secret: "" };

/** The API reference, from which calls can be tried. */
export function Documents({ chosen, isSignedIn }: DocumentsProps) {
  // Fetched in the browser only: the documents are long, and search engines do not need them.
  const { data: entries, isError, refetch } = useQuery(documentsQuery);
  // The key for all calls that are tried, held until the page is left.
  const [credentials, setCredentials] = useState(NO_CREDENTIALS);
  if (entries === undefined) {
    return isError ? <Unreadable onRetry={() => void refetch()} /> : <Loading />;
  }
  const entry = entries.find(({ id }) => id === chosen) ?? entries[0];
  return (
    <div className="grid gap-8 md:grid-cols-[18rem_minmax(0,1fr)]">
      {/* Phones show either the list or an entry. */}
      <div
        className={classNames(
          "min-w-0 md:sticky md:top-14 md:max-h-[calc(100dvh-3.5rem)] md:overflow-y-auto md:p-1",
          chosen !== undefined && "max-md:hidden",
        )}
      >
        <EntryList entries={entries} chosen={chosen ?? entry?.id} />
      </div>
      {entry === undefined ? null : (
        <div className={classNames("min-w-0", chosen === undefined && "max-md:hidden")}>
          <Link
            to="/documents"
            search={{}}
            className="touchable mb-3 inline-block rounded-sm text-sm text-accent hover:underline md:hidden"
          >
            All calls and streams
          </Link>
          <EntryDetails entry={entry}>
            {entry.call === undefined ? null : (
              <TryCall
                // Keyed by entry, since values entered for one call do not apply to another.
                key={entry.id}
                call={entry.call}
                parameters={entry.parameters}
                isSignedIn={isSignedIn}
                credentials={credentials}
                onCredentials={setCredentials}
              />
            )}
          </EntryDetails>
        </div>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div aria-busy className="grid gap-8 md:grid-cols-[18rem_minmax(0,1fr)]">
      <LoadingText />
      {/*
       * As high as the window, like the documents, so that the page's footer does not appear and
       * disappear.
       */}
      <Skeleton className="h-dvh" />
      <Skeleton className="h-dvh max-md:hidden" />
    </div>
  );
}

function Unreadable({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <EmptyState
      title="The documents could not be read"
      text="The exchange did not answer."
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}

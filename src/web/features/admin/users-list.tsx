import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { Unreadable } from "../../session/unreadable.tsx";
import { useBackend } from "../../session/use-backend.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { usersQuery } from "./admin-queries.ts";
import { UsersFilters } from "./users-filters.tsx";
import { isFiltered, pageCount, rangeText, sortOf, type UsersSearch } from "./users-search.ts";
import { UsersTable } from "./users-table.tsx";

const SKELETON_ROWS = Array.from({ length: 12 }, (_, row) => row);

interface UsersListProps {
  readonly search: UsersSearch;
  readonly onChange: (change: UsersSearch) => void;
}

/** The list of users; search, filters, order and page are in the URL. */
export function UsersList({ search, onChange }: UsersListProps) {
  return (
    <Panel>
      <UsersFilters search={search} onChange={onChange} />
      <FoundUsers search={search} onChange={onChange} />
    </Panel>
  );
}

function FoundUsers({ search, onChange }: UsersListProps) {
  const found = useQuery(usersQuery(useBackend(), search));
  if (found.data === undefined) {
    if (!found.isError) return <RowsLoading />;
    return <Unreadable what="users" error={found.error} onRetry={found.refetch} />;
  }
  const { users, total } = found.data;
  const page = search.page ?? 1;
  const sort = sortOf(search);
  if (total === 0) {
    return (
      <EmptyState
        icon={Users}
        title={isFiltered(search) ? "No one matches" : "No one has an account yet"}
        text={isFiltered(search) ? "Try another name, address, role or state." : undefined}
      />
    );
  }
  return (
    <div aria-busy={found.isPlaceholderData}>
      <UsersTable
        users={users}
        readAtMs={found.dataUpdatedAt}
        sort={sort}
        onSort={({ key, descending }) =>
          // A new sort column starts in its default direction.
          onChange({ sort: key, descending: key === sort.key ? descending : undefined })
        }
      />
      <div className="flex items-center justify-between gap-3 border-t px-4 py-2.5 text-xs text-muted">
        <output className="figures">
          {/* Until the page has arrived, the rows are those of the previous page. */}
          {found.isPlaceholderData ? "Loading…" : rangeText(page, users.length, total)}
        </output>
        <span className="flex gap-2">
          <Button size="sm" disabled={page <= 1} onClick={() => onChange({ page: page - 1 })}>
            Previous
          </Button>
          <Button
            size="sm"
            disabled={page >= pageCount(total)}
            onClick={() => onChange({ page: page + 1 })}
          >
            Next
          </Button>
        </span>
      </div>
    </div>
  );
}

function RowsLoading() {
  return (
    <div className="divide-y">
      <LoadingText />
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-12 items-center gap-2.5 px-4">
          <Skeleton className="size-7 rounded-full" />
          <Skeleton className="h-4 flex-1" />
        </div>
      ))}
    </div>
  );
}

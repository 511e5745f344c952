import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { classNames } from "../../ui/class-names.ts";
import { SearchInput } from "../../ui/search-input.tsx";
import type { DocumentEntry } from "./document-entries.ts";

interface EntryListProps {
  readonly entries: readonly DocumentEntry[];
  readonly chosen: string | undefined;
}

/** The list of all API entries by group, with a search box. */
export function EntryList({ chosen, entries }: EntryListProps) {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/);
  const found = entries.filter(({ summary, title }) => {
    const text = `${title} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <nav aria-label="Calls and streams" className="grid content-start gap-4">
      <SearchInput label="Search calls and streams" value={search} onChange={setSearch} />
      {found.length === 0 ? <p className="px-2 text-sm text-muted">Nothing matches.</p> : null}
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2 className="px-2 pb-1 text-xs font-semibold text-muted">{group}</h2>
          <ul>
            {found
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.id}>
                  <EntryLink entry={entry} isChosen={entry.id === chosen} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function EntryLink({
  entry,
  isChosen,
}: {
  readonly entry: DocumentEntry;
  readonly isChosen: boolean;
}) {
  const { call, id, title } = entry;
  return (
    <Link
      to="/documents"
      search={{ entry: id }}
      aria-current={isChosen ? "true" : undefined}
      className={classNames(
        "flex min-h-7 items-center gap-2 rounded-sm px-2 py-1 font-mono text-xs focus-visible:-outline-offset-2",
        isChosen ? "bg-accent-soft text-accent" : "text-muted hover:bg-hover hover:text-text",
      )}
    >
      {call === undefined ? null : (
        <span className="w-12 shrink-0 font-semibold">{call.method}</span>
      )}
      <span className="min-w-0 break-all">{call?.path ?? title}</span>
    </Link>
  );
}

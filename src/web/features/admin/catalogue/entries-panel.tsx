import { type ReactNode, useState } from "react";
import type { CatalogueEntries } from "#contract/functions.ts";
import { Button } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../../ui/table.tsx";
import { type EntryKind, versionIn } from "./entry-fields.ts";
import { EntryDialog } from "./entry-dialog.tsx";

export interface EntryColumn<Entry> {
  readonly head: string;
  readonly numeric?: boolean;
  readonly className?: string;
  readonly cell: (entry: Entry, data: CatalogueEntries) => ReactNode;
}

interface EntriesPanelProps<Entry> {
  readonly kind: EntryKind;
  readonly title: string;
  readonly newTitle: string;
  /** The title of the dialog that changes the entry with this key. */
  readonly changeTitle: (key: string) => string;
  readonly data: CatalogueEntries;
  readonly entries: readonly Entry[];
  readonly keyOf: (entry: Entry) => string;
  readonly nameOf: (entry: Entry) => string;
  readonly columns: readonly EntryColumn<Entry>[];
}

/** The catalogue's entries of one kind: edits them and adds new ones. */
export function EntriesPanel<Entry extends object>(props: EntriesPanelProps<Entry>) {
  const { changeTitle, columns, data, entries, keyOf, kind, nameOf, newTitle, title } = props;
  // "" for a new one.
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <Panel
      title={title}
      aside={
        <Button size="sm" onClick={() => setEdited("")}>
          {newTitle}
        </Button>
      }
    >
      <Table aria-label={title}>
        <thead className="border-b">
          <tr>
            {columns.map(({ head, numeric, className }) => (
              <TableHead key={head} numeric={numeric} className={className}>
                {head}
              </TableHead>
            ))}
            <TableHead className="sticky right-0 bg-surface">
              <span className="sr-only">Change</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <TableRow key={keyOf(entry)} className="group hover:bg-raised">
              {columns.map(({ head, numeric, className, cell }) => (
                <TableCell key={head} numeric={numeric} className={className}>
                  {cell(entry, data)}
                </TableCell>
              ))}
              <TableCell className="sticky right-0 bg-surface text-right group-hover:bg-raised">
                <Button
                  size="sm"
                  aria-label={`Change ${nameOf(entry)}`}
                  onClick={() => setEdited(keyOf(entry))}
                >
                  Change
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {edited === null ? null : (
        <EntryDialog
          kind={kind}
          listed={entries.find((entry) => keyOf(entry) === edited) ?? null}
          version={versionIn(data, kind, edited)}
          title={edited === "" ? newTitle : changeTitle(edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}

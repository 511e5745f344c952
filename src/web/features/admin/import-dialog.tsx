import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { IMPORTED_BYTES_MAX, type ImportedRow } from "#contract/transfers.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { useRequests } from "../../session/requests.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { inputClass } from "../../ui/input.tsx";
import { ReasonField, useReasonForm } from "./reason-field.tsx";

const TONES = {
  new: "accent",
  credited: "buy",
  recorded: "buy",
  known: "neutral",
  ended: "warn",
  unmatched: "neutral",
  refused: "sell",
} as const satisfies Record<ImportedRow["outcome"], string>;

interface Read {
  readonly rows: readonly ImportedRow[];
  /** Whether they were recorded; otherwise it is a preview. */
  readonly isApplied: boolean;
}

/** Records the deposits of an imported statement, after a preview of the effect of each row. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const requests = useRequests();
  const [csv, setCsv] = useState("");
  const [read, setRead] = useState<Read | null>(null);
  const form = useReasonForm();
  const run = useMutation({
    mutationFn: (apply: boolean) =>
      requests.send(functions.transfers.importDeposits, { csv, apply, reason: form.reason }),
    meta: { shownInPlace: () => true },
    onSuccess: (rows, isApplied) => setRead({ rows, isApplied }),
  });
  useUnsavedChanges(csv !== "" && read?.isApplied !== true);
  const change = (text: string) => {
    setCsv(text);
    setRead(null);
    run.reset();
  };
  const send = (apply: boolean) => {
    form.markTried();
    if (csv.trim() !== "" && form.reason !== "" && !run.isPending) run.mutate(apply);
  };
  const isApplied = read?.isApplied === true;
  const isNew = !isApplied && read?.rows.some(({ outcome }) => outcome === "new") === true;
  return (
    <Dialog
      onClose={onClose}
      title="Import a statement"
      description="A CSV with the columns reference, coin, amount and receipt. Importing it again changes nothing."
    >
      <div className="grid gap-4">
        <Field
          label="CSV"
          aside={
            <label className="cursor-pointer rounded-sm text-accent hover:underline has-focus-visible:outline-2 has-focus-visible:outline-accent">
              Choose a file
              <input
                type="file"
                accept=".csv,text/csv"
                className="sr-only"
                onChange={({ currentTarget }) => {
                  void currentTarget.files?.[0]?.text().then(change);
                  // The same file can be chosen again after it was corrected.
                  currentTarget.value = "";
                }}
              />
            </label>
          }
          error={form.isTried && csv.trim() === "" ? "Choose a file or paste its lines" : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              className={`${inputClass} h-28 py-2 font-mono text-xs`}
              maxLength={IMPORTED_BYTES_MAX}
              spellCheck={false}
              placeholder={"reference,coin,amount,receipt"}
              value={csv}
              onChange={({ currentTarget }) => change(currentTarget.value)}
            />
          )}
        </Field>
        <ReasonField {...form.reasonField} hint="For the journal, such as which statement it is." />
        <FormAlert>{run.error === null ? null : errorSentence(run.error)}</FormAlert>
        {read === null ? null : <Rows {...read} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{isApplied ? "Close" : "Cancel"}</Button>
        {isNew ? (
          <Button variant="primary" busy={run.isPending} onClick={() => send(true)}>
            Record deposits
          </Button>
        ) : (
          <Button
            variant={read === null ? "primary" : undefined}
            busy={run.isPending}
            onClick={() => send(false)}
          >
            Show what it would do
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function Rows({ rows, isApplied }: Read) {
  if (rows.length === 0) return <p className="text-xs text-muted">The file has no rows.</p>;
  return (
    <>
      <output className="text-xs text-muted">{countsText(rows, isApplied)}</output>
      <ul
        aria-label="Rows of the statement"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable
        tabIndex={0}
        className="max-h-60 divide-y overflow-y-auto rounded-md border text-xs"
      >
        {rows.map(({ amount, coin, detail, line, outcome, reference }) => (
          <li key={line} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <Badge tone={TONES[outcome]}>{outcome}</Badge>
            <span className="figures">
              {reference} {amount} {coin}
            </span>
            <span className="basis-full text-muted">
              Line {line}: {detail}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Such as "Would do: 2 new, 1 refused": a long statement does not fit the list. */
function countsText(rows: readonly ImportedRow[], isApplied: boolean): string {
  const counts = (Object.keys(TONES) as ImportedRow["outcome"][])
    .map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcome}`);
  return `${isApplied ? "Done" : "It would do this"}: ${counts.join(", ")}.`;
}

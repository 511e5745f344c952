import { convexQuery } from "@convex-dev/react-query";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { functions } from "#contract/functions.ts";
import { formatDate } from "../../format/time.ts";
import { useRequests } from "../../session/requests.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import {
  canChoose,
  type ChoiceFacts,
  choiceNote,
  choiceRefusal,
  choiceRows,
  confirmLabel,
  consequencesOf,
  type PlanChoiceRow,
  priceText,
} from "./plan-choices.ts";
import { feesAt, feesText, type PlanFacts } from "./plan-texts.ts";

interface ChangePlanDialogProps {
  readonly facts: PlanFacts;
  readonly onClose: () => void;
}

/**
 * Changes the plan in two steps: the list of plans with their requirements, then the effects of the
 * chosen one, to be confirmed.
 */
export function ChangePlanDialog({ facts, onClose }: ChangePlanDialogProps) {
  const balances = useQuery(convexQuery(functions.accounts.balances, {}));
  const available = balances.data?.find(({ coin }) => coin === facts.coin)?.available ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isReviewed, setIsReviewed] = useState(false);
  const choiceFacts = { ...facts, available };
  const rows = choiceRows(facts);
  const row = rows.find(({ plan }) => plan.slug === chosen);
  return isReviewed && row !== undefined ? (
    <Dialog
      onClose={onClose}
      title={row.offer.choice === "keep" ? `Keep ${row.plan.name}?` : `Change to ${row.plan.name}?`}
    >
      <Confirmation
        row={row}
        facts={choiceFacts}
        onBack={() => setIsReviewed(false)}
        onDone={onClose}
      />
    </Dialog>
  ) : (
    <Dialog
      onClose={onClose}
      title="Change plan"
      description="You see what happens before anything is charged."
    >
      <Form className="" onSubmit={() => setIsReviewed(true)}>
        <fieldset className="divide-y rounded-md border">
          <legend className="sr-only">Plan</legend>
          {rows.map((each) => (
            <PlanOption
              key={each.plan.slug}
              row={each}
              facts={choiceFacts}
              isChosen={each.plan.slug === chosen}
              onChoose={() => setChosen(each.plan.slug)}
            />
          ))}
        </fieldset>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={row === undefined || !canChoose(row.offer)}
          >
            Continue
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface PlanOptionProps {
  readonly row: PlanChoiceRow;
  readonly facts: ChoiceFacts;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function PlanOption({ row, facts, isChosen, onChoose }: PlanOptionProps) {
  const noteId = useId();
  const { plan, offer } = row;
  const note = choiceNote(row, facts);
  const isOpen = canChoose(offer);
  const isMine = plan.slug === facts.mine.plan;
  return (
    <div className="px-3 py-2.5 has-checked:bg-hover">
      <label className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-0.5 text-sm">
        <input
          type="radio"
          name="plan"
          value={plan.slug}
          checked={isChosen}
          disabled={!isOpen}
          onChange={onChoose}
          aria-describedby={note === null ? undefined : noteId}
          className="size-4 accent-accent disabled:opacity-45"
        />
        <span className="flex flex-wrap items-center gap-x-2 font-medium">
          {plan.name}
          {isMine ? <Badge tone="accent">Yours</Badge> : null}
          {offer.choice === "next" ? <Badge>Next</Badge> : null}
        </span>
        <span className="tabular text-muted">{priceText(plan, facts.coin)}</span>
        <span className="col-span-2 col-start-2 text-xs tabular text-muted">
          {feesText(feesAt(plan, facts.mine.volume))}
        </span>
      </label>
      {note === null ? null : (
        <p id={noteId} className="mt-0.5 pl-7 text-xs text-pretty text-faint">
          {note}
        </p>
      )}
    </div>
  );
}

interface ConfirmationProps {
  readonly row: PlanChoiceRow;
  readonly facts: ChoiceFacts;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

function Confirmation({ row: live, facts, onBack, onDone }: ConfirmationProps) {
  const requests = useRequests();
  // Keeps the displayed row while the change is executed, even if the plans change.
  const [row] = useState(live);
  const [before] = useState(facts);
  const choose = useMutation({
    mutationFn: () => requests.send(functions.plans.choose, { plan: row.plan.slug }),
    meta: { shownInPlace: () => true },
    onSuccess: ({ effectiveAt }) => {
      toastSuccess(
        row.offer.choice === "atPeriodEnd"
          ? `${row.plan.name} follows on ${formatDate(effectiveAt, facts.timeZone)}.`
          : `You are on ${row.plan.name}.`,
      );
      onDone();
    },
  });
  return (
    <Form
      className=""
      onSubmit={() => {
        if (!choose.isPending) choose.mutate();
      }}
    >
      <ul className="list-disc space-y-1.5 pl-5 text-sm text-pretty text-muted marker:text-faint">
        {consequencesOf(row, before).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <FormAlert className="mt-4">
        {choose.error === null ? null : choiceRefusal(choose.error, row, facts)}
      </FormAlert>
      <DialogActions>
        <Button onClick={onBack} disabled={choose.isPending}>
          Back
        </Button>
        <Button type="submit" variant="primary" busy={choose.isPending}>
          {confirmLabel(row, facts.coin)}
        </Button>
      </DialogActions>
    </Form>
  );
}

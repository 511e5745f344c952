import { Plus, X } from "lucide-react";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { MarketState } from "#contract/types.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/input.tsx";
import { framedSelect } from "../../ui/framed-select.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { nextStatusOf, STATUS_TEXTS, STATUSES } from "./market-texts.ts";
import { ReasonField, useReasonForm } from "./reason-field.tsx";
import { parseSteps, STEPS_MAX, type StepTexts, stepTextsOf } from "./schedule-steps.ts";

interface ScheduleDialogProps {
  readonly market: string;
  readonly scheduled: MarketState["scheduled"];
  readonly onClose: () => void;
}

const OPTIONS = STATUSES.map((value) => ({ value, label: STATUS_TEXTS[value].label }));

/**
 * Edits the states that a market enters later. If the last one is "closed", the market is delisted at
 * its time.
 */
export function ScheduleDialog({ market, scheduled, onClose }: ScheduleDialogProps) {
  const requests = useRequests();
  // As it was first shown: a schedule that another administrator sets in the meantime is not overwritten.
  const [seen] = useState(scheduled);
  const [steps, setSteps] = useState<readonly StepTexts[]>(() => stepTextsOf(seen));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const form = useReasonForm();
  const [isDirty, setIsDirty] = useState(false);
  const change = (next: readonly StepTexts[]) => {
    setIsDirty(true);
    setProblems([]);
    setSteps(next);
  };
  const submit = () => {
    form.markTried();
    const read = parseSteps(steps, Date.now());
    if ("problems" in read) {
      setProblems(read.problems);
      return undefined;
    }
    if (form.reason === "") return undefined;
    const args = { market, seen, steps: read.steps, reason: form.reason };
    return requests.send(functions.markets.schedule, args);
  };
  return (
    <ActionDialog
      title={`Schedule of ${market}`}
      text="The market enters each state at its time, also after a restart. To delist it on a date, close it then: its open orders end."
      submitLabel={steps.length === 0 && seen.length > 0 ? "End the schedule" : "Set the schedule"}
      isDisabled={steps.length === 0 && seen.length === 0}
      isDirty={isDirty}
      onSubmit={submit}
      done={steps.length === 0 ? `${market} has no schedule.` : `${market} is scheduled.`}
      onClose={onClose}
    >
      {steps.length === 0 ? <p className="text-sm text-muted">Nothing is scheduled.</p> : null}
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          // Steps have no identity but their position.
          // oxlint-disable-next-line react/no-array-index-key -- every field is controlled
          <li key={index} className="flex items-start gap-2">
            <ScheduleStep
              step={step}
              number={index + 1}
              problem={problems[index]}
              onChange={(next) => change(steps.with(index, next))}
            />
            <Button
              variant="ghost"
              size="icon"
              className="mt-6"
              aria-label={`Remove step ${index + 1}`}
              onClick={() => change(steps.toSpliced(index, 1))}
            >
              <X className="size-4" aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      <Button
        size="sm"
        className="justify-self-start"
        disabled={steps.length >= STEPS_MAX}
        onClick={() => change([...steps, { at: "", status: "closed", minutes: "" }])}
      >
        <Plus className="size-3.5" aria-hidden />
        Add a step
      </Button>
      <ReasonField {...form.reasonField} hint="It is kept in the journal and the audit log." />
    </ActionDialog>
  );
}

interface ScheduleStepProps {
  readonly step: StepTexts;
  readonly number: number;
  readonly problem: string | undefined;
  readonly onChange: (step: StepTexts) => void;
}

function ScheduleStep({ step, number, problem = "", onChange }: ScheduleStepProps) {
  const hasEnd = nextStatusOf(step.status) !== undefined;
  return (
    <div className="grid min-w-0 flex-1 grid-cols-2 gap-2">
      <TextField
        label={`Step ${number}, UTC`}
        className="col-span-2"
        error={problem === "" ? undefined : problem}
        type="datetime-local"
        inputClassName="figures"
        value={step.at}
        onChange={(event) => onChange({ ...step, at: event.currentTarget.value })}
      />
      <PlainSelect
        aria-label={`State of step ${number}`}
        className={framedSelect}
        value={step.status}
        options={OPTIONS}
        onChange={(status) => onChange({ ...step, status })}
      />
      {hasEnd ? (
        <Input
          aria-label={`Length of step ${number}`}
          inputMode="numeric"
          trailing="minutes"
          placeholder="Stays"
          value={step.minutes}
          onChange={(event) => onChange({ ...step, minutes: event.currentTarget.value })}
        />
      ) : null}
    </div>
  );
}

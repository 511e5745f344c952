import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { formatBps } from "../../format/money.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { useRequests } from "../../session/requests.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { ReasonField, useReasonForm } from "./reason-field.tsx";

interface PlanDialogProps extends UserDialogProps {
  /** Name of the user's current plan. */
  readonly current: string;
}

/** Gives a user a plan at no charge. */
export function PlanDialog({ user, onClose, ...now }: PlanDialogProps) {
  const requests = useRequests();
  // As it was when the dialog was opened: a later change does not choose another plan.
  const [current] = useState(now.current);
  const { data: plans = [] } = useQuery(convexQuery(functions.plans.list, {}));
  const [chosen, setChosen] = useState<string | null>(null);
  const form = useReasonForm();
  const others = plans.filter(({ name }) => name !== current);
  const plan = others.find(({ slug }) => slug === chosen) ?? others[0];
  const name = fullNameOf(user);
  const submit = () => {
    form.markTried();
    if (plan === undefined || form.reason === "") return undefined;
    const args = { userId: user.id, plan: plan.slug, reason: form.reason };
    return requests.send(functions.plans.assign, args);
  };
  return (
    <ActionDialog
      title={titleOf("Assign a plan to ", name, "?")}
      text={`It is ${current} now. The new plan holds at once, at no charge, until it is changed.`}
      submitLabel={plan === undefined ? "Assign" : `Assign ${plan.name}`}
      isDirty={chosen !== null || form.reason !== ""}
      isDisabled={plan === undefined}
      onSubmit={submit}
      done={`${name} has the ${plan?.name ?? "new"} plan.`}
      onClose={onClose}
    >
      <Field
        label="Plan"
        hint={
          plan === undefined
            ? undefined
            : `${formatBps(plan.makerFeeBps)} maker, ${formatBps(plan.takerFeeBps)} taker. Open orders keep their fees.`
        }
      >
        {(control) => (
          <Select
            {...control}
            value={plan?.slug ?? ""}
            options={others.map(({ slug, name: label }) => ({ value: slug, label }))}
            onChange={setChosen}
          />
        )}
      </Field>
      <ReasonField {...form.reasonField} hint="It is kept in the journal and the audit log." />
    </ActionDialog>
  );
}

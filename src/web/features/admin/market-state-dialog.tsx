import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, MarketStatus } from "#contract/types.ts";
import { useRequests } from "../../session/requests.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { isDrastic, nextStatusOf, STATUS_TEXTS, STATUSES, stateSeconds } from "./market-texts.ts";
import { ReasonField, useReasonForm } from "./reason-field.tsx";

interface MarketStateDialogProps {
  readonly market: Market;
  /** The preselected state. */
  readonly wanted: MarketStatus;
  readonly onClose: () => void;
}

/** Sets a market's state, for a time or until it is changed again. */
export function MarketStateDialog({ market, wanted, onClose }: MarketStateDialogProps) {
  const requests = useRequests();
  const [status, setStatus] = useState(wanted);
  const [minutes, setMinutes] = useState("");
  const form = useReasonForm();
  const follower = nextStatusOf(status);
  const seconds = follower === undefined ? null : stateSeconds(minutes);
  const { label, effect } = STATUS_TEXTS[status];
  const submit = () => {
    form.markTried();
    if (form.reason === "" || typeof seconds === "string") return undefined;
    return requests.send(functions.markets.setStatus, {
      market: market.symbol,
      status,
      reason: form.reason,
      ...(seconds === null ? {} : { forSeconds: seconds }),
    });
  };
  return (
    <ActionDialog
      title={`Change the state of ${market.symbol}?`}
      text={`It is ${STATUS_TEXTS[market.status].label.toLowerCase()} now. All users see the new state immediately.`}
      submitLabel={`Set to ${label.toLowerCase()}`}
      isDangerous={isDrastic(status)}
      isDirty={form.reason !== ""}
      onSubmit={submit}
      done={`${market.symbol} is ${label.toLowerCase()}.`}
      onClose={onClose}
    >
      <Field label="New state" hint={effect}>
        {(control) => (
          <Select
            {...control}
            value={status}
            options={STATUSES.filter((each) => each !== market.status || each === status).map(
              (each) => ({
                value: each,
                label: STATUS_TEXTS[each].label,
              }),
            )}
            onChange={setStatus}
          />
        )}
      </Field>
      {follower === undefined ? null : (
        <TextField
          label="Ends after"
          hint={`Then it is ${STATUS_TEXTS[follower].label.toLowerCase()}. Without a time it stays until you change it.`}
          error={form.isTried && typeof seconds === "string" ? seconds : undefined}
          inputMode="numeric"
          trailing="minutes"
          value={minutes}
          onChange={(event) => setMinutes(event.currentTarget.value)}
        />
      )}
      <ReasonField {...form.reasonField} hint="It is kept in the journal." />
    </ActionDialog>
  );
}

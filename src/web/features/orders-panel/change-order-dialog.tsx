import { type FormEvent, useState } from "react";
import type { Market, Order } from "#contract/types.ts";
import { orderTitle } from "../../format/order-words.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { useCutOff } from "../../session/connection.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import {
  type ChangeEffect,
  changeRequest,
  type ChangeRequest,
  FOLLOWS_SENTENCE,
  NOTHING_CHANGES,
  pairedOrder,
} from "../../session/order-change.ts";
import { useAmendOrder } from "../../session/use-amend-order.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { changeFields, changeOf, changeProblem, type Typed } from "./change-form.ts";

interface ChangeOrderDialogProps {
  readonly order: Order;
  readonly market: Market;
  readonly openOrders: readonly Order[];
  readonly onClose: () => void;
}

/** A dialog to amend an open order's terms. Loaded lazily, hence the default export. */
export default function ChangeOrderDialog(props: ChangeOrderDialogProps) {
  const { order, market, openOrders, onClose } = props;
  const amend = useAmendOrder();
  const cutOff = useCutOff();
  const [typed, setTyped] = useState<Typed>({});
  const paired = pairedOrder(order, openOrders);
  const hasEnded = !openOrders.some(({ orderId }) => orderId === order.orderId);
  const fields = changeFields(order, market);
  const problems = fields.map((field) =>
    changeProblem(field, typed[field.field] ?? field.text, order, market),
  );
  const isValid = problems.every((problem) => problem === null);
  const request = isValid ? changeRequest(order, changeOf(typed)) : null;
  const isPossible = request !== null && request.kind !== "impossible";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPossible || amend.isPending || cutOff !== null || hasEnded) return;
    amend.mutate(
      { order, change: changeOf(typed) },
      {
        onSuccess: ({ order: changed }) => {
          onClose();
          toastSuccess("Order changed", orderTitle(changed));
        },
      },
    );
  };
  const blocked = hasEnded ? "This order has ended." : cutOff;
  return (
    <Dialog onClose={onClose} title="Change order" description={orderTitle(order)}>
      <form method="post" noValidate className="grid gap-3" onSubmit={submit}>
        {fields.map(({ field, label, unit, text }, index) => (
          <Field key={field} label={label} error={problems[index] ?? undefined}>
            {(control) => (
              <NumberInput
                {...control}
                name={field}
                enterKeyHint="send"
                trailing={unit}
                value={typed[field] ?? text}
                onChange={(next) => {
                  setTyped({ ...typed, [field]: next });
                  amend.reset();
                }}
              />
            )}
          </Field>
        ))}
        {paired === undefined ? null : (
          <p className="text-xs text-muted">
            One of two linked orders: when one trades, is triggered or ends, the other is cancelled.
            The other: {orderTitle(paired)}.
          </p>
        )}
        {/[1-9]/.test(order.filledQuantity) ? (
          <p className="text-xs text-muted">
            {formatExact(order.filledQuantity)} {market.base} of it are filled.
          </p>
        ) : null}
        <output className="text-xs text-muted">
          {fields.length === 0 ? FOLLOWS_SENTENCE : effectOf(request, paired !== undefined)}
        </output>
        {amend.error === null ? null : (
          <p
            role="alert"
            className="rounded-md border border-sell/40 bg-sell-soft px-3 py-2 text-xs text-text"
          >
            {errorSentence(amend.error)}
          </p>
        )}
        {blocked === null ? null : <p className="text-xs text-warn">{blocked}</p>}
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          {fields.length === 0 ? null : (
            <Button
              type="submit"
              variant="primary"
              busy={amend.isPending}
              disabled={!isPossible || blocked !== null}
            >
              Change order
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Describes the effect of the change in a sentence or two. */
function effectOf(request: ChangeRequest | null, isPaired: boolean): string {
  if (request === null) return "";
  if (request.kind === "impossible") {
    return request.reason === NOTHING_CHANGES ? "Change a value to continue." : request.reason;
  }
  const isShared = isPaired && request.args.quantity !== undefined;
  return isShared
    ? `${EFFECTS[request.effect]} The order linked with it gets the same quantity.`
    : EFFECTS[request.effect];
}

const EFFECTS: Readonly<Record<ChangeEffect, string>> = {
  keepsPlace: "Less quantity at the same price: the order keeps its place in the queue.",
  losesPlace:
    "The order goes to the end of the queue at its price. Where it meets the other side, it trades at once.",
  waits: "The order keeps waiting, on its new terms.",
};

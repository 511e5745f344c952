import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Adjustment } from "#contract/types.ts";
import { formatExactSigned } from "../../format/decimal-text.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { useRequests } from "../../session/requests.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { amountProblem, exampleAmount, parseAmount } from "./adjustment-amount.ts";
import { ReasonField, useReasonForm } from "./reason-field.tsx";
import { useUserName } from "./user-name.tsx";

/** Proposes a change of a user's balance, which another administrator must approve. */
export function ProposeAdjustmentDialog({ user, onClose }: UserDialogProps) {
  const requests = useRequests();
  const { data: coins = [] } = useQuery(convexQuery(functions.coins.list, {}));
  const [chosen, setChosen] = useState<string | null>(null);
  const [amount, setAmount] = useState("");
  const form = useReasonForm();
  const coin =
    coins.find(({ symbol }) => symbol === chosen) ??
    coins.find(({ priceSource }) => priceSource === "settlement") ??
    coins[0];
  const problem = coin === undefined ? "Loading" : amountProblem(amount, coin.scale);
  const submit = () => {
    form.markTried();
    if (coin === undefined || problem !== null || form.reason === "") return undefined;
    return requests.send(functions.adjustments.propose, {
      userId: user.id,
      coin: coin.symbol,
      amount: parseAmount(amount),
      reason: form.reason,
    });
  };
  return (
    <ActionDialog
      title={titleOf("Adjust a balance of ", fullNameOf(user), "?")}
      text="Nothing moves until another administrator approves it."
      submitLabel="Propose adjustment"
      isDirty={amount !== "" || form.reason !== ""}
      onSubmit={submit}
      done="The adjustment waits for another administrator."
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <Field label="Coin">
          {(control) => (
            <Select
              {...control}
              value={coin?.symbol ?? ""}
              options={coins.map(({ symbol }) => ({ value: symbol, label: symbol }))}
              onChange={setChosen}
            />
          )}
        </Field>
        <TextField
          label="Amount"
          hint="With a minus to take it away."
          error={form.isTried && problem !== null ? problem : undefined}
          inputMode="text"
          autoComplete="off"
          inputClassName="figures"
          placeholder={exampleAmount()}
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
      </div>
      <ReasonField {...form.reasonField} hint="The user sees it, and it is kept in the journal." />
    </ActionDialog>
  );
}

interface DecideDialogProps {
  readonly adjustment: Adjustment;
  readonly decision: "approve" | "reject";
  /** Whether the viewer proposed it, and so withdraws it where others would reject it. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

/** Approves or rejects an adjustment that another administrator proposed. */
export function DecideAdjustmentDialog(props: DecideDialogProps) {
  const { adjustment, decision, isOwn, onClose } = props;
  const requests = useRequests();
  const name = useUserName(adjustment.userId);
  const { adjustmentId, amount, coin, reason } = adjustment;
  const isApproval = decision === "approve";
  const verb = isApproval ? "Approve" : isOwn ? "Withdraw" : "Reject";
  return (
    <ActionDialog
      title={`${verb} this adjustment?`}
      text={
        <>
          <span className="figures text-text">
            {formatExactSigned(amount)} {coin}
          </span>{" "}
          for <bdi className="text-text">{name}</bdi>: <bdi>{reason}</bdi>.{" "}
          {isApproval ? "The balance changes at once." : "Nothing moves."}
        </>
      }
      submitLabel={verb}
      isDangerous={!isApproval}
      onSubmit={() => requests.send(functions.adjustments[decision], { adjustmentId })}
      done={
        isApproval
          ? "The adjustment is made."
          : `The adjustment is ${isOwn ? "withdrawn" : "rejected"}.`
      }
      onClose={onClose}
    />
  );
}

import { useState } from "react";
import { trimDecimal } from "#contract/decimal.ts";
import { functions } from "#contract/functions.ts";
import type { ReviewedTransfer } from "#contract/transfers.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { completeNumber } from "../../format/typed-number.ts";
import { useRequests } from "../../session/requests.ts";
import { Field } from "../../ui/field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { ReasonField, useReasonForm } from "./reason-field.tsx";
import { ACTION_TEXTS, effectOf, outcomeText, type ReviewAction } from "./transfer-texts.ts";
import { useUserName } from "./user-name.tsx";

interface TransferDialogProps {
  /** As it was when the dialog was opened. */
  readonly transfer: ReviewedTransfer;
  readonly action: ReviewAction;
  readonly onClose: () => void;
}

/** Asks for a reason and takes one step of the review. */
export function TransferDialog({ transfer, action, onClose }: TransferDialogProps) {
  const requests = useRequests();
  const { address, coin, kind, memo, network, payers, reference, transferId, userId } = transfer;
  const name = useUserName(userId);
  const announced = trimDecimal(transfer.amount);
  const [amount, setAmount] = useState(announced);
  const [receipt, setReceipt] = useState("");
  const form = useReasonForm();
  const { label, title } = ACTION_TEXTS[action];
  const needsReceipt = action === "record" || action === "send";
  const submit = () => {
    form.markTried();
    const common = { transferId, reason: form.reason };
    if (common.reason === "" || (needsReceipt && receipt.trim() === "")) return undefined;
    if (action === "record") {
      if (amount.trim() === "") return undefined;
      const arrived = { amount: completeNumber(amount), receipt: receipt.trim() };
      return requests.send(functions.transfers.record, { ...common, ...arrived });
    }
    if (action === "send") {
      return requests.send(functions.transfers.send, { ...common, receipt: receipt.trim() });
    }
    if (action === "pay" || action === "takeOver") {
      const claim = { ...common, step: "pay", seenPayer: payers.at(-1) ?? null } as const;
      return requests.send(functions.transfers.decide, claim);
    }
    return requests.send(functions.transfers.decide, { ...common, step: action });
  };
  return (
    <ActionDialog
      title={title}
      text={
        <>
          {kind === "deposit" ? "Deposit" : "Withdrawal"} {transferId} of{" "}
          <span className="figures text-text">
            {formatExact(transfer.amount)} {coin}
          </span>{" "}
          {kind === "deposit" ? "by" : "for"} <bdi className="text-text">{name}</bdi>,{" "}
          {kind === "deposit" ? `reference ${reference}` : network}. {effectOf(transfer, action)}
        </>
      }
      submitLabel={label}
      isDangerous={action === "reject" || action === "return"}
      isDirty={form.reason !== "" || receipt !== "" || amount !== announced}
      onSubmit={submit}
      done={({ status }) => outcomeText(action, status)}
      onClose={onClose}
    >
      {address === null ? null : (
        <p className="figures wrap-anywhere rounded-md border border-line-strong bg-page px-3 py-2 text-xs select-all">
          {address}
          {memo === null ? "" : ` · memo ${memo}`}
        </p>
      )}
      {action === "record" ? (
        <Field
          label={`Amount that arrived, in ${coin}`}
          error={form.isTried && amount.trim() === "" ? "Enter the amount" : undefined}
        >
          {(control) => <NumberInput {...control} value={amount} onChange={setAmount} />}
        </Field>
      ) : null}
      {needsReceipt ? (
        <TextField
          label="Receipt"
          hint="What identifies the payment, such as the number on the statement."
          error={
            form.isTried && receipt.trim() === "" ? "Enter what identifies the payment" : undefined
          }
          autoComplete="off"
          maxLength={128}
          value={receipt}
          onChange={({ currentTarget }) => setReceipt(currentTarget.value)}
        />
      ) : null}
      <ReasonField
        {...form.reasonField}
        hint="Kept in the journal and the audit log; the user sees why something was rejected."
      />
    </ActionDialog>
  );
}

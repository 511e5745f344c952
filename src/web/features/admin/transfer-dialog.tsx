import { useState } from "react";
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
import { ACTION_TEXTS, type ReviewAction } from "./transfer-texts.ts";

const EFFECTS: Readonly<Record<Exclude<ReviewAction, "approve">, string>> = {
  record: "It is credited, or waits for a second administrator if it is large.",
  reject:
    "What was held is released, its fee included. Once it is approved, two administrators reject it. Find out first whether it was paid.",
  pay: "Say so before you send any money: nobody else pays it then, and you alone mark it as sent.",
  takeOver:
    "Find out first whether the other one has paid it: it must not be paid twice. You alone mark it as sent then.",
  send: "Mark it once you have paid.",
  settle: "What was held leaves the exchange.",
  return:
    "What was held is released, its fee included. A large one needs two administrators beside its payers.",
};

/** What approving does, by kind. */
const APPROVAL_EFFECTS: Readonly<Record<ReviewedTransfer["kind"], string>> = {
  deposit: "It is credited to the user.",
  withdrawal: "It may then be paid. A large one needs a second administrator.",
};

interface TransferDialogProps {
  readonly transfer: ReviewedTransfer;
  /** Name of the transfer's owner. */
  readonly name: string;
  readonly action: ReviewAction;
  readonly onClose: () => void;
}

/** Asks for a reason and takes one step of the review. */
export function TransferDialog({ transfer, name, action, onClose }: TransferDialogProps) {
  const requests = useRequests();
  const { address, coin, kind, memo, network, reference, transferId } = transfer;
  const [amount, setAmount] = useState(formatExact(transfer.amount));
  const [receipt, setReceipt] = useState("");
  const form = useReasonForm();
  const { done, label, title } = ACTION_TEXTS[action];
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
    const step = action === "takeOver" ? "pay" : action;
    return requests.send(functions.transfers.decide, { ...common, step });
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
          {kind === "deposit" ? `reference ${reference}` : network}.{" "}
          {action === "approve" ? APPROVAL_EFFECTS[kind] : EFFECTS[action]}
        </>
      }
      submitLabel={label}
      isDangerous={action === "reject" || action === "return"}
      isDirty={form.reason !== "" || receipt !== ""}
      onSubmit={submit}
      done={done}
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

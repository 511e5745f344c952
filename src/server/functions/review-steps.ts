/** The steps of the review that take no amount or receipt, for administrators' pages and the command line. */
import type { TransferStatus } from "#engine/commands.ts";

export const REVIEW_COMMANDS = {
  approve: "approveTransfer",
  reject: "rejectTransfer",
  pay: "claimPayment",
  settle: "settleWithdrawal",
  return: "returnWithdrawal",
} as const;
export type ReviewStepName = keyof typeof REVIEW_COMMANDS;

/** Whether the step is the second of two that two administrators take. */
export function isSecondStep(step: ReviewStepName, status: TransferStatus | undefined): boolean {
  return (
    (step === "approve" && (status === "recorded" || status === "approvedOnce")) ||
    (step === "reject" && status === "rejectedOnce") ||
    (step === "return" && status === "returnedOnce")
  );
}

import type { ReviewedTransfer, TransferStatus } from "#contract/transfers.ts";

export const REVIEW_TEXTS: Readonly<Record<TransferStatus, string>> = {
  requested: "Announced",
  recorded: "Recorded",
  credited: "Credited",
  held: "Requested",
  approvedOnce: "Approved once",
  approved: "Approved",
  rejectedOnce: "Rejected once",
  sent: "Sent",
  returnedOnce: "Came back once",
  settled: "Paid out",
  rejected: "Rejected",
  cancelled: "Cancelled",
  returned: "Came back",
};

export type ReviewAction = "record" | "approve" | "reject" | "send" | "settle" | "return";

/** Texts of each review step: its button, the title of its dialog, and the message once it is done. */
export const ACTION_TEXTS: Readonly<
  Record<ReviewAction, { readonly label: string; readonly title: string; readonly done: string }>
> = {
  record: {
    label: "Record",
    title: "Record what arrived?",
    done: "The deposit is recorded.",
  },
  approve: { label: "Approve", title: "Approve this transfer?", done: "It is approved." },
  reject: { label: "Reject", title: "Reject this transfer?", done: "Your rejection is recorded." },
  send: { label: "Sent", title: "Has it been paid?", done: "It is marked as sent." },
  settle: { label: "Arrived", title: "Has the payment arrived?", done: "It is settled." },
  return: {
    label: "Came back",
    title: "Did the payment come back?",
    done: "Your finding is recorded.",
  },
};

const ACTIONS_IN: Readonly<Partial<Record<TransferStatus, readonly ReviewAction[]>>> = {
  requested: ["record", "reject"],
  recorded: ["approve", "reject"],
  held: ["approve", "reject"],
  approvedOnce: ["approve", "reject"],
  approved: ["send", "reject"],
  rejectedOnce: ["send", "reject"],
  sent: ["settle", "return"],
  returnedOnce: ["settle", "return"],
};

/** The step that needs a second administrator, and what is said to the first one. */
const SECOND_STEPS: Readonly<
  Partial<Record<TransferStatus, readonly [step: ReviewAction, text: string]>>
> = {
  recorded: ["approve", "A second administrator approves it."],
  approvedOnce: ["approve", "A second administrator approves it."],
  rejectedOnce: ["reject", "A second administrator rejects it."],
  returnedOnce: ["return", "A second administrator says that it came back."],
};

/**
 * The steps that an administrator may take, and a sentence if dual control leaves one to another
 * administrator, else null.
 */
export function actionsOf(
  { firstBy, sentBy, status, userId }: ReviewedTransfer,
  ownId: string | null,
): { readonly actions: readonly ReviewAction[]; readonly other: string | null } {
  const all = ACTIONS_IN[status] ?? [];
  if (userId === ownId) {
    const other = all.length === 0 ? null : "Your own: another administrator decides.";
    return { actions: [], other };
  }
  const [second, other] = SECOND_STEPS[status] ?? [];
  if (firstBy === ownId && second !== undefined && other !== undefined) {
    return { actions: all.filter((action) => action !== second), other };
  }
  if (sentBy === ownId && all.includes("return")) {
    const actions = all.filter((action) => action !== "return");
    return { actions, other: "Another administrator says if it came back." };
  }
  return { actions: all, other: null };
}

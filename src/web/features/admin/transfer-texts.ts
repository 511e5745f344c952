import type { ReviewedTransfer, TransferStatus } from "#contract/transfers.ts";

export const REVIEW_TEXTS: Readonly<Record<TransferStatus, string>> = {
  requested: "Announced",
  recorded: "Recorded",
  credited: "Credited",
  held: "Requested",
  approvedOnce: "Approved once",
  approved: "Approved",
  sent: "Sent",
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
  reject: { label: "Reject", title: "Reject this transfer?", done: "It is rejected." },
  send: { label: "Sent", title: "Has it been paid?", done: "It is marked as sent." },
  settle: { label: "Arrived", title: "Has the payment arrived?", done: "It is settled." },
  return: { label: "Came back", title: "Did the payment come back?", done: "It is released." },
};

const ACTIONS_IN: Readonly<Partial<Record<TransferStatus, readonly ReviewAction[]>>> = {
  requested: ["record", "reject"],
  recorded: ["approve", "reject"],
  held: ["approve", "reject"],
  approvedOnce: ["approve", "reject"],
  approved: ["send", "reject"],
  sent: ["settle", "return"],
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
  if (firstBy === ownId && all.includes("approve")) {
    const actions = all.filter((action) => action !== "approve");
    return { actions, other: "A second administrator approves it." };
  }
  if (sentBy === ownId && all.includes("return")) {
    const actions = all.filter((action) => action !== "return");
    return { actions, other: "Another administrator says if it came back." };
  }
  return { actions: all, other: null };
}

import type { ReviewedTransfer, TransferStatus } from "#contract/transfers.ts";

export const REVIEW_TEXTS: Readonly<Record<TransferStatus, string>> = {
  requested: "Announced",
  recorded: "Recorded",
  credited: "Credited",
  held: "Requested",
  approvedOnce: "Approved once",
  approved: "Approved",
  paying: "Being paid",
  rejectedOnce: "Rejected once",
  sent: "Sent",
  returnedOnce: "Came back once",
  settled: "Paid out",
  rejected: "Rejected",
  cancelled: "Cancelled",
  returned: "Came back",
  expired: "Expired",
};

export type ReviewAction =
  | "record"
  | "approve"
  | "reject"
  | "pay"
  | "takeOver"
  | "send"
  | "settle"
  | "return";

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
  pay: {
    label: "I pay it",
    title: "Will you pay it?",
    done: "You are its payer. Pay it now, then mark it as sent.",
  },
  takeOver: {
    label: "Take over",
    title: "Take the payment over?",
    done: "You are its payer. Pay it if it was not paid, then mark it as sent.",
  },
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
  approved: ["pay", "reject"],
  paying: ["send", "reject"],
  rejectedOnce: ["reject"],
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
  transfer: ReviewedTransfer,
  ownId: string | null,
): { readonly actions: readonly ReviewAction[]; readonly other: string | null } {
  const { firstBy, payers, status, userId } = transfer;
  const all = actionsAsPayer(transfer, ownId);
  if (userId === ownId) {
    const other = all.length === 0 ? null : "Your own: another administrator decides.";
    return { actions: [], other };
  }
  if (status === "paying" && payers.at(-1) !== ownId) {
    return { actions: all, other: "Another administrator pays it." };
  }
  const [second, other] = SECOND_STEPS[status] ?? [];
  if (firstBy === ownId && second !== undefined && other !== undefined) {
    return { actions: all.filter((action) => action !== second), other };
  }
  if (all.includes("return") && payers.some((payer) => payer === ownId)) {
    const actions = all.filter((action) => action !== "return");
    return { actions, other: "Another administrator says if it came back." };
  }
  return { actions: all, other: null };
}

/** The steps of the transfer's status, apart from dual control: only its payer marks it as sent. */
function actionsAsPayer(
  { payers, status }: ReviewedTransfer,
  ownId: string | null,
): readonly ReviewAction[] {
  const isPayer = payers.length > 0 && payers.at(-1) === ownId;
  if (status === "paying" && !isPayer) return ["takeOver"];
  const all = ACTIONS_IN[status] ?? [];
  if (status !== "rejectedOnce") return all;
  return [...all, isPayer ? "send" : "pay"];
}

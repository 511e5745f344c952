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

/** Texts of each review step: its button and the title of its dialog. */
export const ACTION_TEXTS: Readonly<
  Record<ReviewAction, { readonly label: string; readonly title: string }>
> = {
  record: { label: "Record", title: "Record what arrived?" },
  approve: { label: "Approve", title: "Approve this transfer?" },
  reject: { label: "Reject", title: "Reject this transfer?" },
  pay: { label: "I pay it", title: "Will you pay it?" },
  takeOver: { label: "Take over", title: "Take the payment over?" },
  send: { label: "Sent", title: "Has it been paid?" },
  settle: { label: "Arrived", title: "Has the payment arrived?" },
  return: { label: "Came back", title: "Did the payment come back?" },
};

const RELEASED = "What was held is released, its fee included.";
const FIND_OUT = "Find out first whether it was paid.";
const IF_LARGE = "if it is more than one may decide alone today";

/** The transfer's status after the step, as its dialog describes it beforehand. */
export function effectOf(
  { kind, status }: Pick<ReviewedTransfer, "kind" | "status">,
  action: ReviewAction,
): string {
  switch (action) {
    case "record":
      return `It is credited, or waits for a second administrator ${IF_LARGE}.`;
    case "approve":
      if (kind === "deposit") return "It is credited to the user.";
      return status === "held"
        ? `It may then be paid; a second administrator approves it too ${IF_LARGE}.`
        : "It may then be paid.";
    case "reject":
      if (kind === "deposit") return "Nothing is credited.";
      if (status === "approved" || status === "paying") {
        return `It was approved: nothing is released until a second administrator rejects it too. ${FIND_OUT}`;
      }
      return status === "rejectedOnce" ? `${RELEASED} ${FIND_OUT}` : RELEASED;
    case "pay":
      return "Say so before you send any money: no one else pays it then, and you alone mark it as sent.";
    case "takeOver":
      return "Find out first whether the other one has paid it: it must not be paid twice. You alone mark it as sent then.";
    case "send":
      return "Mark it once you have paid.";
    case "settle":
      return "What was held leaves the exchange; its fee is collected.";
    case "return":
      return status === "sent"
        ? `${RELEASED} A second administrator beside its payers says so too ${IF_LARGE}.`
        : RELEASED;
    default:
      throw new TypeError(`no step is ${String(action satisfies never)}`);
  }
}

const OUTCOME_TEXTS: Readonly<Partial<Record<TransferStatus, string>>> = {
  recorded: "It is recorded, and waits for a second administrator.",
  credited: "It is credited.",
  approvedOnce: "Your approval is recorded. It waits for a second administrator.",
  approved: "It is approved.",
  rejectedOnce: "Your rejection is recorded. It waits for a second administrator.",
  rejected: "It is rejected.",
  sent: "It is marked as sent.",
  settled: "It is settled.",
  returnedOnce: "Your finding is recorded. It waits for a second administrator.",
  returned: "It came back, and what was held is released.",
};

/** The result of a step: only the exchange knows how much of today's amount for lone decisions is left. */
export function outcomeText(action: ReviewAction, status: TransferStatus): string {
  if (action === "pay") return "You are its payer. Pay it now, then mark it as sent.";
  if (action === "takeOver") {
    return "You are its payer. Pay it if it was not paid, then mark it as sent.";
  }
  return OUTCOME_TEXTS[status] ?? REVIEW_TEXTS[status];
}

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

/** The step that needs a second administrator, and the text for the first one. */
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

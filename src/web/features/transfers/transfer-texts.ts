import type { Transfer, TransferStatus } from "#contract/transfers.ts";

interface StatusText {
  readonly label: string;
  readonly tone: "neutral" | "accent" | "buy" | "sell" | "warn";
}

/** Statuses as the owner of a transfer reads them; the steps of dual control are not distinguished. */
export const STATUS_TEXTS: Readonly<Record<TransferStatus, StatusText>> = {
  requested: { label: "Waiting for your payment", tone: "accent" },
  recorded: { label: "In review", tone: "warn" },
  credited: { label: "Credited", tone: "buy" },
  held: { label: "In review", tone: "warn" },
  approvedOnce: { label: "In review", tone: "warn" },
  rejectedOnce: { label: "Approved", tone: "accent" },
  returnedOnce: { label: "Sent", tone: "accent" },
  approved: { label: "Approved", tone: "accent" },
  paying: { label: "Approved", tone: "accent" },
  sent: { label: "Sent", tone: "accent" },
  settled: { label: "Paid out", tone: "buy" },
  rejected: { label: "Rejected", tone: "sell" },
  cancelled: { label: "Cancelled", tone: "neutral" },
  returned: { label: "Came back", tone: "sell" },
  expired: { label: "Did not arrive", tone: "neutral" },
};

/** Whether the transfer's owner may still cancel it. */
export function isCancellable({ status }: Pick<Transfer, "status">): boolean {
  return status === "requested" || status === "held" || status === "approvedOnce";
}

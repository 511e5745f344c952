/**
 * The adapter for payments made by people: payers get the operator's instructions and a reference;
 * administrators record deposits that arrived, and pay withdrawals and mark them as sent.
 */
import { depositReference, transferOfReference } from "./deposit-reference.ts";
import type { TransferAdapter } from "./transfer-adapter.ts";

export const MANUAL_TRANSFERS: TransferAdapter = {
  instructionsFor: ({ transferId }, network) => ({
    reference: depositReference(transferId),
    text: network?.instructions ?? "",
  }),
  transferOf: transferOfReference,
};

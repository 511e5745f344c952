/**
 * Payments made by people: the operator's instructions and a reference for the payer; administrators
 * record what arrived, and pay and mark what leaves.
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

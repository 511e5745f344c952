/**
 * Why the engine refused a command. A refused command changed nothing. These names are part of the
 * journal and of the public contract: they are added to, never renamed.
 */
export const REJECT_REASONS = [
  "invalidCommand",
  "unknownAsset",
  "unknownMarket",
  "unknownPlan",
  "unknownAccount",
  "unknownOrder",
  "duplicateSymbol",
  "duplicateAccount",
  "duplicateClientOrderId",
  "limitReached",
  "marketNotTrading",
  "invalidPrice",
  "invalidQuantity",
  "invalidAmount",
  "invalidTimeInForce",
  "notionalTooSmall",
  "notionalTooLarge",
  "quantityTooLarge",
  "insufficientAvailable",
  "wouldCross",
  "wouldNotFill",
  "noLiquidity",
  "tooManyOpenOrders",
  "practiceFundsTakenToday",
  "supplyExceeded",
  "simulationAlreadyStarted",
  "notAParticipant",
  "accountFrozen",
  "planNotOffered",
  "planUnchanged",
  "volumeNotReached",
  "unknownAdjustment",
  "sameAdministrator",
  "invalidDisplay",
  "invalidTrigger",
  "noReferencePrice",
  "wouldTriggerAtOnce",
  "tooManyAlgoOrders",
  "orderNotResting",
  "nothingToChange",
  "invalidReplacement",
  "invalidList",
  "invalidDelay",
  "priceOutsideBand",
  "wouldCrossOwnOrder",
  "invalidValidUntil",
  "requestExpired",
  "balanceTooLarge",
  "marketBusy",
  "unknownTransfer",
  "transferNotOpen",
  "ownTransfer",
  "notFunded",
  "fundedCoin",
  "mixedFunds",
  "depositsClosed",
  "withdrawalsClosed",
  "amountTooSmall",
  "amountTooLarge",
  "withdrawalLimitReached",
  "receiptKnown",
] as const;

export type RejectReason = (typeof REJECT_REASONS)[number];
/** The outcome of a command: accepted, a repeat of an accepted one, or refused with a reason. */
export type Outcome = "accepted" | "repeated" | RejectReason;

const CODES = new Map<RejectReason, number>(REJECT_REASONS.map((reason, index) => [reason, index]));

/** A reason's index in REJECT_REASONS, as stored in rows of events. */
export const rejectReasonCode = (reason: RejectReason): number => CODES.get(reason) as number;

/** The user data events, for the documents. An event that is missing here does not compile. */

export const USER_DATA_EVENTS = {
  balanceUpdate: "Coins came or went otherwise than by trading.",
  eventStreamTerminated:
    "The subscription has ended: by request, with its session, or because its key was stopped.",
  executionReport: "A step of an order.",
  listStatus: "A list of orders was placed, or has ended.",
  listenKeyExpired: "A listen key has ended: its stream sends nothing more.",
  outboundAccountPosition: "What the account has of each coin that may have changed.",
} as const;

export type UserDataEventName = keyof typeof USER_DATA_EVENTS;

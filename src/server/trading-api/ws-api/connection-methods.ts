/** Methods of the WebSocket API that concern the connection itself and have no HTTP call. */

/** The effect of each method and the parameters of signed requests that it takes, for the documents. */
export const CONNECTION_METHODS = {
  "session.logon": {
    summary: "Begins a session of an Ed25519 key: later requests need no signature.",
    isSigned: true,
  },
  "session.status": { summary: "The session of the connection.", isSigned: false },
  "session.logout": { summary: "Ends the session.", isSigned: false },
  "session.subscriptions": {
    summary: "The subscriptions of the connection.",
    isSigned: false,
  },
  "userDataStream.subscribe": {
    summary: "Sends what happens to the account of the session.",
    isSigned: false,
  },
  "userDataStream.subscribe.signature": {
    summary: "Sends what happens to the account of the key that signs.",
    isSigned: true,
  },
  "userDataStream.unsubscribe": {
    summary: "Ends the subscription `subscriptionId`, or all.",
    isSigned: false,
  },
} as const;

export type ConnectionMethod = keyof typeof CONNECTION_METHODS;

export function isConnectionMethod(method: string): method is ConnectionMethod {
  return Object.hasOwn(CONNECTION_METHODS, method);
}

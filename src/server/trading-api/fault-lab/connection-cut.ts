/** The client's connection is to be cut instead of answering. */
export class ConnectionCutError extends Error {
  override readonly name = "ConnectionCutError";
}

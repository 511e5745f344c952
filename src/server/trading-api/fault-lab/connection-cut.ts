/** Thrown to close the client's connection instead of answering. */
export class ConnectionCutError extends Error {
  override readonly name = "ConnectionCutError";
}

/** Thrown by a query's handler that needs something that is being loaded: it runs again afterwards. */
export class LoadingError extends Error {
  override readonly name = "LoadingError";
  /** Settles when it is loaded, or could not be. */
  readonly loading: Promise<void>;

  constructor(loading: Promise<void>) {
    super("What the query needs is being loaded.");
    this.loading = loading;
  }
}

/** @throws LoadingError if it is not there yet */
export function loaded<Value extends object>(value: Value | Promise<void>): Value {
  if (value instanceof Promise) throw new LoadingError(value);
  return value;
}

/** Thrown by a query whose data is still being loaded; the query runs again afterwards. */
export class LoadingError extends Error {
  override readonly name = "LoadingError";
  /** Settles when the data has been loaded or loading has failed. */
  readonly loading: Promise<void>;

  constructor(loading: Promise<void>) {
    super("What the query needs is being loaded.");
    this.loading = loading;
  }
}

/** @throws LoadingError if the value is still being loaded */
export function requireLoaded<Value extends object>(value: Value | Promise<void>): Value {
  if (value instanceof Promise) throw new LoadingError(value);
  return value;
}

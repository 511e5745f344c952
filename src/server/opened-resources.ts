/**
 * The resources that a start has opened, to be closed in reverse order. A failure to close one does not
 * prevent closing the others.
 */
export class OpenedResources {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "not everything closed cleanly");
  }
}

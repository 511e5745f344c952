/**
 * Assertions state conditions that hold for any input. They stay on in production: an engine with
 * a broken invariant must stop before it journals or answers anything more.
 */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantError(invariant);
}

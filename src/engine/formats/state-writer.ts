/**
 * The destination of the fields of a part of the state: one interface for both the state hash and a
 * snapshot. The hash distinguishes numbers and texts only; the width of a number and the start of a
 * part concern only the snapshot.
 */
export interface StateWriter {
  /**
   * True for the state hash, which omits counts of self-delimiting items, and parts that did not
   * exist in its version.
   */
  readonly isHash: boolean;
  /** Begins a part: its name is written, so that a reader out of step can report where. */
  part(name: string): void;
  /** Writes any float64; -0 and 0 are the same amount. */
  number(value: number): void;
  /** Writes a 32-bit integer, signed or unsigned. */
  int(value: number): void;
  flag(value: boolean): void;
  /** Writes any text, even if it is not well-formed Unicode. */
  text(value: string): void;
}

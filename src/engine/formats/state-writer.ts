/**
 * What a part of the state writes its fields to, said once for both: the state hash and a snapshot. The
 * hash knows numbers and texts only; how many bytes a number takes and where a part begins is the
 * snapshot's matter.
 */
export interface StateWriter {
  /** A hash counts nothing that ends by itself, and says nothing of what was not there in its time. */
  readonly isHash: boolean;
  /** Begins a part: its name stands in the bytes, so that a reader out of step says where. */
  part(name: string): void;
  /** Any float64; -0 and 0 are one amount. */
  number(value: number): void;
  /** An integer of 32 bits, with or without sign. */
  int(value: number): void;
  flag(value: boolean): void;
  /** Any text, also one that is not well-formed Unicode. */
  text(value: string): void;
}

type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** A copy of the array with more room, filled with zeros. */
export function grown<T extends Numbers>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

/**
 * A column of integers from 0 up to 2^52 as bytes that compress well: all lowest bytes, then all
 * second ones, and so on, up to the highest that any number has. Neighbouring numbers differ mostly in
 * the lowest byte.
 */
import type { ByteReader, ByteWriter } from "./bytes.ts";

/** Numbers from here on are not stored in columns: twice such a number is still exact. */
export const COLUMN_NUMBER_LIMIT = 2 ** 51;
const WIDTH_MAX = 7;

export function writeColumn(to: ByteWriter, values: readonly number[]): void {
  let highest = 0;
  for (const value of values) if (value > highest) highest = value;
  let width = 0;
  while (width < WIDTH_MAX && highest >= 256 ** width) width += 1;
  to.uint8(width);
  const plane = new Uint8Array(values.length);
  for (let index = 0; index < width; index++) {
    const divisor = 256 ** index;
    for (let row = 0; row < values.length; row++) {
      plane[row] = Math.floor(values[row] / divisor) % 256;
    }
    to.bytes(plane);
  }
}

/** @throws BytesEndError */
export function readColumn(from: ByteReader, rows: number): Float64Array {
  const width = from.uint8();
  const planes = Array.from({ length: width }, () => from.bytes(rows));
  const values = new Float64Array(rows);
  planes.forEach((plane, index) => {
    const factor = 256 ** index;
    for (let row = 0; row < rows; row++) values[row] += plane[row] * factor;
  });
  return values;
}

/** Writes numbers that are close to those before them. */
export function writeNearColumn(to: ByteWriter, values: readonly number[]): void {
  let previous = 0;
  writeColumn(
    to,
    values.map((value) => {
      const difference = value - previous;
      previous = value;
      // Small differences of either sign become small numbers.
      return difference >= 0 ? difference * 2 : difference * -2 - 1;
    }),
  );
}

/** @throws BytesEndError */
export function readNearColumn(from: ByteReader, rows: number): Float64Array {
  const values = readColumn(from, rows);
  let previous = 0;
  for (let row = 0; row < rows; row++) {
    const folded = values[row];
    previous += folded % 2 === 0 ? folded / 2 : (folded + 1) / -2;
    values[row] = previous;
  }
  return values;
}

/** Writes numbers of which many end in decimal zeros. */
export function writeRoundColumn(to: ByteWriter, values: readonly number[]): void {
  const zeros: number[] = [];
  writeColumn(
    to,
    values.map((value) => {
      let [digits, count] = [value, 0];
      while (digits > 0 && digits % 10 === 0) [digits, count] = [digits / 10, count + 1];
      zeros.push(count);
      return digits;
    }),
  );
  writeColumn(to, zeros);
}

/** @throws BytesEndError */
export function readRoundColumn(from: ByteReader, rows: number): Float64Array {
  const values = readColumn(from, rows);
  const zeros = readColumn(from, rows);
  for (let row = 0; row < rows; row++) values[row] *= 10 ** zeros[row];
  return values;
}

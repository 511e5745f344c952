/**
 * Distinguishes a write that a crash interrupted from damage to data that was already safe.
 *
 * A group is written only when the one before it is on disk, and into zeros. So a crash leaves at
 * most one incomplete group, the last in the last segment, and its missing parts are zeros: sectors
 * that never arrived, or an end that was never written. Such a group was never acknowledged and is
 * cut. All other unreadable data is damage, also a complete last group with a wrong checksum: it
 * may have been acknowledged, and only an operator may give it up.
 */
import { ALIGNMENT, decodeGroupHeader, extentOf, HEADER_BYTES, SECTOR_BYTES } from "./format.ts";

export type TailFinding =
  | { readonly kind: "clean" }
  | { readonly kind: "torn"; readonly bytes: number }
  | { readonly kind: "damaged"; readonly finding: string };

/**
 * Judges the data after the last valid group of the last segment.
 * @param rest everything from `offset` to the end of the file.
 * @param offset the start of `rest` in its file, a multiple of 64.
 * @param extentMax maximum number of bytes of one group.
 */
export function classifyTail(
  rest: Uint8Array,
  offset: number,
  salt: number,
  extentMax: number,
): TailFinding {
  const used = usedBytes(rest);
  if (used === 0) return { kind: "clean" };
  const damaged = (finding: string): TailFinding => ({ kind: "damaged", finding });

  for (let later = ALIGNMENT; later < used; later += ALIGNMENT) {
    const header = decodeGroupHeader(rest, later, salt);
    if (header !== undefined) {
      return damaged(
        `a group that cannot be read is followed by the group of sequence ${header.firstSequence}`,
      );
    }
  }

  const header = decodeGroupHeader(rest, 0, salt);
  if (header !== undefined) {
    const extent = extentOf(header.recordBytes);
    if (used > extent) return damaged("a group that cannot be read is followed by other bytes");
    if (used === extent && !hasMissingSector(rest, offset, extent)) {
      return damaged("the last group is complete and its checksum is wrong");
    }
    return { kind: "torn", bytes: used };
  }
  if (used > extentMax) return damaged("more bytes without a group than one write can have left");
  const headerSectorBytes = Math.min(SECTOR_BYTES - (offset % SECTOR_BYTES), rest.length);
  const headerNeverArrived = isZero(rest.subarray(0, headerSectorBytes));
  const cutInsideHeader = used <= HEADER_BYTES;
  if (headerNeverArrived || cutInsideHeader) return { kind: "torn", bytes: used };
  return damaged("the header of the last group cannot be read");
}

const ZEROS = new Uint8Array(1 << 16);

/** How many bytes there are up to the last non-zero byte. */
export function usedBytes(bytes: Uint8Array): number {
  let end = bytes.length;
  // A segment can hold megabytes of zeros, which are compared in large chunks.
  while (end >= ZEROS.length) {
    if (Buffer.compare(bytes.subarray(end - ZEROS.length, end), ZEROS) !== 0) break;
    end -= ZEROS.length;
  }
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}

/** Whether a sector of the group still contains the zeros over which the group was written. */
function hasMissingSector(rest: Uint8Array, offset: number, extent: number): boolean {
  let from = 0;
  while (from < extent) {
    const to = Math.min(extent, from + SECTOR_BYTES - ((offset + from) % SECTOR_BYTES));
    if (isZero(rest.subarray(from, to))) return true;
    from = to;
  }
  return false;
}

function isZero(bytes: Uint8Array): boolean {
  return usedBytes(bytes) === 0;
}

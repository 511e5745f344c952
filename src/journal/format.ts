/**
 * The bytes of a journal. A segment is a file: a header, then groups of records, then zeros up to
 * its preallocated size. Everything begins at a multiple of 64 bytes, so a header never straddles
 * two disk sectors. Integers are little-endian uint32, sequences and times float64.
 *
 *   segment header  magic · crc of the rest · version · salt · number · chain · first sequence ·
 *                   time of the last record before it
 *   group           header: magic · crc of the rest · record bytes · count · first sequence · time ·
 *                   crc of the body · chain
 *                   body: records · zeros · end mark in the last 4 bytes
 *
 * `chain` is the header crc of the previous group (0 at the very beginning): it fixes the order of
 * the groups. The salt, random per segment, seeds every crc of the segment, so that bytes which only
 * look like a group, from elsewhere or inside a record, never count as one.
 */
import { crc32 } from "node:zlib";

export const FORMAT_VERSION = 1;
export const ALIGNMENT = 64;
export const HEADER_BYTES = 64;
/** The unit that a disk writes in full or not at all. */
export const SECTOR_BYTES = 512;

const SEGMENT_MAGIC = 0x4753424f;
const GROUP_MAGIC = 0x4752424f;
/** None of its bytes is zero, so that zeros in its place show that the end was never written. */
const END_MARK = 0xe0d1c2b3;
const END_BYTES = 4;

export interface SegmentHeader {
  readonly version: number;
  readonly salt: number;
  /** Number of the segment: gap-free, from 1. */
  readonly number: number;
  readonly chain: number;
  readonly firstSequence: number;
  readonly lastTimestampMs: number;
}

export interface GroupHeader {
  readonly crc: number;
  readonly recordBytes: number;
  readonly count: number;
  readonly firstSequence: number;
  readonly timestampMs: number;
  readonly bodyCrc: number;
  readonly chain: number;
}

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** How many bytes of a segment a group with this many bytes of records takes. */
export function extentOf(recordBytes: number): number {
  return Math.ceil((HEADER_BYTES + recordBytes + END_BYTES) / ALIGNMENT) * ALIGNMENT;
}

/** How many bytes of records fit as one group into a segment of this size. */
export function recordBytesMaxOf(segmentBytes: number): number {
  return Math.floor(segmentBytes / ALIGNMENT) * ALIGNMENT - 2 * HEADER_BYTES - END_BYTES;
}

export function encodeSegmentHeader(header: Omit<SegmentHeader, "version">): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = viewOf(bytes);
  view.setUint32(0, SEGMENT_MAGIC, true);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, header.salt, true);
  view.setUint32(16, header.number, true);
  view.setUint32(20, header.chain, true);
  view.setFloat64(24, header.firstSequence, true);
  view.setFloat64(32, header.lastTimestampMs, true);
  view.setUint32(4, crc32(bytes.subarray(8)), true);
  return bytes;
}

/** The header at the beginning of `bytes`; undefined if there is none. */
export function decodeSegmentHeader(bytes: Uint8Array): SegmentHeader | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(0, true) !== SEGMENT_MAGIC) return undefined;
  if (view.getUint32(4, true) !== crc32(bytes.subarray(8, HEADER_BYTES))) return undefined;
  return {
    version: view.getUint32(8, true),
    salt: view.getUint32(12, true),
    number: view.getUint32(16, true),
    chain: view.getUint32(20, true),
    firstSequence: view.getFloat64(24, true),
    lastTimestampMs: view.getFloat64(32, true),
  };
}

/**
 * Encodes a group at the beginning of `target`, which has room for its extent.
 * @returns the crc of its header, the chain of the next group.
 */
export function encodeGroup(
  target: Uint8Array,
  group: { firstSequence: number; count: number; timestampMs: number; records: Uint8Array },
  salt: number,
  chain: number,
): number {
  const { records } = group;
  const extent = extentOf(records.length);
  const view = viewOf(target);
  target.set(records, HEADER_BYTES);
  target.fill(0, HEADER_BYTES + records.length, extent - END_BYTES);
  view.setUint32(extent - END_BYTES, END_MARK, true);
  view.setUint32(0, GROUP_MAGIC, true);
  view.setUint32(8, records.length, true);
  view.setUint32(12, group.count, true);
  view.setFloat64(16, group.firstSequence, true);
  view.setFloat64(24, group.timestampMs, true);
  view.setUint32(32, crc32(target.subarray(HEADER_BYTES, extent), salt), true);
  view.setUint32(36, chain, true);
  target.fill(0, 40, HEADER_BYTES);
  const crc = crc32(target.subarray(8, HEADER_BYTES), salt);
  view.setUint32(4, crc, true);
  return crc;
}

/** The group header at `offset`; undefined if there is no header of this segment. */
export function decodeGroupHeader(
  bytes: Uint8Array,
  offset: number,
  salt: number,
): GroupHeader | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined;
  // Almost every offset tried during a search fails here, before anything is allocated.
  if (bytes[offset] !== 0x4f || bytes[offset + 1] !== 0x42) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(offset, true) !== GROUP_MAGIC) return undefined;
  const crc = view.getUint32(offset + 4, true);
  if (crc !== crc32(bytes.subarray(offset + 8, offset + HEADER_BYTES), salt)) return undefined;
  return {
    crc,
    recordBytes: view.getUint32(offset + 8, true),
    count: view.getUint32(offset + 12, true),
    firstSequence: view.getFloat64(offset + 16, true),
    timestampMs: view.getFloat64(offset + 24, true),
    bodyCrc: view.getUint32(offset + 32, true),
    chain: view.getUint32(offset + 36, true),
  };
}

/** Whether the body of the group in `bytes` matches its header. */
export function isBodyIntact(bytes: Uint8Array, header: GroupHeader, salt: number): boolean {
  return crc32(bytes.subarray(HEADER_BYTES, extentOf(header.recordBytes)), salt) === header.bodyCrc;
}

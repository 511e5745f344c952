/**
 * Groups of a segment in columns. Everything that can be derived is left out and computed again: checksums,
 * sequences, the chain, padding.
 */
import { RECORD_PREFIX_BYTES } from "../journal.ts";
import { decodeGroupHeader, encodeGroup, extentOf, HEADER_BYTES } from "../format.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { readColumn, writeColumn } from "./number-column.ts";
import { RecordColumnsReader, RecordColumnsWriter, TEMPLATES_MAX } from "./record-columns.ts";

export interface GroupColumns {
  readonly columns: Uint8Array;
  /** How many of the plain bytes the columns contain. */
  readonly plainBytes: number;
}

/**
 * Stores the groups at the beginning of `plain`, up to the first that is not whole or does not follow
 * its predecessor. Undefined if there is none.
 */
export function encodeGroups(plain: Uint8Array, salt: number): GroupColumns | undefined {
  const first = decodeGroupHeader(plain, 0, salt);
  if (first === undefined) return undefined;
  const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
  const records = new RecordColumnsWriter();
  const counts: number[] = [];
  const elapsed: number[] = [];
  let { chain, firstSequence: sequence, timestampMs } = first;
  let position = 0;
  for (;;) {
    const header = decodeGroupHeader(plain, position, salt);
    if (header === undefined || records.templates + header.count > TEMPLATES_MAX) break;
    const end = position + extentOf(header.recordBytes);
    if (end > plain.length || header.firstSequence !== sequence || header.chain !== chain) break;
    const passedMs = header.timestampMs - timestampMs;
    if (!Number.isSafeInteger(header.timestampMs) || passedMs < 0) break;
    const from = position + HEADER_BYTES;
    const offsets = recordOffsets(view, from, from + header.recordBytes);
    if (offsets?.length !== header.count) break;
    for (const offset of offsets) {
      records.add(plain, view, offset + RECORD_PREFIX_BYTES, view.getUint32(offset, true));
    }
    counts.push(header.count);
    elapsed.push(passedMs);
    position = end;
    sequence += header.count;
    timestampMs = header.timestampMs;
    chain = header.crc;
  }
  if (position === 0) return undefined;
  const to = new ByteWriter();
  to.uint32(salt);
  to.uint32(first.chain);
  to.float64(first.firstSequence);
  to.float64(first.timestampMs);
  to.uint32(position);
  to.uint32(counts.length);
  writeColumn(to, counts);
  writeColumn(to, elapsed);
  records.writeTo(to);
  return { columns: to.written(), plainBytes: position };
}

/** Where each record's length is; undefined if the lengths do not add up. */
function recordOffsets(view: DataView, from: number, end: number): number[] | undefined {
  const offsets: number[] = [];
  let offset = from;
  while (offset + RECORD_PREFIX_BYTES <= end) {
    offsets.push(offset);
    offset += RECORD_PREFIX_BYTES + view.getUint32(offset, true);
  }
  return offset === end ? offsets : undefined;
}

/**
 * The plain bytes of the groups.
 * @throws any error if the bytes are not columns of `plainBytes`
 */
export function decodeGroups(columns: Uint8Array, plainBytes: number): Uint8Array {
  const from = new ByteReader(columns);
  const salt = from.uint32();
  let chain = from.uint32();
  let firstSequence = from.float64();
  let timestampMs = from.float64();
  if (from.uint32() !== plainBytes) throw new RangeError("the columns have another length");
  const groups = from.uint32();
  const counts = readColumn(from, groups);
  const elapsed = readColumn(from, groups);
  const records = new RecordColumnsReader(from);
  const plain = new Uint8Array(plainBytes);
  const buffer = new Uint8Array(plainBytes);
  const view = new DataView(buffer.buffer);
  let position = 0;
  for (let group = 0; group < groups; group++) {
    const count = counts[group];
    let length = 0;
    for (let index = 0; index < count; index++) {
      const recordBytes = records.nextLength();
      view.setUint32(length, recordBytes, true);
      records.read(buffer, view, length + RECORD_PREFIX_BYTES);
      length += RECORD_PREFIX_BYTES + recordBytes;
    }
    timestampMs += elapsed[group];
    const target = plain.subarray(position, position + extentOf(length));
    const encoded = { firstSequence, count, timestampMs, records: buffer.subarray(0, length) };
    chain = encodeGroup(target, encoded, salt, chain);
    firstSequence += count;
    position += target.length;
  }
  if (position !== plainBytes) throw new RangeError("the columns have another length");
  return plain;
}

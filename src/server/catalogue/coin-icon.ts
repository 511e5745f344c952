/**
 * Validates every byte of a coin's icon, because all users' browsers load it. An icon is a PNG of a
 * small square without any part that is not needed to display it.
 */
import { crc32, inflateSync } from "node:zlib";

const BYTES_MAX = 16 * 1024;
const SIDE_MIN = 16;
const SIDE_MAX = 256;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** Bytes of a chunk's length, type and checksum. */
const CHUNK_BYTES = 12;
/** Allowed chunks: no texts, profiles or animations. */
const CHUNKS: ReadonlySet<string> = new Set([
  "IHDR",
  "PLTE",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "sBIT",
  "pHYs",
  "bKGD",
  "IDAT",
  "IEND",
]);

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** @returns the error, as the end of a sentence; undefined if the icon is valid */
export function iconProblem(base64: string): string | undefined {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) return "must be an image in base 64";
  if (bytes.length > BYTES_MAX) return "must be an image of at most 16 KiB";
  const chunks = chunksOf(bytes);
  const [header] = chunks ?? [];
  const isImage = header?.type === "IHDR" && header.data.length === 13;
  if (chunks === undefined || !isImage) return "must be a PNG that is whole";
  const disallowedChunk = chunks.find(({ type }) => !CHUNKS.has(type));
  if (disallowedChunk !== undefined) {
    return `must be a plain PNG, and has a part "${disallowedChunk.type.replace(/[^A-Za-z]/g, "?")}"`;
  }
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  if (width !== height || width < SIDE_MIN || width > SIDE_MAX) {
    return `must be a square of ${SIDE_MIN} to ${SIDE_MAX} pixels, and has ${width} × ${height}`;
  }
  const pixels = Buffer.concat(
    chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data),
  );
  return hasValidPixels(pixels, width) ? undefined : "must be a PNG that is whole";
}

/** All chunks of the file; undefined if it is not a complete PNG without trailing bytes. */
function chunksOf(bytes: Buffer): Chunk[] | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length;) {
    if (at + CHUNK_BYTES > bytes.length) return undefined;
    const length = bytes.readUInt32BE(at);
    const end = at + CHUNK_BYTES + length;
    if (end > bytes.length) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
    if (type === "IEND") return at === bytes.length ? chunks : undefined;
  }
  return undefined;
}

/** Whether the compressed pixels decompress to no more than an image of this size can have. */
function hasValidPixels(pixels: Buffer, side: number): boolean {
  // At most 8 bytes a pixel, one byte a row, and one for each row of the passes of an interlaced
  // image.
  const maxOutputLength = side * side * 8 + side * 3;
  try {
    return inflateSync(pixels, { maxOutputLength }).length > 0;
  } catch {
    // The data is damaged, or larger than the header states.
    return false;
  }
}

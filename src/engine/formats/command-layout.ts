/**
 * The positions of a frequent command's own numbers and of the bytes that many commands share: for
 * a journal that stores sealed commands in columns. A layout only says where compression pays; any
 * bytes can be stored by any layout. It does not say what a command means or how it is decoded.
 */
import { CANCEL, CANCEL_ALL, CANCEL_BYTES, PLACE, PLACE_BYTES } from "./command-codec.ts";

/**
 * How the numbers of one field are stored: `near` as differences, since they are close to those of the
 * command of the same kind before; `round` without the zeros at their end.
 */
export type NumberKind = "near" | "round";

export interface CommandLayout {
  /** Bytes before the time limit and the texts. */
  readonly fixedBytes: number;
  /** The float64 among these bytes that differ from one command of an account to the next. */
  readonly numbers: readonly { readonly offset: number; readonly kind: NumberKind }[];
}

const PLACE_LAYOUT: CommandLayout = {
  fixedBytes: PLACE_BYTES,
  numbers: [
    // priceTicks, quantityLots, quoteAmount
    { offset: 20, kind: "near" },
    { offset: 28, kind: "round" },
    { offset: 36, kind: "round" },
  ],
};
const CANCEL_LAYOUT: CommandLayout = {
  fixedBytes: CANCEL_BYTES,
  numbers: [{ offset: 12, kind: "near" }],
};
const CANCEL_ALL_LAYOUT: CommandLayout = { fixedBytes: CANCEL_BYTES, numbers: [] };
const OTHER_LAYOUT: CommandLayout = { fixedBytes: 0, numbers: [] };

/** The layouts by the number that `layoutOf` returns. */
export const COMMAND_LAYOUTS: readonly CommandLayout[] = [
  OTHER_LAYOUT,
  PLACE_LAYOUT,
  CANCEL_LAYOUT,
  CANCEL_ALL_LAYOUT,
];

/** The layout of the `length` bytes at `offset`, whether or not they are a command. */
export function layoutOf(bytes: Uint8Array, offset: number, length: number): number {
  const type = length > 1 ? bytes[offset + 1] : 0;
  const layout = type === PLACE ? 1 : type === CANCEL ? 2 : type === CANCEL_ALL ? 3 : 0;
  return COMMAND_LAYOUTS[layout].fixedBytes <= length ? layout : 0;
}

/**
 * Maximum number of parts of an iceberg, each of its visible quantity: one order can trade with an
 * iceberg at most this often. The engine allows a hundred, so that journals with such icebergs stay
 * valid; ten is the usual number on exchanges (the default of ICEBERG_PARTS on Binance). A thousand
 * icebergs of a hundred parts made one order trade a hundred thousand times, which delays all
 * others.
 */
export const ICEBERG_PARTS_MAX = 10;

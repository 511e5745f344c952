/**
 * How many parts of its visible quantity an iceberg may have: at most this often can one order trade
 * with it. The engine allows a hundred, so that journals with such icebergs stay valid; ten is the
 * usual number on exchanges (the default of ICEBERG_PARTS on Binance). A thousand icebergs of a
 * hundred parts made one order trade a hundred thousand times, which delays all others.
 */
export const ICEBERG_PARTS_MAX = 10;

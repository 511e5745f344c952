/**
 * A remaining time as minutes and seconds, "59:41"; hours count as minutes, a negative time prints
 * as "0:00".
 */
export function clockText(spanMs: number): string {
  const seconds = Math.max(0, Math.ceil(spanMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "59:41"; hours are printed as minutes, and a past time is "0:00". */
export function clockText(spanMs: number): string {
  const seconds = Math.max(0, Math.ceil(spanMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** "59:41"; hours are counted in minutes, and what is over is "0:00". */
export function clockText(spanMs: number): string {
  const seconds = Math.max(0, Math.ceil(spanMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

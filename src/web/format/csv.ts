/** Tables for spreadsheets (RFC 4180). */

/** One line with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  // A spreadsheet would run a cell that begins like a formula, and strangers choose these texts.
  const isNumber = /^[-+]?\d+(\.\d+)?$/.test(text);
  const harmless = /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

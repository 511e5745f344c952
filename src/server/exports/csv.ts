/** CSV files for spreadsheets (RFC 4180). */

/** One line, including its line break. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  // A spreadsheet would execute a cell that looks like a formula, and these texts are user input.
  const isNumber = /^[-+]?\d+(\.\d+)?$/.test(text);
  const harmless = /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

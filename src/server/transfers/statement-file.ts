/**
 * Parses a statement of payments received, as CSV (RFC 4180) with a header: `reference`, `coin`,
 * `amount` and `receipt` in any order; other columns are ignored. The separator is the header's comma
 * or semicolon. Payers write some of the cells: a file in which one could have become several, or
 * swallowed a row, is refused whole.
 */
export interface Arrival {
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly reference: string;
  readonly coin: string;
  readonly amount: string;
  readonly receipt: string;
}

/** The message is a sentence for the administrator. */
export class StatementError extends Error {
  override readonly name = "StatementError";
}

const COLUMNS = ["reference", "coin", "amount", "receipt"] as const;

/** @throws StatementError */
export function parseStatement(text: string, rowsMax: number): Arrival[] {
  const body = text.replace(/^\u{FEFF}/u, "");
  const headerEnd = /\r?\n|$/.exec(body)?.index ?? body.length;
  const header = body.slice(0, headerEnd);
  const separator = header.includes(";") ? ";" : ",";
  const [names = { line: 1, cells: [] }, ...rows] = recordsOf(body, separator);
  const titles = names.cells.map((name) => name.trim().toLowerCase());
  const places = COLUMNS.map((column) => titles.indexOf(column));
  const missing = COLUMNS.filter((_, index) => places[index] === -1);
  if (missing.length > 0) {
    throw new StatementError(
      `The first line must name the columns: ${missing.join(", ")} missing.`,
    );
  }
  if (rows.length > rowsMax) {
    throw new StatementError(`The file has more than ${rowsMax} rows; import it in parts.`);
  }
  return rows.map(({ line, cells }) => {
    if (cells.length !== titles.length) {
      throw new StatementError(
        `Line ${line} has ${cells.length} cells, the first line has ${titles.length}. ` +
          "Nothing is read from the file: a payer's text may have become cells.",
      );
    }
    const [reference, coin, amount, receipt] = places.map((place) => cells[place].trim());
    return { line, reference, coin, amount, receipt };
  });
}

/** Whether separators of thousands and of decimals can be confused: "1.000" is a thousand to many. */
export function isAmbiguousAmount(amount: string): boolean {
  return /,|\..*\.|^-?[1-9]\d{0,2}\.\d{3}$/.test(amount);
}

interface CsvRecord {
  readonly line: number;
  readonly cells: string[];
}

/** The records that are not empty. @throws StatementError */
function recordsOf(text: string, separator: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  let record: CsvRecord = { line, cells: [] };
  let cell = "";
  let isQuoted = false;
  let isClosed = false;
  const endCell = () => {
    record.cells.push(cell);
    cell = "";
    isClosed = false;
  };
  const endRecord = () => {
    endCell();
    if (record.cells.some((each) => each.trim() !== "")) records.push(record);
    record = { line, cells: [] };
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\n") line++;
    if (isQuoted) {
      if (character === "\n") {
        throw new StatementError(`A cell of line ${record.line} does not end in its line.`);
      }
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[at++];
      else [isQuoted, isClosed] = [false, true];
    } else if (character === '"' && cell === "" && !isClosed) isQuoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") endRecord();
    else if (isClosed && character.trim() !== "") {
      throw new StatementError(`Text follows a closing quotation mark in line ${record.line}.`);
    } else if (character !== "\r") cell += character;
  }
  if (isQuoted) throw new StatementError(`A quotation mark in line ${record.line} is not closed.`);
  endRecord();
  return records;
}

/**
 * Records in columns. Most records are one of a few hundred templates, such as one account's cancels,
 * and differ from it in a few numbers. Stored are the templates once, the template of each record, the
 * numbers of one field together, template by template, and whatever else the records contain.
 *
 * The layouts are stored with the columns, so that reading never depends on this version's commands.
 */
import { COMMAND_LAYOUTS, type CommandLayout, layoutOf } from "#engine/formats/command-layout.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";
import {
  COLUMN_NUMBER_LIMIT,
  readColumn,
  readNearColumn,
  readRoundColumn,
  writeColumn,
  writeNearColumn,
  writeRoundColumn,
} from "./number-column.ts";

/** Limits how many bytes the number of a template takes. */
export const TEMPLATES_MAX = 1 << 16;

interface Template {
  readonly index: number;
  readonly layout: number;
  readonly length: number;
  /** The bytes that its records share, with zeros instead of their numbers. */
  readonly shared: Uint8Array;
  /** The numbers of its records, by field of the layout. */
  readonly numbers: readonly number[][];
}

export class RecordColumnsWriter {
  readonly #templates = new Map<string, Template>();
  readonly #templateOfRecord: number[] = [];
  readonly #rests: Uint8Array[] = [];
  #restBytes = 0;

  get templates(): number {
    return this.#templates.size;
  }

  /** Adds the record of `length` bytes at `offset`; `view` covers the same memory as `bytes`. */
  add(bytes: Uint8Array, view: DataView, offset: number, length: number): void {
    let layout = layoutOf(bytes, offset, length);
    if (COMMAND_LAYOUTS[layout].numbers.some((field) => !fitsColumn(view, offset + field.offset))) {
      layout = 0;
    }
    const { fixedBytes, numbers } = COMMAND_LAYOUTS[layout];
    const shared = Buffer.from(bytes.subarray(offset, offset + fixedBytes));
    for (const field of numbers) shared.fill(0, field.offset, field.offset + 8);
    const key = `${layout}/${length}/${shared.toString("latin1")}`;
    let template = this.#templates.get(key);
    if (template === undefined) {
      const index = this.#templates.size;
      template = { index, layout, length, shared, numbers: numbers.map(() => []) };
      this.#templates.set(key, template);
    }
    this.#templateOfRecord.push(template.index);
    numbers.forEach((field, index) => {
      template.numbers[index].push(view.getFloat64(offset + field.offset, true));
    });
    if (length > fixedBytes) {
      this.#rests.push(bytes.slice(offset + fixedBytes, offset + length));
      this.#restBytes += length - fixedBytes;
    }
  }

  writeTo(to: ByteWriter): void {
    writeLayouts(to);
    const templates = [...this.#templates.values()];
    to.uint32(templates.length);
    writeColumn(
      to,
      templates.map(({ layout }) => layout),
    );
    writeColumn(
      to,
      templates.map(({ length }) => length),
    );
    for (const { shared } of templates) to.bytes(shared);
    to.uint32(this.#templateOfRecord.length);
    writeColumn(to, this.#templateOfRecord);
    COMMAND_LAYOUTS.forEach(({ numbers }, layout) => {
      const alike = templates.filter((template) => template.layout === layout);
      numbers.forEach(({ kind }, index) => {
        const values = alike.flatMap((template) => template.numbers[index]);
        if (kind === "near") writeNearColumn(to, values);
        else writeRoundColumn(to, values);
      });
    });
    to.uint32(this.#restBytes);
    for (const rest of this.#rests) to.bytes(rest);
  }
}

/** Whether the float64 comes back from a column bit for bit. */
function fitsColumn(view: DataView, offset: number): boolean {
  const value = view.getFloat64(offset, true);
  return (
    Number.isInteger(value) && value >= 0 && value < COLUMN_NUMBER_LIMIT && !Object.is(value, -0)
  );
}

function writeLayouts(to: ByteWriter): void {
  to.uint8(COMMAND_LAYOUTS.length);
  for (const { fixedBytes, numbers } of COMMAND_LAYOUTS) {
    to.uint8(fixedBytes);
    to.uint8(numbers.length);
    for (const { offset, kind } of numbers) {
      to.uint8(offset);
      to.uint8(kind === "near" ? 1 : 0);
    }
  }
}

function readLayouts(from: ByteReader): CommandLayout[] {
  return Array.from({ length: from.uint8() }, () => {
    const fixedBytes = from.uint8();
    const numbers = Array.from({ length: from.uint8() }, () => {
      return { offset: from.uint8(), kind: from.uint8() === 1 ? "near" : "round" } as const;
    });
    return { fixedBytes, numbers };
  });
}

interface StoredTemplate {
  readonly layout: CommandLayout;
  readonly length: number;
  readonly shared: Uint8Array;
  records: number;
  /** The numbers of the layout's fields, and where those of this template's next record are. */
  columns: readonly Float64Array[];
  nextRow: number;
}

/** Reads the records one by one in their order. */
export class RecordColumnsReader {
  readonly #templates: readonly StoredTemplate[];
  readonly #templateOfRecord: Float64Array;
  readonly #rests: Uint8Array;
  #record = 0;
  #restOffset = 0;

  /** @throws BytesEndError, or any error if the bytes are not columns */
  constructor(from: ByteReader) {
    const layouts = readLayouts(from);
    const count = from.uint32();
    const layoutNumbers = readColumn(from, count);
    const lengths = readColumn(from, count);
    this.#templates = Array.from({ length: count }, (_, index): StoredTemplate => {
      const layout = layouts[layoutNumbers[index]];
      const shared = from.bytes(layout.fixedBytes);
      return { layout, length: lengths[index], shared, records: 0, columns: [], nextRow: 0 };
    });
    this.#templateOfRecord = readColumn(from, from.uint32());
    for (const index of this.#templateOfRecord) this.#templates[index].records += 1;
    for (const layout of layouts) {
      const alike = this.#templates.filter((template) => template.layout === layout);
      const rows = alike.reduce((sum, { records }) => sum + records, 0);
      const columns = layout.numbers.map(({ kind }) =>
        kind === "near" ? readNearColumn(from, rows) : readRoundColumn(from, rows),
      );
      let nextRow = 0;
      for (const template of alike) {
        template.columns = columns;
        template.nextRow = nextRow;
        nextRow += template.records;
      }
    }
    this.#rests = from.bytes(from.uint32());
  }

  /** Bytes of the next record. */
  nextLength(): number {
    return this.#templates[this.#templateOfRecord[this.#record]].length;
  }

  /** Writes the next record to `offset`; `view` covers the same memory as `bytes`. */
  read(bytes: Uint8Array, view: DataView, offset: number): void {
    const template = this.#templates[this.#templateOfRecord[this.#record++]];
    const { layout, shared, columns, length } = template;
    bytes.set(shared, offset);
    const row = template.nextRow++;
    for (let index = 0; index < columns.length; index++) {
      view.setFloat64(offset + layout.numbers[index].offset, columns[index][row], true);
    }
    const restBytes = length - shared.length;
    if (restBytes === 0) return;
    const rest = this.#rests.subarray(this.#restOffset, this.#restOffset + restBytes);
    bytes.set(rest, offset + shared.length);
    this.#restOffset += restBytes;
  }
}

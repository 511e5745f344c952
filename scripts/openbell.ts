/**
 * `npx openbell …`: reads a data directory without changing it, beside a running exchange too.
 * What is wrong ends in one sentence and exit code 1.
 */
import { once } from "node:events";
import { parseArgs } from "node:util";
import { readConfig } from "#server/config.ts";
import { describeReport, verifyJournal } from "#server/exchange/verify-journal.ts";
import { backUp } from "#server/inspection/back-up.ts";
import {
  EXPORT_FORMATS,
  EXPORTS,
  type ExportFormat,
  exportLines,
  type ExportName,
} from "#server/inspection/export-journal.ts";
import { inspectJournal } from "#server/inspection/inspect-journal.ts";
import { orSayWhy } from "./or-say-why.ts";

const USAGE = `Usage:
  openbell verify  [--data DIR]
      replay the journal, add up its postings, hold every snapshot against it
  openbell replay  --to N [--market SYMBOL] [--account NUMBER|USER] [--data DIR]
      print the markets, or a book, or an account's balances and orders, as they were at sequence N
  openbell backup  --to DIR [--data DIR]
      copy the data directory, beside a running exchange too
  openbell export  --what ${EXPORTS.join("|")} --format ${EXPORT_FORMATS.join("|")}
                   [--from N] [--to N] [--data DIR]
      write rows to the standard output
`;

// Whoever reads may stop early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const [command, ...rest] = process.argv.slice(2);
const commands: Record<string, (args: string[]) => Promise<void>> = {
  verify,
  replay,
  backup,
  export: exportRows,
};
const chosen = command === undefined ? undefined : commands[command];
if (chosen === undefined) {
  const asked = command === undefined || command === "help" || command === "--help";
  process[asked ? "stdout" : "stderr"].write(USAGE);
  process.exitCode = asked ? 0 : 1;
} else {
  await orSayWhy(() => chosen(rest));
}

async function verify(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { data: { type: "string" } },
    allowPositionals: true,
  });
  const report = await verifyJournal({ dataDir: dataDirOf(values.data ?? positionals[0]) });
  await print(`${describeReport(report)}\n`);
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}

async function replay(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      to: { type: "string" },
      market: { type: "string" },
      account: { type: "string" },
    },
  });
  const { market, account } = values;
  const to = sequenceOf("to", values.to, Number.POSITIVE_INFINITY);
  const lines = await inspectJournal({ dataDir: dataDirOf(values.data), to, market, account });
  await print(`${lines.join("\n")}\n`);
}

async function backup(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { data: { type: "string" }, to: { type: "string" } },
  });
  if (values.to === undefined) throw new Error("--to must name a directory that is not there yet.");
  const { sequence, hasDatabase } = await backUp({ from: dataDirOf(values.data), to: values.to });
  await print(`Copied everything up to sequence ${sequence} to ${values.to}.\n`);
  if (!hasDatabase) await print("The accounts are in PostgreSQL: back it up with pg_dump too.\n");
}

async function exportRows(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      what: { type: "string" },
      format: { type: "string", default: "csv" },
      from: { type: "string" },
      to: { type: "string" },
    },
  });
  const lines = exportLines({
    dataDir: dataDirOf(values.data),
    what: oneOf<ExportName>("what", values.what, EXPORTS),
    format: oneOf<ExportFormat>("format", values.format, EXPORT_FORMATS),
    from: sequenceOf("from", values.from, 1),
    to: sequenceOf("to", values.to, Number.POSITIVE_INFINITY),
  });
  for await (const line of lines) await print(line);
}

/** Waits while whoever reads is slow, so that an export of any size takes little memory. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

function dataDirOf(given: string | undefined): string {
  return given ?? readConfig(process.env).DATA_DIR;
}

function sequenceOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new Error(`--${name} must be a sequence, a whole number.`);
  }
  return value;
}

function oneOf<T extends string>(name: string, text: string | undefined, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === text);
  if (found === undefined) throw new Error(`--${name} must be one of ${known.join(", ")}.`);
  return found;
}

import type { AuditEvent } from "#contract/users.ts";

const COLUMNS = [
  "time",
  "event",
  "title",
  "status",
  "user id",
  "user email",
  "by id",
  "by email",
  "address",
  "device",
] as const;

/** The events as a table for spreadsheets (RFC 4180), with times in UTC. */
export function auditCsv(events: readonly AuditEvent[]): string {
  const rows = events.map((event) => [
    new Date(event.time).toISOString(),
    event.kind,
    event.title,
    event.status,
    event.userId,
    event.userEmail ?? "",
    event.actorId ?? "",
    event.actorEmail ?? "",
    event.address ?? "",
    event.userAgent ?? "",
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  // A spreadsheet would run a cell that begins like a formula, and strangers choose these texts.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

import { expect, test } from "vitest";
import type { AuditEvent } from "#contract/users.ts";
import { auditCsv } from "./audit-csv.ts";

const EVENT: AuditEvent = {
  id: "1",
  time: Date.UTC(2026, 10, 21, 12),
  kind: "banned",
  title: "Account banned by an administrator: Spam",
  status: "completed",
  userId: "u1",
  userEmail: "ada@example.com",
  actorId: null,
  actorEmail: null,
  address: "::1",
  userAgent: null,
};

function lastLine(event: Partial<AuditEvent>): string {
  return auditCsv([{ ...EVENT, ...event }]).split("\r\n")[1] ?? "";
}

test("the first line names the columns, and every event is a line", () => {
  expect(auditCsv([EVENT]).split("\r\n")).toEqual([
    "time,event,title,status,user id,user email,by id,by email,address,device",
    "2026-11-21T12:00:00.000Z,banned,Account banned by an administrator: Spam,completed,u1,ada@example.com,,,::1,",
    "",
  ]);
});

test("commas, quotes and line ends stay inside their cell", () => {
  expect(lastLine({ title: 'He said "no", twice\nand left' })).toContain(
    '"He said ""no"", twice\nand left"',
  );
});

test("a text that begins like a formula is not run by a spreadsheet", () => {
  expect(lastLine({ userAgent: "=HYPERLINK(1)" })).toMatch(/,'=HYPERLINK\(1\)$/);
  expect(lastLine({ userAgent: '@x,"y"' })).toMatch(/,"'@x,""y"""$/);
});

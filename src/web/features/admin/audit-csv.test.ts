import { expect, test, vi } from "vitest";
import type { AuditEvent } from "#contract/users.ts";
import { auditPieces } from "./audit-csv.ts";

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

test("the file has its columns, then the events of every page", async () => {
  const action = vi
    .fn()
    .mockResolvedValueOnce({ items: [EVENT], cursor: "next" })
    // A page may be empty although more pages follow.
    .mockResolvedValueOnce({ items: [], cursor: "last" })
    .mockResolvedValueOnce({ items: [{ ...EVENT, title: "=A1" }], cursor: null });
  let file = "";
  for await (const piece of auditPieces({ action }, { user: "u1" })) file += piece;
  expect(file.split("\r\n")).toEqual([
    "time,event,title,status,user id,user email,by id,by email,address,device",
    "2026-11-21T12:00:00.000Z,banned,Account banned by an administrator: Spam,completed,u1,ada@example.com,,,::1,",
    "2026-11-21T12:00:00.000Z,banned,'=A1,completed,u1,ada@example.com,,,::1,",
    "",
  ]);
  expect(action.mock.calls.map(([, args]) => args)).toEqual([
    { user: "u1", limit: 200 },
    { user: "u1", limit: 200, cursor: "next" },
    { user: "u1", limit: 200, cursor: "last" },
  ]);
});

import { expect, test } from "vitest";
import { diskRefusalOf } from "./disk-refusal.ts";

const failure = (message: string, fields: object) => Object.assign(new Error(message), fields);

test.each([
  [failure("ENOSPC: no space left on device, write", { code: "ENOSPC", syscall: "write" }), "full"],
  [failure("database or disk is full", { code: "SQLITE_FULL" }), "full"],
  [failure("EROFS: read-only file system, open", { code: "EROFS", path: "/x/lock" }), "written"],
  [failure("EACCES: permission denied, open", { code: "EACCES", path: "/x/journal" }), "written"],
])("%s is said to be the disk", (error, word) => {
  expect(diskRefusalOf(error, "/x")).toMatch(new RegExp(`data directory /x .*${word}`));
  expect(diskRefusalOf(error, "/x")).toContain(error.message);
});

test.each([
  failure("listen EACCES: permission denied 127.0.0.1:80", { code: "EACCES", syscall: "listen" }),
  failure("EACCES: permission denied, mkdir", { code: "EACCES", path: "/backups" }),
  failure("the journal is damaged", {}),
  undefined,
])("%s is not", (error) => {
  expect(diskRefusalOf(error, "/x")).toBeUndefined();
});

import { expect, test } from "vitest";
import { diskRefusalOf } from "./disk-refusal.ts";

const failure = (message: string, fields: object) => Object.assign(new Error(message), fields);

test.each([
  [failure("ENOSPC: no space left on device, write", { code: "ENOSPC", syscall: "write" }), "full"],
  [failure("database or disk is full", { code: "SQLITE_FULL" }), "full"],
  [failure("EROFS: read-only file system, open", { code: "EROFS", path: "/x/lock" }), "written"],
  [failure("EACCES: permission denied, open", { code: "EACCES", path: "/x/journal" }), "written"],
  [failure("EEXIST: file already exists, mkdir '/x'", { code: "EEXIST", path: "/x" }), "file"],
  [failure("ENOTDIR: not a directory, mkdir '/x'", { code: "ENOTDIR", path: "/x" }), "file"],
])("%s is said to be the disk", (error, word) => {
  expect(diskRefusalOf(error, "/x")).toMatch(new RegExp(`/x.*${word}`));
  expect(diskRefusalOf(error, "/x")).toContain(error.message);
});

test.each([
  failure("listen EACCES: permission denied 127.0.0.1:80", { code: "EACCES", syscall: "listen" }),
  failure("EACCES: permission denied, mkdir", { code: "EACCES", path: "/backups" }),
  // As the operator's sentence wraps it.
  new Error("Cannot listen on 127.0.0.1, port 80: listen EACCES", {
    cause: failure("listen EACCES: permission denied", { code: "EACCES", syscall: "listen" }),
  }),
  new Error("The setting BACKUP_DIR is wrong: EACCES: permission denied, mkdir '/backups'.", {
    cause: failure("EACCES: permission denied, mkdir '/backups'", {
      code: "EACCES",
      path: "/backups",
    }),
  }),
  new Error("The setting BACKUP_DIR is wrong: attempt to write a readonly database.", {
    cause: failure("attempt to write a readonly database", { code: "ERR_SQLITE_ERROR" }),
  }),
  failure("EACCES: permission denied, mkdir", { code: "EACCES", path: "/x-backups" }),
  failure("the journal is damaged", {}),
  undefined,
])("%s is not", (error) => {
  expect(diskRefusalOf(error, "/x")).toBeUndefined();
});

import { expect, test } from "vitest";
import { fileProblem } from "./file-problem.ts";

const failed = (code: string) => Object.assign(new Error("failed"), { code });

test("a file that cannot be used is named with what to do", () => {
  expect(fileProblem("/etc/mine.yaml", failed("ENOENT"))).toBe("there is no file /etc/mine.yaml");
  expect(fileProblem("/etc", failed("EISDIR"))).toBe("/etc is a directory; name a file in it");
  expect(fileProblem("/etc/mine.yaml", failed("EACCES"))).toMatch(
    /^the user \S+ has no access to \/etc\/mine\.yaml; give that user access, or name another place$/,
  );
  expect(fileProblem("/etc/mine.yaml", failed("EIO"))).toBe(
    "the file /etc/mine.yaml cannot be read (EIO)",
  );
});

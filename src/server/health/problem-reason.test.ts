import { expect, test } from "vitest";
import { reasonForStrangers } from "./problem-reason.ts";

test.each([
  [
    "The journal could not write to /srv/x/journal/segment-1.journal: ENOSPC: no space left on device, write",
    "the disk is full",
  ],
  ["connect ECONNREFUSED 10.1.2.3:5432", "the database cannot be reached"],
  ["terminating connection due to administrator command", "the database cannot be reached"],
  ["database disk image is malformed", "the database is damaged"],
  [
    "a listener failed: Another exchange writes to the same database: the history moved on",
    "another exchange writes to the same database",
  ],
  ["the replay stopped at sequence 7: assertion /srv/x/engine.ts:12", "the log says why"],
])("the public reason of %j is %j", (failure, reason) => {
  expect(reasonForStrangers(failure)).toBe(reason);
});

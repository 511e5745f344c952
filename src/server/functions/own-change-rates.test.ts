import { expect, test } from "vitest";
import { SharedLimits } from "../limits/shared-limits.ts";
import { FunctionError } from "./function-error.ts";
import { OwnChangeRates } from "./own-change-rates.ts";

test("a user's changes on other nodes count here", () => {
  const nodes = Array.from({ length: 3 }, () => {
    const shared = new SharedLimits(() => 0);
    return { shared, rates: new OwnChangeRates(shared) };
  });
  const [here, ...others] = nodes;
  for (const { rates, shared } of others) {
    for (let change = 0; change < 60; change++) rates.admit("ann");
    here.shared.receive("there", shared.takeReport() ?? expect.fail("nothing is told"));
  }
  expect(() => here.rates.admit("ann")).toThrow(FunctionError);
  here.rates.admit("ben");
});

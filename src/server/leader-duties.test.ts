import { expect, test } from "vitest";
import { NotLeadingError } from "./exchange/exchange-errors.ts";
import { LeaderDuties } from "./leader-duties.ts";
import { createSilentLog } from "./log.ts";

function scene(failure?: Error) {
  const done: string[] = [];
  const steps = {
    async prepare() {
      done.push("prepare");
      if (failure !== undefined) throw failure;
    },
    start: () => void done.push("start"),
    stop: async () => void done.push("stop"),
    stepDown() {
      done.push("step down");
      duties.setLeads(false);
    },
  };
  const duties = new LeaderDuties(createSilentLog());
  return { duties, done, steps };
}

test("a process that leads prepares before it is open, and starts then", async () => {
  const { duties, done, steps } = scene();
  duties.setLeads(true);
  await duties.give(steps);
  expect(done).toEqual(["prepare"]);
  duties.open();
  await duties.give(steps);
  await duties.close();
  expect(done).toEqual(["prepare", "start", "stop"]);
});

test("a node prepares and starts when it begins to lead, each time", async () => {
  const { duties, done, steps } = scene();
  await duties.give(steps);
  duties.open();
  for (let time = 0; time < 2; time++) {
    duties.setLeads(true);
    await duties.give(steps);
    duties.setLeads(false);
    await duties.give(steps);
  }
  const once = ["prepare", "start", "stop"];
  expect(done).toEqual([...once, ...once]);
});

test("a lead that is lost while the exchange is prepared is left to the next leader", async () => {
  const { duties, done, steps } = scene(new NotLeadingError());
  duties.setLeads(true);
  await duties.give(steps);
  await duties.close();
  expect(done).toEqual(["prepare", "stop"]);
});

test("a start fails with the reason why the exchange could not be prepared", async () => {
  const { duties, steps } = scene(new Error("a mistake in the catalogue"));
  duties.setLeads(true);
  await expect(duties.give(steps)).rejects.toThrow("a mistake in the catalogue");
});

test("a process that is stopping takes no lead any more", async () => {
  const { duties, done, steps } = scene();
  duties.open();
  await duties.give(steps);
  await duties.close();
  duties.setLeads(true);
  await duties.give(steps);
  expect(done).toEqual([]);
});

test("a leader that could not prepare the exchange leaves the lead, and tries again with the next", async () => {
  const { duties, done, steps } = scene(new Error("the database is away"));
  await duties.give(steps);
  const attempt = ["prepare", "step down", "stop"];
  duties.setLeads(true);
  await expect.poll(() => done).toEqual(attempt);
  duties.setLeads(true);
  await expect.poll(() => done).toEqual([...attempt, ...attempt]);
});

import { expect, test } from "vitest";
import { createSilentLog } from "../log.ts";
import { PerUser } from "./per-user.ts";

/** Each load waits until the test answers it. */
function start(isShared = false) {
  const answers: ((value: string) => void)[] = [];
  const stored: string[] = [];
  const users = new PerUser<string>({
    log: createSilentLog(),
    load: () => new Promise((resolve) => void answers.push(resolve)),
    onChange: () => undefined,
    tellNodes: isShared ? (userId) => void stored.push(userId) : undefined,
  });
  return { answers, stored, users };
}

test("an older load never replaces a newer one", async () => {
  const { answers, users } = start();
  const first = users.load("ada");
  answers[0]("loaded");
  await first;
  const [older, newer] = [users.refresh("ada"), users.refresh("ada")];
  answers[2]("newer");
  await newer;
  answers[1]("older");
  await older;
  expect(users.read("ada")).toBe("newer");
});

test("a change while it is loaded again is kept, and so is what the load was for", async () => {
  const { answers, users } = start();
  const first = users.load("ada");
  answers[0]("a");
  await first;
  const refreshed = users.refresh("ada");
  users.revise("ada", (value) => `${value}b`);
  expect(users.read("ada")).toBe("ab");
  answers[1]("read before b");
  await refreshed;
  expect(users.read("ada")).toBe("ab");
  answers[2]("abc");
  await expect.poll(() => users.read("ada")).toBe("abc");
});

test("what other nodes change too is read again before it decides anything", async () => {
  const { answers, users } = start(true);
  const first = users.load("ada");
  answers[0]("an address");
  await first;
  expect(users.read("ada")).toBe("an address");
  const second = users.load("ada");
  answers[1]("removed by another node");
  expect(await second).toBe("removed by another node");
  expect(users.read("ada")).toBe("removed by another node");
});

test("only what was stored here is told to others", async () => {
  const { answers, stored, users } = start(true);
  const changing = users.change(
    "ada",
    (value) => `${value}b`,
    () => {
      expect(stored).toEqual([]);
      return Promise.resolve();
    },
  );
  await expect.poll(() => answers.length).toBe(1);
  answers[0]("a");
  expect(await changing).toBe("ab");
  expect(stored).toEqual(["ada"]);
  const refreshed = users.refresh("ada");
  answers[1]("abc");
  await refreshed;
  const unchanged = users.change(
    "ada",
    (value) => value,
    () => Promise.resolve(),
  );
  await expect.poll(() => answers.length).toBe(3);
  answers[2]("abc");
  await unchanged;
  expect(stored).toEqual(["ada"]);
});

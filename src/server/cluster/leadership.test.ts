import { describe, expect, test } from "vitest";
import { type LeaseEntry, Leadership, type LeaseRecord } from "./leadership.ts";

/** One entry, and two nodes whose time the test advances. */
function scene() {
  let entry: LeaseEntry | undefined;
  let nowMs = 0;
  let isAway = false;
  let losesAnswers = false;
  let old: LeaseEntry | undefined;
  let readsOld = false;
  const store = {
    async read() {
      if (isAway) throw new Error("away");
      return readsOld ? old : entry;
    },
    async write(record: LeaseRecord, revision: number) {
      if (isAway) throw new Error("away");
      if ((entry?.revision ?? 0) !== revision) return undefined;
      entry = { record, revision: revision + 1 };
      if (losesAnswers) throw new Error("lost");
      return entry.revision;
    },
  };
  const nodeOf = (node: string) => {
    let led = 0;
    let steppedDown = 0;
    let term = 1;
    const leadership = new Leadership({
      node,
      store,
      now: () => nowMs,
      isCandidate: () => true,
      position: () => ({ term, sequence: 7 }),
      lead: () => void (led += 1),
      stepDown: () => void (steppedDown += 1),
      leaseMs: 1_000,
    });
    const onLeading = (newTerm: number) => {
      term = newTerm;
      leadership.onLeading();
    };
    return { leadership, led: () => led, steppedDown: () => steppedDown, onLeading };
  };
  return {
    one: nodeOf("one"),
    two: nodeOf("two"),
    entry: () => entry?.record,
    pass: (ms: number) => void (nowMs += ms),
    setAway: (away: boolean) => void (isAway = away),
    setLosesAnswers: (loses: boolean) => void (losesAnswers = loses),
    /** One of the servers lags behind. */
    leaveBehind: () => void (old = entry),
    /** Whether that server answers reads. */
    readBehind: (behind: boolean) => void (readsOld = behind),
    remove: () => void (entry = undefined),
  };
}

/** Heartbeats of a node at intervals of 250 ms. */
async function beats(
  { leadership }: { leadership: Leadership },
  count: number,
  pass: (ms: number) => void,
) {
  for (let beat = 0; beat < count; beat++) {
    await leadership.beat();
    pass(250);
  }
}

describe("leadership", () => {
  test("is taken by the first node, and by no other while it is renewed", async () => {
    const { one, two, entry, pass } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    expect(one.led()).toBe(1);
    for (let beat = 0; beat < 20; beat++) {
      await one.leadership.beat();
      await two.leadership.beat();
      pass(250);
    }
    expect(two.led()).toBe(0);
    expect(entry()).toEqual({ node: "one", term: 1, sequence: 7, isReleased: false });
    expect(two.leadership.newest?.node).toBe("one");
  });

  test("is taken when it was not renewed for the length of the lease", async () => {
    const { one, two, entry, pass } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    await beats(two, 4, pass);
    expect(two.led()).toBe(0);
    await beats(two, 1, pass);
    expect(two.led()).toBe(1);
    expect(entry()?.node).toBe("two");
  });

  test("is given up by a leader that finds another node's entry", async () => {
    const { one, two, pass } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    await beats(two, 5, pass);
    await one.leadership.beat();
    expect([one.steppedDown(), two.steppedDown()]).toEqual([1, 0]);
  });

  test("is not taken for the time in which the lease could not be read", async () => {
    const { one, two, pass, setAway } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    await two.leadership.beat();
    setAway(true);
    for (let beat = 0; beat < 20; beat++) {
      await expect(two.leadership.beat()).rejects.toThrow("away");
      pass(250);
    }
    setAway(false);
    await two.leadership.beat();
    expect(two.led()).toBe(0);
    await beats(two, 5, pass);
    expect(two.led()).toBe(1);
  });

  test("is taken in time beside a server that stays behind and answers every other read", async () => {
    const { one, two, pass, leaveBehind, readBehind } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    leaveBehind();
    await beats(one, 3, pass);
    for (let beat = 0; beat < 6; beat++) {
      readBehind(beat % 2 === 1);
      await beats(two, 1, pass);
    }
    expect(two.led()).toBe(1);
  });

  test("is kept by a leader that reads what another node wrote before it", async () => {
    const { one, two, pass, leaveBehind, readBehind, setLosesAnswers } = scene();
    await two.leadership.beat();
    leaveBehind();
    await beats(one, 5, pass);
    one.leadership.onLeading();
    setLosesAnswers(true);
    await expect(one.leadership.beat()).rejects.toThrow("lost");
    setLosesAnswers(false);
    readBehind(true);
    await beats(one, 20, pass);
    expect([one.led(), one.steppedDown()]).toEqual([1, 0]);
  });

  test("is renewed at once by a leader that was not told of its last renewal", async () => {
    const { one, two, pass, setLosesAnswers } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    setLosesAnswers(true);
    await expect(one.leadership.beat()).rejects.toThrow("lost");
    setLosesAnswers(false);
    for (let beat = 0; beat < 8; beat++) {
      // Before the leader, which would lose a race.
      await two.leadership.beat();
      await one.leadership.beat();
      pass(250);
    }
    expect([one.steppedDown(), two.led()]).toEqual([0, 0]);
  });

  test("is taken by a node that was not told that it has the entry", async () => {
    const { one, setLosesAnswers } = scene();
    setLosesAnswers(true);
    await expect(one.leadership.beat()).rejects.toThrow("lost");
    setLosesAnswers(false);
    await one.leadership.beat();
    expect(one.led()).toBe(1);
  });

  test("is left to others by a node that tries for too long, which may still lead", async () => {
    const { one, two, entry, pass } = scene();
    await one.leadership.beat();
    await beats(one, 4 * 29, pass);
    expect(entry()).toMatchObject({ node: "one", isReleased: false });
    await beats(one, 8, pass);
    expect(entry()).toMatchObject({ node: "one", isReleased: true });
    one.leadership.onLeading();
    await one.leadership.beat();
    expect(entry()).toMatchObject({ node: "one", isReleased: false });
    await beats(two, 4, pass);
    expect([one.led(), one.steppedDown(), two.led()]).toEqual([1, 0, 0]);
  });

  test("is that of the newest term, if two nodes took terms at the same time", async () => {
    const { one, two, entry, pass } = scene();
    await one.leadership.beat();
    // The first one is slow to take its term.
    await beats(two, 5, pass);
    two.onLeading(2);
    one.onLeading(3);
    for (let beat = 0; beat < 3; beat++) {
      await one.leadership.beat();
      await two.leadership.beat();
      pass(250);
    }
    expect(one.steppedDown()).toBe(0);
    expect(two.steppedDown()).toBeGreaterThan(0);
    expect(entry()).toMatchObject({ node: "one", term: 3 });
  });

  test("is taken in a new bucket, whose revisions start again", async () => {
    const { one, two, pass, remove } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    await beats(one, 5, pass);
    await two.leadership.beat();
    remove();
    await beats(two, 6, pass);
    expect(two.led()).toBe(1);
  });

  test("that was released is taken at once, and not by the node that released it", async () => {
    const { one, two, entry } = scene();
    await one.leadership.beat();
    one.leadership.onLeading();
    one.leadership.abstain();
    one.leadership.onFollowing();
    await one.leadership.beat();
    expect(entry()?.isReleased).toBe(true);
    await one.leadership.beat();
    expect(one.led()).toBe(1);
    await two.leadership.beat();
    expect(two.led()).toBe(1);
  });

  test("is left to others by a node that tried and could not lead", async () => {
    const { one, two } = scene();
    await one.leadership.beat();
    one.leadership.onFollowing();
    await one.leadership.beat();
    await one.leadership.beat();
    expect(one.led()).toBe(1);
    await two.leadership.beat();
    expect(two.led()).toBe(1);
  });
});

/** States that a market enters at their time: in order, once, across restarts, and while it is busy. */
import { describe, expect, test } from "vitest";
import {
  ADVANCE,
  ANN,
  BOB,
  CAT,
  NOW_MS,
  endedIn,
  order,
  Scene,
  typesOf,
} from "#test/engine/work-scene.ts";
import type { Command, ScheduledStatus } from "../commands.ts";
import type { ExchangeEvent } from "../events.ts";

const DECISION = { byAdmin: "olga", reason: "a test" };
const MINUTE = 60_000;

const step = (minutes: number, status: ScheduledStatus["status"], forMs = 0): ScheduledStatus => ({
  atMs: NOW_MS + minutes * MINUTE,
  status,
  forMs,
});
const schedule = (...steps: readonly ScheduledStatus[]): Command => ({
  type: "scheduleMarket",
  marketId: 1,
  steps,
  decision: DECISION,
});
const statesIn = (events: readonly ExchangeEvent[]) =>
  events.flatMap((event) =>
    event.type === "marketStatusChanged" ? [`${event.status} by ${event.cause}`] : [],
  );

function later(scene: Scene, minutes: number): ExchangeEvent[] {
  scene.nowMs = NOW_MS + minutes * MINUTE;
  return scene.apply(ADVANCE);
}

describe("a schedule", () => {
  test("brings each state at its time, and is said with who decided it and why", () => {
    const scene = new Scene();
    const steps = [step(10, "halted"), step(20, "trading")];
    expect(scene.apply(schedule(...steps))).toMatchObject([
      { type: "marketScheduled", marketId: 1, steps, decision: DECISION },
    ]);
    expect(scene.engine.nextDueMs).toBe(steps[0].atMs);
    expect(statesIn(later(scene, 9))).toEqual([]);
    expect(statesIn(later(scene, 10))).toEqual(["halted by schedule"]);
    expect(scene.engine.nextDueMs).toBe(steps[1].atMs);
    expect(statesIn(later(scene, 20))).toEqual(["trading by schedule"]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("that passed while the exchange was down happens in order, and timed states end on time", () => {
    const scene = new Scene();
    scene.apply(schedule(step(10, "preOpen", 5 * MINUTE), step(30, "closed")));
    const events = later(scene, 60);
    expect(statesIn(events)).toEqual([
      "preOpen by schedule",
      "auction by timer",
      "trading by timer",
      "closed by schedule",
    ]);
    const [preOpen] = events;
    expect(preOpen).toMatchObject({ untilMs: NOW_MS + 15 * MINUTE });
  });

  test("is the same from a snapshot, at every step", () => {
    const steps = [step(10, "halted"), step(20, "auction", MINUTE), step(30, "closed")];
    const whole = new Scene();
    whole.apply(schedule(...steps));
    let parts = new Scene();
    parts.apply(schedule(...steps));
    for (const minutes of [5, 10, 20, 25, 30, 31]) {
      parts = parts.restored();
      expect(later(parts, minutes)).toEqual(later(whole, minutes));
      expect(parts.engine.stateHash()).toBe(whole.engine.stateHash());
    }
    expect(whole.engine.read.marketState(1).status).toBe("closed");
  });

  test("replaces the one before, and without steps there is none", () => {
    const scene = new Scene();
    const before = scene.engine.stateHash();
    scene.apply(schedule(step(10, "halted")));
    expect(scene.engine.stateHash()).not.toBe(before);
    scene.apply(schedule(step(20, "closed")));
    expect(statesIn(later(scene, 15))).toEqual([]);
    scene.apply(schedule());
    expect(scene.engine.nextDueMs).toBe(Infinity);
    expect(scene.engine.stateHash()).toBe(before);
    expect(statesIn(later(scene, 30))).toEqual([]);
  });

  test("waits while the market still ends the orders of an earlier change", () => {
    const scene = new Scene({ ordersMax: 1, marketsInParts: true });
    for (const account of [ANN, BOB, CAT]) scene.apply(order(account, "buy", 90));
    scene.apply(schedule(step(10, "closed"), step(11, "trading")));
    scene.nowMs = NOW_MS + 11 * MINUTE;
    // Each command does the work of one order; the second step is due from the first command on.
    const ended: number[] = [];
    for (let commands = 0; commands < 20; commands++) {
      const events = scene.apply(ADVANCE);
      ended.push(...endedIn(events));
      if (statesIn(events).includes("trading by schedule")) break;
      scene.nowMs += 500;
    }
    expect(ended).toEqual([1, 2, 3]);
    expect(scene.engine.read.marketState(1).status).toBe("trading");
  });

  test("does not stop an administrator, whose state its next step replaces", () => {
    const scene = new Scene();
    scene.apply(schedule(step(10, "closed")));
    const { byAdmin, reason } = DECISION;
    const halt = { type: "setMarketStatus", marketId: 1, status: "halted", forMs: 0 } as const;
    expect(scene.apply({ ...halt, byAdmin, reason })).toMatchObject([
      { status: "halted", cause: "admin", decision: DECISION },
    ]);
    expect(statesIn(later(scene, 10))).toEqual(["closed by schedule"]);
  });
});

describe("a schedule is refused", () => {
  const many = Array.from({ length: 33 }, (_, minute) => step(minute + 1, "halted"));
  test.each<[string, Command, string]>([
    ["for a market that is not there", { ...schedule(), marketId: 9 } as Command, "unknownMarket"],
    ["with a step of now", schedule(step(0, "closed")), "invalidDelay"],
    ["with two steps at one time", schedule(step(1, "halted"), step(1, "closed")), "invalidDelay"],
    ["with a step in two years", schedule(step(2 * 366 * 24 * 60, "closed")), "invalidDelay"],
    ["with an end of a state that has none", schedule(step(1, "closed", 1)), "invalidDelay"],
    [
      "with a time that is no number",
      schedule({ ...step(1, "closed"), atMs: 0.5 }),
      "invalidDelay",
    ],
    ["with too many steps", schedule(...many), "invalidCommand"],
    ["with a state that is none", schedule(step(1, "open" as "closed")), "invalidCommand"],
    [
      "without a reason",
      { ...schedule(), decision: { byAdmin: "olga", reason: " " } } as Command,
      "invalidCommand",
    ],
    [
      "after its time limit",
      { ...schedule(), validUntilMs: NOW_MS - 1 } as Command,
      "requestExpired",
    ],
  ])("%s, and changes nothing", (_name, command, reason) => {
    const scene = new Scene();
    const before = scene.engine.stateHash();
    const events = scene.apply(command);
    expect(typesOf(events)).toEqual(["commandRejected"]);
    expect(events[0]).toMatchObject({ reason });
    expect(scene.engine.stateHash()).toBe(before);
  });
});

import { expect, test } from "vitest";
import { decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import {
  ExchangeScript,
  ORIGIN_TIME,
  randomCourse,
  ROBOT,
} from "#test/contract/exchange-events.ts";
import { Backlog } from "./backlog.ts";

/** The rows that the history keeps, written as a plain filter. */
function isKept(event: ExchangeEvent): boolean {
  if (event.type === "accountOpened") return event.kind === "person";
  if (event.type === "traded") return true;
  if (["commandRejected", "requestRepeated", "orderRested"].includes(event.type)) return false;
  return !("account" in event) || event.account !== ROBOT;
}

test("what it gives back is what history keeps, whole commands in order", () => {
  const events = randomCourse(5, 6_000);
  const backlog = new Backlog();
  for (const event of events) backlog.add(event);
  const back: ExchangeEvent[] = [];
  const ends: number[] = [];
  for (let batch = backlog.take(); batch !== undefined; batch = backlog.take()) {
    const decoded = decodeEvents(batch.events);
    expect(decoded.every((event) => event.sequence > (ends.at(-1) ?? 0))).toBe(true);
    expect(decoded.every((event) => event.sequence <= batch.end.sequence)).toBe(true);
    ends.push(batch.end.sequence);
    expect(batch.end.originTime).toBe(ORIGIN_TIME);
    back.push(...decoded);
  }
  expect(ends.length).toBeGreaterThan(2);
  expect(back).toEqual(events.filter(isKept));
  expect(ends.at(-1)).toBe(events.at(-1)?.sequence);
});

test("once all is taken there is nothing more until something comes", () => {
  const script = new ExchangeScript().begin();
  const backlog = new Backlog();
  expect(backlog.take()).toBeUndefined();
  for (const event of script.events) backlog.add(event);
  expect(backlog.take()).toBeDefined();
  expect(backlog.isEmpty).toBe(true);
  expect(backlog.take()).toBeUndefined();
  const done = script.events.length;
  script.next({ type: "commandRejected", reason: "noLiquidity" });
  for (const event of script.events.slice(done)) backlog.add(event);
  // Nothing of it is kept, except the journal's position.
  expect(backlog.take()?.end.sequence).toBe(script.sequence);
});

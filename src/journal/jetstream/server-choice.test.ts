import { expect, test } from "vitest";
import { ServerChoice } from "./server-choice.ts";

function scene() {
  let nowMs = 0;
  let reconnections = 0;
  const choice = new ServerChoice(
    {
      async reconnect() {
        reconnections += 1;
      },
      isClosed: () => false,
    },
    () => nowMs,
  );
  return {
    choice,
    reconnections: () => reconnections,
    beSilent: (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        choice.onSilence();
        nowMs += 1_000;
      }
    },
  };
}

test("a server without answers is left after some seconds, and so is the next", () => {
  const { beSilent, reconnections } = scene();
  beSilent(6);
  expect(reconnections()).toBe(0);
  beSilent(1);
  expect(reconnections()).toBe(1);
  beSilent(5);
  expect(reconnections()).toBe(1);
  beSilent(1);
  expect(reconnections()).toBe(2);
});

test("a server that answers now and then is kept", () => {
  const { beSilent, choice, reconnections } = scene();
  for (let time = 0; time < 10; time++) {
    beSilent(5);
    choice.onAnswer();
  }
  expect(reconnections()).toBe(0);
});

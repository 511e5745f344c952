import { expect, test } from "vitest";
import { ConnectionMonitor } from "./connection-state.ts";

function page() {
  let nowMs = 1_000;
  const monitor = new ConnectionMonitor(() => nowMs);
  return {
    monitor,
    pass: (ms: number) => {
      nowMs += ms;
    },
    beat: () => monitor.received(),
    kind: () => monitor.state().kind,
  };
}

/** A page that receives its heartbeats. */
function livePage() {
  const live = page();
  live.monitor.socket(true);
  live.pass(50);
  live.beat();
  return live;
}

test("an open socket is not live before the first heartbeat", () => {
  const { monitor, beat, kind } = page();
  expect(kind()).toBe("connecting");
  monitor.socket(true);
  expect(kind()).toBe("connecting");
  beat();
  expect(kind()).toBe("live");
});

test("silence on an open socket is stale within three seconds, since the last heartbeat", () => {
  const { monitor, pass, kind } = livePage();
  pass(2_499);
  expect(kind()).toBe("live");
  expect(monitor.leftMs()).toBe(1);
  pass(1);
  expect(monitor.state()).toEqual({ kind: "stale", sinceMs: 1_050 });
  pass(10_000);
  expect(monitor.ageMs()).toBe(12_500);
});

test("heartbeats that arrive late do not make old data live", () => {
  const { monitor, pass, kind } = livePage();
  for (let second = 1; second <= 5; second++) {
    pass(1_000);
    // Each is a second later than the previous one: the queue on the link grows.
    monitor.received(second * 1_000);
  }
  expect(kind()).toBe("stale");
  expect(monitor.ageMs()).toBe(5_000);
  expect(monitor.state()).toEqual({ kind: "stale", sinceMs: 1_050 });
  pass(1_000);
  monitor.received(400);
  expect(kind()).toBe("live");
  expect(monitor.ageMs()).toBe(400);
});

test("a late heartbeat on a new socket proves it", () => {
  const { monitor, pass, kind } = livePage();
  monitor.socket(false);
  monitor.socket(true);
  pass(100);
  monitor.received(200);
  expect(kind()).toBe("live");
});

test("a heartbeat after a silence is live again", () => {
  const { pass, beat, kind } = livePage();
  pass(9_000);
  expect(kind()).toBe("stale");
  beat();
  expect(kind()).toBe("live");
});

test("a lost network is offline at once", () => {
  const { monitor, kind } = livePage();
  monitor.network(false);
  expect(kind()).toBe("offline");
});

test("heartbeats prove a connection that the browser denies", () => {
  const { monitor, pass, beat, kind } = livePage();
  monitor.network(false);
  pass(1_000);
  beat();
  expect(kind()).toBe("live");
});

test("a network that is back is not live before the next heartbeat is due", () => {
  const { monitor, pass, kind } = livePage();
  monitor.network(false);
  pass(30_000);
  monitor.network(true);
  expect(kind()).toBe("stale");
});

test("a closed socket reconnects until the new one has been heard", () => {
  const { monitor, pass, beat, kind } = livePage();
  monitor.socket(false);
  expect(kind()).toBe("reconnecting");
  pass(100);
  monitor.socket(true);
  expect(kind()).toBe("reconnecting");
  pass(1);
  beat();
  expect(kind()).toBe("live");
});

test("a socket that closes before anything was heard reconnects", () => {
  const { monitor, kind } = page();
  monitor.socket(true);
  monitor.socket(false);
  expect(kind()).toBe("reconnecting");
});

test("a live page that was hidden has one silence's time to be heard again", () => {
  const { monitor, pass, kind } = livePage();
  monitor.hidden();
  pass(600_000);
  monitor.visible();
  expect(kind()).toBe("live");
  pass(2_500);
  expect(kind()).toBe("stale");
});

test("a page that was cut off when it was hidden is still cut off when it is back", () => {
  const { monitor, pass, kind } = livePage();
  pass(5_000);
  monitor.hidden();
  pass(5_000);
  monitor.visible();
  expect(kind()).toBe("stale");
});

test("the state is one object until it changes", () => {
  const { monitor, pass, beat } = livePage();
  const live = monitor.state();
  pass(900);
  beat();
  expect(monitor.state()).toBe(live);
  monitor.socket(false);
  const lost = monitor.state();
  pass(5_000);
  expect(monitor.state()).toBe(lost);
});

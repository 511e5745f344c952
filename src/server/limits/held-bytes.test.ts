import { expect, test, vi } from "vitest";
import { queueKeyOf } from "./client-key.ts";
import { HeldBytes } from "./held-bytes.ts";

vi.mock(import("./client-key.ts"), { spy: true });

function scene(limits: { all: number; perClient: number }) {
  const held = new HeldBytes(limits);
  const ended: string[] = [];
  return {
    held,
    ended,
    open: (client: string, name = client) => held.open(client, () => ended.push(name)),
  };
}

test("a client that holds more than it may loses its largest holding, and no other client does", () => {
  const { held, ended, open } = scene({ all: 1_000, perClient: 100 });
  open("ann").set(100);
  const [first, second, third] = ["a", "b", "c"].map((name) => open("flood", name));
  first.set(20);
  second.set(60);
  third.set(30);
  expect(ended).toEqual(["b"]);
  expect(held.bytes).toBe(150);
  third.set(80);
  expect(ended).toEqual(["b"]);
  third.set(81);
  expect(ended).toEqual(["b", "c"]);
});

test("beyond what all may hold together the client that holds most is ended first", () => {
  const { held, ended, open } = scene({ all: 100, perClient: 90 });
  for (let n = 0; n < 8; n++) open("flood", `flood ${n}`).set(10);
  open("ben").set(15);
  open("ann").set(6);
  expect(ended).toEqual(["flood 0"]);
  expect(held.bytes).toBe(91);
});

test("what is let go of counts no more", () => {
  const { held, ended, open } = scene({ all: 100, perClient: 50 });
  for (let n = 0; n < 100; n++) {
    const holding = open("ann");
    holding.set(40);
    holding.set(n % 2 === 0 ? 0 : 10);
    holding.close();
    holding.close();
  }
  expect(held.bytes).toBe(0);
  expect(ended).toEqual([]);
});

test("a site with many networks holds as one", () => {
  const { ended, open } = scene({ all: 100, perClient: 90 });
  open("user:ann").set(40);
  for (let n = 0; n < 12; n++) open(`address:2001:db8:1:${n}::/64`, `network ${n}`).set(5);
  expect(ended).toEqual([]);
  open("address:192.0.2.1").set(5);
  expect(ended).toEqual(["network 0"]);
});

test("an end does not look up the sites of all clients again", () => {
  const { ended, open } = scene({ all: 100, perClient: 90 });
  for (let n = 0; n < 100; n++) open(`address:2001:db8:${n}::/64`, "network").set(1);
  vi.mocked(queueKeyOf).mockClear();
  const flood = Array.from({ length: 50 }, () => open("flood"));
  for (const holding of flood) holding.set(2);
  expect(ended).toHaveLength(50);
  expect(vi.mocked(queueKeyOf).mock.calls.length).toBeLessThanOrEqual(flood.length);
});

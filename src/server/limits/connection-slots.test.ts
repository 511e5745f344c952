import { expect, test } from "vitest";
import { ConnectionSlots, type Occupant } from "./connection-slots.ts";

function scene(limits: { all: number; perAddress?: number }) {
  const slots = new ConnectionSlots({ perAddress: 1_000, ...limits });
  const ended: string[] = [];
  const occupy = (name: string, given: Partial<Occupant> = {}) => {
    slots.add({
      address: "192.0.2.1",
      userId: undefined,
      hasReceived: true,
      lastMessageMs: 0,
      evict: () => ended.push(name),
      ...given,
    });
  };
  return { slots, occupy, ended };
}

test("of all, one that has never spoken gives up its place first, the oldest of them", () => {
  const { slots, occupy, ended } = scene({ all: 3 });
  occupy("visitor");
  occupy("silent", { address: "192.0.2.2", hasReceived: false });
  occupy("newer and silent", { address: "192.0.2.2", hasReceived: false });
  expect(slots.makeRoom("192.0.2.1")).toBe(true);
  expect(ended).toEqual(["silent"]);
  expect(slots.size).toBe(2);
});

test("then the quietest visitor of the address that has most, for an address that has fewer", () => {
  const { slots, occupy, ended } = scene({ all: 4 });
  occupy("alone", { address: "192.0.2.2" });
  occupy("newer", { lastMessageMs: 2 });
  occupy("older", { lastMessageMs: 1 });
  occupy("signed in", { userId: "ann" });
  expect(slots.makeRoom("192.0.2.3")).toBe(true);
  expect(ended).toEqual(["older"]);
  occupy("newcomer", { address: "192.0.2.3" });
  expect(slots.makeRoom("192.0.2.1")).toBe(false);
  expect(ended).toEqual(["older"]);
});

test("then the quietest of the user who has most, if that is more than one person needs", () => {
  const { slots, occupy, ended } = scene({ all: 17 });
  for (let n = 0; n < 17; n++) {
    occupy(`ann ${n}`, { address: `192.0.2.${n}`, userId: "ann", lastMessageMs: n === 4 ? 0 : 1 });
  }
  expect(slots.makeRoom("198.51.100.1")).toBe(true);
  expect(ended).toEqual(["ann 4"]);
  occupy("bob", { userId: "bob" });
  expect(slots.makeRoom("198.51.100.1")).toBe(false);
});

test("an address with as many as it may loses one that has never spoken, and no other", () => {
  const { slots, occupy, ended } = scene({ all: 100, perAddress: 2 });
  occupy("silent elsewhere", { address: "192.0.2.9", hasReceived: false });
  occupy("spoken");
  occupy("silent", { hasReceived: false });
  expect(slots.makeRoom("192.0.2.1")).toBe(true);
  expect(ended).toEqual(["silent"]);
  occupy("spoken too");
  expect(slots.makeRoom("192.0.2.1")).toBe(false);
});

test("one that leaves twice is counted once", () => {
  const { slots, occupy } = scene({ all: 100, perAddress: 1 });
  occupy("first");
  const [first] = slots;
  slots.remove(first);
  slots.remove(first);
  occupy("second");
  expect(slots.makeRoom("192.0.2.1")).toBe(false);
});

test("a site with many networks is one: it gives up a place for another, and has none of another's", () => {
  const { slots, occupy, ended } = scene({ all: 4 });
  for (let network = 0; network < 4; network++) {
    occupy(`of the site ${network}`, {
      address: `2001:db8:1:${network}::1`,
      lastMessageMs: network === 2 ? 0 : 1,
    });
  }
  expect(slots.makeRoom("2001:db8:1:9::1")).toBe(false);
  expect(slots.makeRoom("2001:db8:2::1")).toBe(true);
  expect(ended).toEqual(["of the site 2"]);
});

test("a site with very many users gives up a place for another where no user has more than their part", () => {
  const { slots, occupy, ended } = scene({ all: 65 });
  for (let user = 0; user < 65; user++) {
    occupy(`user ${user}`, {
      address: `2001:db8:1:${user}::1`,
      userId: `user ${user}`,
      lastMessageMs: user === 3 ? 0 : 1,
    });
  }
  expect(slots.makeRoom("2001:db8:1:99::1")).toBe(false);
  expect(slots.makeRoom("192.0.2.7")).toBe(true);
  expect(ended).toEqual(["user 3"]);
  occupy("newcomer", { address: "192.0.2.7", userId: "newcomer" });
  expect(slots.makeRoom("192.0.2.8")).toBe(false);
});

import { describe, expect, test } from "vitest";
import type { Command } from "#engine/commands.ts";
import { encodeCommand } from "#engine/formats/command-codec.ts";
import { encodeGroup, extentOf } from "../format.ts";
import { decodeFrame, encodeFrame } from "./frame.ts";

const SALT = 0x1234_5678;

/** Numbers from 0 up to, not including, `limit`; the same ones in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const prefixed = (record: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(4 + record.length);
  new DataView(bytes.buffer).setUint32(0, record.length, true);
  bytes.set(record, 4);
  return bytes;
};

/** The groups of a segment, each with these records. */
function groupsOf(groups: readonly (readonly Uint8Array[])[]): Uint8Array {
  let chain = 7;
  let firstSequence = 1_000_000_000_000;
  let timestampMs = 1_790_000_000_000;
  const parts = groups.map((records, index) => {
    const bytes = Buffer.concat(records.map(prefixed));
    const part = new Uint8Array(extentOf(bytes.length));
    timestampMs += (index * 7919) % 100;
    const group = { firstSequence, count: records.length, timestampMs, records: bytes };
    chain = encodeGroup(part, group, SALT, chain);
    firstSequence += records.length;
    return part;
  });
  return Buffer.concat(parts);
}

function placed(fields: Partial<Extract<Command, { type: "placeOrder" }>>): Command {
  const order = {
    type: "placeOrder",
    account: 4,
    marketId: 2,
    side: "buy",
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: true,
    priceTicks: 6_425_000,
    quantityLots: 1_100,
    quoteAmount: 0,
    clientOrderId: "",
  };
  return { ...order, ...fields } as Command;
}

/** Commands of a few accounts, as the simulation places and cancels them. */
function usualCommands(count: number): Uint8Array[] {
  const next = numbers(3);
  return Array.from({ length: count }, (_, index) =>
    encodeCommand(
      index % 2 === 0
        ? placed({
            account: 4 + next(3),
            side: next(2) === 0 ? "buy" : "sell",
            priceTicks: (6_425_000 + next(200)) as never,
            quantityLots: ((1 + next(90)) * 100) as never,
          })
        : { type: "cancelOrder", account: 4 + next(3), orderId: index - next(100) + 100 },
      "",
    ),
  );
}

function inGroupsOf(size: number, records: readonly Uint8Array[]): Uint8Array[][] {
  return Array.from({ length: Math.ceil(records.length / size) }, (_, index) =>
    records.slice(index * size, (index + 1) * size),
  );
}

function expectSame(plain: Uint8Array) {
  const frame = encodeFrame(plain, SALT);
  const decoded = decodeFrame(frame.bytes, frame.plainBytes);
  expect(Buffer.compare(decoded, plain.subarray(0, frame.plainBytes))).toBe(0);
  return { ...frame, isColumns: frame.bytes[0] === 1 };
}

describe("a frame", () => {
  test("of usual commands takes a few bytes for each", () => {
    const plain = groupsOf(inGroupsOf(5, usualCommands(10_000)));
    const { bytes, plainBytes, isColumns } = expectSame(plain);
    expect(isColumns).toBe(true);
    expect(plainBytes).toBe(plain.length);
    expect(bytes.length / 10_000).toBeLessThan(3);
  });

  test("gives back any record bit for bit", () => {
    const odd = [NaN, -0, -1, 0.5, 1e300, Infinity, 2 ** 51 - 1, 2 ** 51, 2 ** 53, 0];
    const next = numbers(5);
    const records = [
      ...odd.map((value) => encodeCommand(placed({ priceTicks: value as never }), "")),
      ...odd.map((orderId) => encodeCommand({ type: "cancelOrder", account: 1, orderId }, "")),
      ...odd.map((account) => encodeCommand({ type: "cancelOrder", account, orderId: 1 }, "k")),
      encodeCommand(placed({ clientOrderId: "ünique", validUntilMs: 1_790_000_000_000 }), "key"),
      encodeCommand({ type: "cancelAllOrders", account: 1, marketId: 0 }, ""),
      encodeCommand({ type: "openAccount", userId: "a user", kind: "person" }, "key"),
      // Records that are not commands, and those that only begin like one.
      ...[0, 1, 2, 19, 20, 45, 46, 300].flatMap((length) =>
        [1, 2, 3, 4, 77].map((type) => {
          const record = Uint8Array.from({ length }, () => next(256));
          if (length > 1) record[1] = type;
          return record;
        }),
      ),
    ];
    const plain = groupsOf([...inGroupsOf(7, records), [records[0]], records]);
    expect(expectSame(plain)).toMatchObject({ isColumns: true, plainBytes: plain.length });
  });

  test("ends where a group is not whole, not intact or not the next", () => {
    const [first, second] = inGroupsOf(5, usualCommands(10));
    const whole = groupsOf([first, second]);
    const one = groupsOf([first]).length;
    expect(expectSame(whole.subarray(0, whole.length - 1)).plainBytes).toBe(one);
    const damagedHeader = Uint8Array.from(whole);
    damagedHeader[one + 9] ^= 1;
    expect(expectSame(damagedHeader).plainBytes).toBe(one);
    expect(expectSame(Buffer.concat([whole, groupsOf([first])])).plainBytes).toBe(whole.length);
  });

  test("of damaged groups, or of none, has the bytes as they are", () => {
    const plain = groupsOf(inGroupsOf(5, usualCommands(50)));
    const damaged = Uint8Array.from(plain);
    damaged[plain.length >> 1] ^= 1;
    for (const bytes of [damaged, new Uint8Array(5_000), Uint8Array.of(1), plain.subarray(1)]) {
      expect(expectSame(bytes)).toMatchObject({ isColumns: false, plainBytes: bytes.length });
    }
  });

  test("that is damaged is refused, or gives the same bytes", () => {
    const plain = groupsOf(inGroupsOf(5, usualCommands(50)));
    const { bytes, plainBytes } = encodeFrame(plain, SALT);
    let refused = 0;
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at] ^= 1 << (at % 8);
      try {
        expect(Buffer.compare(decodeFrame(damaged, plainBytes), plain)).toBe(0);
      } catch (error) {
        if (error instanceof Error && error.name === "AssertionError") throw error;
        refused += 1;
      }
    }
    // Zstandard leaves some bits of its headers without a meaning.
    expect(refused).toBeGreaterThan(bytes.length - 5);
    expect(() => decodeFrame(bytes.subarray(0, 3), plainBytes)).toThrow();
    expect(() => decodeFrame(bytes, plainBytes + 64)).toThrow();
  });
});

/**
 * The Merkle tree of users' balances (contract/solvency.ts). Each user's balances are split into
 * several leaves of random parts: a proof reveals the sibling of one's own leaf, which must never
 * be all that another user owns. Leaves are sorted by hash, so their positions reveal nothing.
 *
 * Building yields to the event loop, so that no command waits for it.
 */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  addAmounts,
  type Amounts,
  leafText,
  nodeText,
  type ProvenPart,
  type SumNode,
} from "#contract/solvency.ts";

/** All that one user owns, in the order of the report's coins. */
export interface Liability {
  readonly userId: string;
  readonly amounts: Amounts;
}

interface Leaf extends SumNode {
  readonly salt: string;
  readonly userId: string;
}

export const PARTS = 4;
const SALT_BYTES = 16;
/** Hashes computed between two yields to the event loop, each in some microseconds. */
const SLICE = 200;
/** The largest exclusive maximum that `randomInt` accepts. */
const RANDOM_MAX = 2 ** 48 - 1;

export class LiabilityTree {
  readonly root: string;
  /** From the leaves to the root. */
  readonly #levels: readonly (readonly SumNode[])[];
  /** Indexes of each user's leaves. */
  readonly #leavesOf: ReadonlyMap<string, readonly number[]>;

  private constructor(
    levels: readonly (readonly SumNode[])[],
    leavesOf: ReadonlyMap<string, readonly number[]>,
  ) {
    this.#levels = levels;
    this.#leavesOf = leavesOf;
    this.root = levels.at(-1)?.[0]?.hash ?? hashOf("empty");
  }

  static async build(liabilities: readonly Liability[]): Promise<LiabilityTree> {
    const { leaves, leavesOf } = await leavesInOrder(liabilities);
    const levels: SumNode[][] = [leaves];
    for (let below: SumNode[] = leaves; below.length > 1;) {
      const level: SumNode[] = [];
      for (let at = 0; at < below.length; at += 2) {
        // The last node of an odd number is moved up unchanged.
        level.push(at + 1 < below.length ? parentOf(below[at], below[at + 1]) : below[at]);
        if (level.length % SLICE === 0) await nextTurn();
      }
      levels.push(level);
      below = level;
    }
    return new LiabilityTree(levels, leavesOf);
  }

  /** The user's leaves with their paths; empty if the user owned nothing. */
  proofOf(userId: string): ProvenPart[] {
    return (this.#leavesOf.get(userId) ?? []).map((at) => {
      const { amounts, salt } = this.#levels[0][at] as Leaf;
      return { salt, amounts: amounts.map(String), path: this.#pathOf(at) };
    });
  }

  #pathOf(leaf: number): ProvenPart["path"] {
    return this.#levels.flatMap((level, height) => {
      const at = leaf >> height;
      const sibling = level[at ^ 1];
      if (sibling === undefined) return [];
      return {
        side: (at & 1) === 1 ? ("left" as const) : ("right" as const),
        hash: sibling.hash,
        amounts: sibling.amounts.map(String),
      };
    });
  }
}

/** The leaves sorted by hash, bucket by bucket: sorting all at once would take too long. */
async function leavesInOrder(liabilities: readonly Liability[]) {
  const buckets: Leaf[][] = Array.from({ length: 256 }, () => []);
  let made = 0;
  for (const { userId, amounts } of liabilities) {
    for (const part of randomParts(amounts)) {
      const salt = randomBytes(SALT_BYTES).toString("hex");
      const hash = hashOf(leafText(salt, userId, part));
      buckets[Number.parseInt(hash.slice(0, 2), 16)].push({ salt, userId, amounts: part, hash });
      made += 1;
      if (made % SLICE === 0) await nextTurn();
    }
  }
  const leaves: Leaf[] = [];
  const leavesOf = new Map<string, number[]>();
  for (const bucket of buckets) {
    bucket.sort((left, right) => (left.hash < right.hash ? -1 : 1));
    for (const leaf of bucket) {
      const own = leavesOf.get(leaf.userId);
      if (own === undefined) leavesOf.set(leaf.userId, [leaves.length]);
      else own.push(leaves.length);
      leaves.push(leaf);
    }
    await nextTurn();
  }
  return { leaves, leavesOf };
}

function parentOf(left: SumNode, right: SumNode): SumNode {
  return { hash: hashOf(nodeText(left, right)), amounts: addAmounts(left.amounts, right.amounts) };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Splits amounts at random into {@link PARTS} parts that add up to them. */
function randomParts(amounts: Amounts): Amounts[] {
  const parts: bigint[][] = [];
  let left = [...amounts];
  for (let part = 1; part < PARTS; part++) {
    const cut = left.map((amount) => (amount * BigInt(randomInt(RANDOM_MAX))) / BigInt(RANDOM_MAX));
    parts.push(cut);
    left = left.map((amount, coin) => amount - cut[coin]);
  }
  return [...parts, left];
}

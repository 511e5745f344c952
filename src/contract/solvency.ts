/**
 * The exchange's liabilities, and the proof that one user's balances are part of it: a Merkle tree whose
 * nodes carry sums (a Maxwell tree; Chalkias et al., "Broken Proofs of Solvency in Blockchain
 * Custodial Wallets and Exchanges", 2022, for the attacks that the rules below prevent). The exchange
 * builds it and the browser verifies it, both by the functions of this file.
 *
 * It proves liabilities, not reserves: that every user's balances are in the published sums, not that
 * the exchange owns that much.
 */
import type { Decimal } from "./types.ts";

/** Amounts as integers in the coins' smallest units, in the order of the report's coins. */
export type Amounts = readonly bigint[];

export interface CoinSolvency {
  readonly coin: string;
  /** Decimals of the coin's smallest unit. */
  readonly scale: number;
  /** The total that all users own, available and held: the exchange's liabilities. */
  readonly people: Decimal;
  /** The total that all simulated participants own. */
  readonly simulated: Decimal;
  /** The trading fees that were collected. */
  readonly fees: Decimal;
  /** The revenue from paid plans: the house account. */
  readonly house: Decimal;
  /** The external account: minus everything that came in from outside, practice funds included. */
  readonly external: Decimal;
  /** The adjustments account, the other side of every adjustment. */
  readonly adjustments: Decimal;
  /** The sum of all of these; "0" unless money was created or lost. */
  readonly sum: Decimal;
}

export interface SolvencyReport {
  /** The sequence of the newest command that the figures include. */
  readonly sequence: number;
  /** When the figures were taken, milliseconds since 1970 UTC. */
  readonly time: number;
  readonly coins: readonly CoinSolvency[];
  readonly liabilities: {
    /** Hash of the tree's root. */
    readonly root: string;
    /** The number of people with a balance. */
    readonly people: number;
  };
  /**
   * When a second process last replayed the journal to the same events, milliseconds since 1970
   * UTC; null before the first time.
   */
  readonly verifiedAt: number | null;
}

/** The sibling of a node on the path to the root. */
export interface Sibling {
  readonly side: "left" | "right";
  readonly hash: string;
  /** The sibling's sums in smallest units, as decimal digits, one for each coin. */
  readonly amounts: readonly string[];
}

/** One leaf with a part of a user's balances, and its path to the root. */
export interface ProvenPart {
  readonly salt: string;
  readonly amounts: readonly string[];
  readonly path: readonly Sibling[];
}

/** Everything that a user needs to verify that their balances are in the published sums. */
export interface InclusionProof {
  readonly userId: string;
  /** Identifies the report; the proof itself is checked against the published root. */
  readonly root: string;
  /** The coins in the order in which amounts are listed. */
  readonly coins: readonly { readonly coin: string; readonly scale: number }[];
  readonly parts: readonly ProvenPart[];
}

type MaybePromise<T> = T | Promise<T>;
/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
export type Hash<Result extends MaybePromise<string>> = (text: string) => Result;

/**
 * The text whose hash is a leaf. The salt keeps others from guessing a user's balances from the
 * hash.
 */
export function leafText(salt: string, userId: string, amounts: Amounts): string {
  return ["leaf", salt, userId, amounts.join(" ")].join("\n");
}

export interface SumNode {
  readonly hash: string;
  readonly amounts: Amounts;
}

/**
 * The text whose hash is a node: both children with their sums, so that none of these can be
 * changed alone.
 */
export function nodeText(left: SumNode, right: SumNode): string {
  const lines = ["node", left.hash, left.amounts.join(" "), right.hash, right.amounts.join(" ")];
  return lines.join("\n");
}

export function addAmounts(left: Amounts, right: Amounts): Amounts {
  return left.map((amount, coin) => amount + right[coin]);
}

export interface Inclusion {
  /** The user's balances in the tree, in the order of the proof's coins. */
  readonly balances: Amounts;
  /** The total that all users own, according to the tree. */
  readonly totals: Amounts;
}

/**
 * Recomputes the path from each part of a user's balances to the root.
 * @param root hash that the exchange published
 * @throws InclusionError if a path does not lead to that root
 */
export async function verifyInclusion(
  proof: InclusionProof,
  root: string,
  hash: Hash<MaybePromise<string>>,
): Promise<Inclusion> {
  if (proof.parts.length === 0) throw new InclusionError("The proof is empty.");
  let balances: Amounts = proof.coins.map(() => 0n);
  let totals: Amounts | undefined;
  const seen = new Set<string>();
  for (const part of proof.parts) {
    const own = amountsOf(part.amounts, proof.coins.length);
    let node: SumNode = {
      hash: await hash(leafText(part.salt, proof.userId, own)),
      amounts: own,
    };
    if (seen.has(node.hash)) throw new InclusionError("A part is in the proof twice.");
    seen.add(node.hash);
    for (const sibling of part.path) {
      const other = {
        hash: sibling.hash,
        amounts: amountsOf(sibling.amounts, proof.coins.length),
      };
      const [left, right] = sibling.side === "left" ? [other, node] : [node, other];
      node = {
        hash: await hash(nodeText(left, right)),
        amounts: addAmounts(left.amounts, right.amounts),
      };
    }
    if (node.hash !== root) throw new InclusionError("A part does not lead to the published root.");
    balances = addAmounts(balances, own);
    // The hash of the root covers the sums of its children, so all parts reach the same totals.
    totals = node.amounts;
  }
  return { balances, totals: totals ?? [] };
}

/** A proof that is not valid; the message says why. */
export class InclusionError extends Error {}

/** A negative amount anywhere could hide a liability to another user. */
function amountsOf(texts: readonly string[], coins: number): Amounts {
  if (texts.length !== coins) throw new InclusionError("The proof lacks a coin.");
  return texts.map((text) => {
    if (!/^\d{1,30}$/.test(text)) throw new InclusionError("The proof has a negative amount.");
    return BigInt(text);
  });
}

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type InclusionProof, verifyInclusion } from "#contract/solvency.ts";
import { type Liability, LiabilityTree, PARTS } from "./liability-tree.ts";

const COINS = [
  { coin: "USD", scale: 2 },
  { coin: "BTC", scale: 8 },
];
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

function proofOf(tree: LiabilityTree, userId: string): InclusionProof {
  return { userId, root: tree.root, coins: COINS, parts: tree.proofOf(userId) };
}

const liabilities = fc
  .array(fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.bigInt({ min: 0n, max: 99n })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) => all.map((amounts, at): Liability => ({ userId: `user ${at}`, amounts })));

describe("a tree of liabilities", () => {
  test("proves to each user their balances and the sums of all", async () => {
    await fc.assert(
      fc.asyncProperty(liabilities, async (owned) => {
        const tree = await LiabilityTree.build(owned);
        const totals = [0, 1].map((coin) =>
          owned.reduce((sum, { amounts }) => sum + amounts[coin], 0n),
        );
        for (const { userId, amounts } of owned) {
          const found = await verifyInclusion(proofOf(tree, userId), tree.root, hash);
          expect(found).toEqual({ balances: amounts, totals });
        }
      }),
      { numRuns: 30 },
    );
  });

  test("shows no one a leaf with all that another user owns", async () => {
    const owned = Array.from({ length: 8 }, (_, at) => ({
      userId: `user ${at}`,
      amounts: [1_000_003n + BigInt(at), 2_000_003n],
    }));
    const tree = await LiabilityTree.build(owned);
    const shown = owned.flatMap(({ userId }) =>
      tree.proofOf(userId).flatMap(({ path }) => path.map(({ amounts }) => amounts[0])),
    );
    expect(tree.proofOf("user 0")).toHaveLength(PARTS);
    for (const { amounts } of owned) expect(shown).not.toContain(String(amounts[0]));
  });

  test("has no proof for a user without a balance in it", async () => {
    const tree = await LiabilityTree.build([{ userId: "a", amounts: [1n, 0n] }]);
    expect(tree.proofOf("b")).toEqual([]);
    await expect(verifyInclusion(proofOf(tree, "b"), tree.root, hash)).rejects.toThrow("empty");
  });

  test("of the same balances has another root each time, so that no one can guess balances by it", async () => {
    const owned = [{ userId: "a", amounts: [1n, 0n] }];
    const [one, other] = [await LiabilityTree.build(owned), await LiabilityTree.build(owned)];
    expect(one.root).not.toBe(other.root);
  });
});

describe("a proof is refused", () => {
  const owned: Liability[] = ["a", "b", "c"].map((userId, at) => ({
    userId,
    amounts: [BigInt(100 * (at + 1)), 5n],
  }));

  test("if an amount, a sibling's amount, the salt, the user or the side was changed", async () => {
    const tree = await LiabilityTree.build(owned);
    const changes: ((proof: InclusionProof) => InclusionProof)[] = [
      (proof) => ({ ...proof, userId: "d" }),
      (proof) => withPart(proof, (part) => ({ ...part, salt: "0" })),
      (proof) => withPart(proof, (part) => ({ ...part, amounts: ["1000", part.amounts[1]] })),
      (proof) =>
        withPart(proof, (part) => {
          const [first, ...rest] = part.path;
          // Not nothing, since a random part may be empty.
          return { ...part, path: [{ ...first, amounts: ["7", "7"] }, ...rest] };
        }),
      (proof) =>
        withPart(proof, (part) => {
          const [first, ...rest] = part.path;
          const side = first.side === "left" ? "right" : "left";
          return { ...part, path: [{ ...first, side }, ...rest] };
        }),
    ];
    for (const change of changes) {
      const proof = change(proofOf(tree, "b"));
      await expect(verifyInclusion(proof, tree.root, hash)).rejects.toThrow("published root");
    }
  });

  test("if one part stands in it twice, which would prove more than is there", async () => {
    const tree = await LiabilityTree.build(owned);
    const proof = proofOf(tree, "b");
    const doubled = { ...proof, parts: [...proof.parts, proof.parts[0]] };
    await expect(verifyInclusion(doubled, tree.root, hash)).rejects.toThrow("twice");
  });

  test("if a sibling owes, even where the sums agree", async () => {
    const tree = await LiabilityTree.build(owned);
    const proof = withPart(proofOf(tree, "b"), (part) => {
      const [first, ...rest] = part.path;
      return { ...part, path: [{ ...first, amounts: ["-5", "0"] }, ...rest] };
    });
    await expect(verifyInclusion(proof, tree.root, hash)).rejects.toThrow("negative");
  });

  function withPart(
    proof: InclusionProof,
    change: (part: InclusionProof["parts"][number]) => InclusionProof["parts"][number],
  ): InclusionProof {
    const [first, ...rest] = proof.parts;
    return { ...proof, parts: [change(first), ...rest] };
  }
});
